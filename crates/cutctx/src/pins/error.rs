//! Why a pin cannot be honoured.

use alloc::sync::Arc;
use cutctx_types::{Code, Coded, Details, TranscriptError};

/// Why a text is no pin, or a pin finds no turn. It names ids and kinds of pins, never text of a turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// The text is no pin.
    #[error("`{kind}` {fault}")]
    Syntax {
        /// The kind of pin that was meant.
        kind: &'static str,
        /// What is wrong with it, to follow the kind in a sentence.
        fault: &'static str,
    },
    /// The pattern is no regular expression, or one that takes too much memory.
    #[error("the pattern of `regex` cannot be used: {reason}")]
    Pattern {
        /// What the reader of patterns says.
        reason: String,
    },
    /// No turn has this id, and no id begins so; or the beginning is shorter than eight characters.
    #[error("there is no turn `{turn_id}` to pin")]
    NoSuchTurn {
        /// The id, or what was to be the beginning of one.
        turn_id: Arc<str>,
    },
    /// Several ids begin so.
    #[error("the ids of {turns} turns begin with `{beginning}`")]
    Ambiguous {
        /// What was to be the beginning of one id.
        beginning: Arc<str>,
        /// How many turns it could mean.
        turns: usize,
    },
    /// The turns with their pins are no transcript. It does not happen: pins change neither ids nor totals.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl Coded for PinError {
    fn code(&self) -> Code {
        match self {
            Self::Syntax { .. } | Self::Pattern { .. } => Code::new("PIN_SYNTAX"),
            Self::NoSuchTurn { .. } => Code::new("PIN_NO_SUCH_TURN"),
            Self::Ambiguous { .. } => Code::new("PIN_AMBIGUOUS"),
            Self::Transcript(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Syntax { kind, .. } => Details::none().with("kind", *kind),
            Self::Pattern { .. } => Details::none().with("kind", "regex"),
            Self::NoSuchTurn { turn_id } => Details::none().with("turn_id", Arc::clone(turn_id)),
            Self::Ambiguous { beginning, turns } => {
                Details::none().with("turn_id", Arc::clone(beginning)).with("turns", *turns)
            }
            Self::Transcript(error) => error.details(),
        }
    }
}
