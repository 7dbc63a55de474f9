//! Why a stored plan cannot be used.

use crate::floor::BudgetUnsatisfiable;
use crate::rejected::Rejected;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{BudgetError, Code, Coded, Details, InvalidValue, TranscriptError};

/// Why a stored plan cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not in the form of a record or a plan.
    #[error("the stored plan is unreadable at line {line}, column {column}: {fault}")]
    Unreadable {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1; 0 where the reader knows none.
        column: usize,
        /// What kind of fault it is. The reader's own sentence is left out: it may quote the text.
        fault: &'static str,
    },
    /// It is a record of another version.
    #[error("the stored plan has record version {record_version}, which this build does not know")]
    Version {
        /// The version found.
        record_version: u64,
    },
    /// Its budget is none.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// One of its values is refused.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
    /// The planned part of the transcript is refused.
    #[error(transparent)]
    Turns(#[from] TranscriptError),
    /// The transcript has fewer turns than were planned over.
    #[error("the plan was made over {recorded} turns, the transcript has {turns}")]
    Shorter {
        /// How many turns were planned over.
        recorded: usize,
        /// How many there are.
        turns: usize,
    },
    /// The transcript is not the one that was planned over.
    #[error("the plan was made for another transcript")]
    Transcript {
        /// The digest in the record.
        recorded: String,
        /// The digest of the transcript at hand.
        derived: String,
    },
    /// Turns that the record pins are not among those that were planned over.
    #[error("the plan pins turns that the transcript does not have")]
    UnknownPins {
        /// Their ids: the first ten, sorted.
        turn_ids: Vec<Arc<str>>,
    },
    /// The hash does not belong to the plan.
    #[error("the stored plan does not have the hash that its record names")]
    Hash {
        /// The hash in the record.
        recorded: String,
        /// The hash of the plan in the record.
        derived: String,
    },
    /// The budget is below the floor.
    #[error(transparent)]
    Unsatisfiable(#[from] BudgetUnsatisfiable),
    /// The rules reject the plan.
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

impl RecordError {
    pub(super) fn unreadable(error: &serde_json::Error) -> Self {
        let fault = match error.classify() {
            serde_json::error::Category::Data => "not in the form of a stored plan",
            serde_json::error::Category::Eof => "ends too early",
            serde_json::error::Category::Io | serde_json::error::Category::Syntax => "not JSON",
        };
        Self::Unreadable { line: error.line(), column: error.column(), fault }
    }
}

impl Coded for RecordError {
    fn code(&self) -> Code {
        match self {
            Self::Unreadable { .. } => Code::new("RECORD_UNREADABLE"),
            Self::Version { .. } => Code::new("RECORD_VERSION"),
            Self::Budget(error) => error.code(),
            Self::Invalid(error) => error.code(),
            Self::Turns(error) => error.code(),
            Self::Shorter { .. } | Self::Transcript { .. } | Self::UnknownPins { .. } => Code::PLAN_MISMATCH,
            Self::Hash { .. } => Code::new("RECORD_HASH"),
            Self::Unsatisfiable(error) => error.code(),
            Self::Rejected(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Unreadable { line, column, fault } => {
                Details::none().with("line", *line).with("column", *column).with("fault", *fault)
            }
            Self::Version { record_version } => Details::none().with("record_version", *record_version),
            Self::Budget(error) => error.details(),
            Self::Invalid(error) => error.details(),
            Self::Turns(error) => error.details(),
            Self::Shorter { recorded, turns } => {
                Details::none().with("recorded", *recorded).with("turns", *turns)
            }
            Self::UnknownPins { turn_ids } => Details::none().with("unknown_turn_ids", turn_ids.clone()),
            Self::Transcript { recorded, derived } | Self::Hash { recorded, derived } => {
                Details::none().with("recorded", recorded.clone()).with("derived", derived.clone())
            }
            Self::Unsatisfiable(error) => error.details(),
            Self::Rejected(error) => error.details(),
        }
    }
}
