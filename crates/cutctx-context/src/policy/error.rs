//! Why there is no context.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use cutctx_messages::{ContextError, DurableError, DurableObject, MessageError};
use cutctx_types::{Code, Coded, Details, TurnError};

use crate::compaction::CompactionFailure;
use crate::project::ProjectionError;
use crate::telemetry::{ContextRecallTelemetry, ContextTelemetry};

/// Why there is no context, and what is to be kept all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextBuildError(Box<Failure>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure {
    fault: BuildFault,
    checkpoint: Option<DurableObject>,
    checkpoint_event_payload: Option<DurableObject>,
    compaction_telemetry: Vec<ContextTelemetry>,
    recall_telemetry: Vec<ContextRecallTelemetry>,
}

impl ContextBuildError {
    /// A build that failed for this reason, with nothing to keep.
    #[must_use]
    pub fn new(fault: impl Into<BuildFault>) -> Self {
        Self(Box::new(Failure {
            fault: fault.into(),
            checkpoint: None,
            checkpoint_event_payload: None,
            compaction_telemetry: Vec::new(),
            recall_telemetry: Vec::new(),
        }))
    }

    /// With what happened before.
    #[must_use]
    pub fn with_telemetry(mut self, telemetry: Vec<ContextTelemetry>) -> Self {
        self.0.compaction_telemetry = telemetry;
        self
    }

    /// With the checkpoint that was reached before, and what may be told about it.
    #[must_use]
    pub fn with_checkpoint(
        mut self,
        checkpoint: Option<DurableObject>,
        event_payload: Option<DurableObject>,
    ) -> Self {
        self.0.checkpoint = checkpoint;
        self.0.checkpoint_event_payload = event_payload;
        self
    }

    /// Why.
    #[must_use]
    pub const fn fault(&self) -> &BuildFault {
        &self.0.fault
    }

    /// The checkpoint to store in place of the one before: what was reached before the failure.
    #[must_use]
    pub const fn checkpoint(&self) -> Option<&DurableObject> {
        self.0.checkpoint.as_ref()
    }

    /// What may be told about that change.
    #[must_use]
    pub const fn checkpoint_event_payload(&self) -> Option<&DurableObject> {
        self.0.checkpoint_event_payload.as_ref()
    }

    /// What happened on the way.
    #[must_use]
    pub fn compaction_telemetry(&self) -> &[ContextTelemetry] {
        &self.0.compaction_telemetry
    }

    /// What was looked up on the way.
    #[must_use]
    pub fn recall_telemetry(&self) -> &[ContextRecallTelemetry] {
        &self.0.recall_telemetry
    }
}

impl fmt::Display for ContextBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fault.fmt(f)
    }
}

impl Error for ContextBuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.fault.source()
    }
}

impl Coded for ContextBuildError {
    fn code(&self) -> Code {
        self.0.fault.code()
    }

    fn details(&self) -> Details {
        self.0.fault.details()
    }
}

macro_rules! failed_by {
    ($($fault:ty),+ $(,)?) => {
        $(impl From<$fault> for ContextBuildError {
            fn from(fault: $fault) -> Self {
                Self::new(fault)
            }
        })+
    };
}

failed_by!(BuildFault, ProjectionError, ContextError, MessageError, DurableError, CompactionFault, TurnError);

/// Why there is no context.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildFault {
    /// The messages have no projection.
    #[error(transparent)]
    Projection(#[from] ProjectionError),
    /// A provider's count is below zero.
    #[error("a count of input tokens is below zero")]
    NegativeCount,
    /// A message becomes no turn. Those of this crate's types all do.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A checkpoint cannot be stored.
    #[error("the checkpoint cannot be stored: {0}")]
    Checkpoint(#[from] DurableError),
    /// There is no summary that can be used.
    #[error(transparent)]
    Compaction(#[from] CompactionFault),
    /// The context is larger than its settings allow after compaction.
    #[error("the context is out of bounds after pass {passes} of {max_passes}: {stop}")]
    SizeBounds {
        /// How many passes there were.
        passes: usize,
        /// How many there may be.
        max_passes: usize,
        /// Why there was no further one.
        stop: PassStop,
        /// The input that remains, in tokens.
        context_input_tokens: u64,
        /// The window that it takes, in tokens.
        context_window_tokens: u64,
    },
}

impl From<ContextError> for BuildFault {
    fn from(error: ContextError) -> Self {
        ProjectionError::from(error).into()
    }
}

impl From<MessageError> for BuildFault {
    fn from(error: MessageError) -> Self {
        ProjectionError::from(error).into()
    }
}

/// Why no further pass was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PassStop {
    /// There may be no more.
    PassLimit,
    /// The last one made no progress, or another could not make the context fit.
    NoSafePrefixContinuation,
}

impl PassStop {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PassLimit => "pass_limit",
            Self::NoSafePrefixContinuation => "no_safe_prefix_continuation",
        }
    }
}

impl fmt::Display for PassStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why there is no summary that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompactionFault {
    /// The compactor gave none.
    #[error(transparent)]
    Failed(#[from] CompactionFailure),
    /// It says that it covers more than it was given.
    #[error("the summary covers {covered} of {given} messages")]
    CoverageBeyondRange {
        /// What it says.
        covered: usize,
        /// What it was given.
        given: usize,
    },
    /// What it covers ends inside a tool round.
    #[error("the summary covers {covered} messages, which ends inside a tool round")]
    CoverageSplitsRound {
        /// What it says.
        covered: usize,
    },
    /// It covers nothing and does not say that it cannot.
    #[error("the summary covers nothing, and the compactor does not report that it is exhausted")]
    ZeroCoverageWithoutExhaustion,
    /// It covers nothing and changed the summary.
    #[error("the summary covers nothing and differs from the one before")]
    ZeroCoverageChangedSummary,
    /// It says that it is exhausted under another key.
    #[error("the compactor is exhausted under another progress key than its own")]
    ProgressKeyMismatch,
    /// It does not prove that it took in the summary before.
    #[error("the digest of the summary before is missing or wrong")]
    MissingOrWrongRepresentedHash,
    /// It claims to have taken in a summary that there was not.
    #[error("there is a digest of a summary before, and nothing was taken in")]
    UnexpectedRepresentedHash,
}

impl Coded for CompactionFault {
    fn code(&self) -> Code {
        match self {
            Self::Failed(failure) => failure.code(),
            Self::CoverageBeyondRange { .. } => Code::new("COVERAGE_BEYOND_RANGE"),
            Self::CoverageSplitsRound { .. } => Code::new("COVERAGE_SPLITS_ROUND"),
            Self::ZeroCoverageWithoutExhaustion => Code::new("ZERO_COVERAGE_WITHOUT_EXHAUSTION"),
            Self::ZeroCoverageChangedSummary => Code::new("ZERO_COVERAGE_CHANGED_SUMMARY"),
            Self::ProgressKeyMismatch => Code::new("PROGRESS_KEY_MISMATCH"),
            Self::MissingOrWrongRepresentedHash => Code::new("MISSING_OR_WRONG_REPRESENTED_HASH"),
            Self::UnexpectedRepresentedHash => Code::new("UNEXPECTED_REPRESENTED_HASH"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Failed(failure) => failure.details(),
            Self::CoverageBeyondRange { covered, given } => {
                Details::none().with("covered", *covered).with("given", *given)
            }
            Self::CoverageSplitsRound { covered } => Details::none().with("covered", *covered),
            Self::ZeroCoverageWithoutExhaustion
            | Self::ZeroCoverageChangedSummary
            | Self::ProgressKeyMismatch
            | Self::MissingOrWrongRepresentedHash
            | Self::UnexpectedRepresentedHash => Details::none(),
        }
    }
}

impl Coded for BuildFault {
    fn code(&self) -> Code {
        match self {
            Self::Projection(error) => error.code(),
            Self::NegativeCount => Code::new("NEGATIVE_COUNT"),
            Self::Turn(error) => error.code(),
            Self::Checkpoint(error) => error.code(),
            Self::Compaction(fault) => fault.code(),
            Self::SizeBounds { .. } => Code::new("SIZE_BOUNDS"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Projection(error) => error.details(),
            Self::NegativeCount => Details::none(),
            Self::Turn(error) => error.details(),
            Self::Checkpoint(error) => error.details(),
            Self::Compaction(fault) => fault.details(),
            Self::SizeBounds { passes, max_passes, stop, context_input_tokens, context_window_tokens } => {
                Details::none()
                    .with("passes", *passes)
                    .with("max_passes", *max_passes)
                    .with("stop", stop.as_str())
                    .with("context_input_tokens", *context_input_tokens)
                    .with("context_window_tokens", *context_window_tokens)
            }
        }
    }
}
