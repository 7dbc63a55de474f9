//! Why a model gave no summary.

use alloc::borrow::Cow;

use cutctx_context::{CompactionFailure, ModelFailure, ModelFailureKind};
use cutctx_messages::DurableObject;
use cutctx_types::{Code, Coded};

use crate::error::{ConnectionFault, ModelError};

/// Why a model gave no summary.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    /// It called a tool.
    CalledTool,
    /// It said nothing.
    Blank,
    /// What it said cannot be kept.
    BadText,
    /// The call failed.
    Model(ModelFailure),
    /// No more calls are allowed.
    CallsUsedUp { limit: u32 },
    /// As many calls as there would have to be are not allowed.
    TooManyCalls { least: u64, limit: u32 },
    /// The instructions leave no room for anything else.
    NoRoom { what: &'static str },
    /// Merging does not make it shorter.
    NotConverging,
    /// The messages cannot be compacted at all.
    Nothing,
    /// No model is set, and the session names none of this provider.
    ModelUnknown,
}

impl Fault {
    pub(super) fn into_failure(self, payloads: Vec<DurableObject>) -> CompactionFailure {
        CompactionFailure::new(self.code(), self.reason()).with_model_payloads(payloads)
    }

    fn code(&self) -> Code {
        match self {
            Self::CalledTool => ModelError::CalledTool.code(),
            Self::Blank | Self::BadText => Code::new("COMPACTION_SUMMARY_UNUSABLE"),
            Self::Model(failure) => sort_of(failure.kind).code(),
            Self::CallsUsedUp { .. } | Self::TooManyCalls { .. } => Code::new("COMPACTION_CALLS_LIMIT"),
            Self::NoRoom { .. } => Code::new("COMPACTION_NO_ROOM"),
            Self::NotConverging => Code::new("COMPACTION_NOT_CONVERGING"),
            Self::Nothing => Code::new("COMPACTION_NOTHING"),
            Self::ModelUnknown => Code::new("COMPACTION_MODEL_UNKNOWN"),
        }
    }

    fn reason(&self) -> Cow<'static, str> {
        match self {
            Self::CalledTool => "the model called a tool".into(),
            Self::Blank => "the summary is blank".into(),
            Self::BadText => "the summary holds the null character".into(),
            Self::Model(failure) => match failure.status {
                Some(status) => format!("{} (status {status})", failure.kind.as_str()).into(),
                None => failure.kind.as_str().into(),
            },
            Self::CallsUsedUp { limit } => format!("all {limit} calls are used up").into(),
            Self::TooManyCalls { least, limit } => {
                format!("it would take {least} calls or more, and {limit} are allowed").into()
            }
            Self::NoRoom { what } => format!("the instructions leave no room for {what}").into(),
            Self::NotConverging => "merging summaries does not make them shorter".into(),
            Self::Nothing => "there are no messages that can be compacted".into(),
            Self::ModelUnknown => "no model is set, and the session names none of this provider".into(),
        }
    }
}

/// An error of the same sort as a failure, for its code.
#[expect(clippy::wildcard_enum_match_arm, reason = "a kind that is new is a provider that failed")]
const fn sort_of(kind: ModelFailureKind) -> ModelError {
    match kind {
        ModelFailureKind::ContextOverflow => ModelError::Overflow,
        ModelFailureKind::RateLimited => ModelError::RateLimited { retry_after: None },
        ModelFailureKind::Connection => ModelError::Connection { fault: ConnectionFault::Broken },
        ModelFailureKind::Unfinished | ModelFailureKind::Malformed => ModelError::Incomplete { reason: "" },
        ModelFailureKind::Refused => ModelError::Refused { status: 0, reason: None },
        _ => ModelError::Server { status: 0 },
    }
}
