//! What a plan does with a turn.

use crate::code::{Code, Coded, Details};
use crate::trim::Trim;
use alloc::sync::Arc;
use core::fmt;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// What a masked turn says instead, and what that costs.
///
/// A stub should hold a digest or a count, never an excerpt; but a draft written by hand may hold any
/// text, and so `Debug` prints its length alone.
///
/// ```
/// use cutctx_types::TurnReplacement;
/// let stub = TurnReplacement::new("[cut]", 2);
/// assert_eq!(format!("{stub:?}"), "TurnReplacement { content_bytes: 5, token_estimate: 2, .. }");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TurnReplacement {
    /// The text that stands in for the turn's content.
    pub content: Arc<str>,
    /// Its estimate in tokens.
    pub token_estimate: u64,
}

impl TurnReplacement {
    /// A replacement text and its estimate in tokens.
    #[must_use]
    pub fn new(content: impl Into<Arc<str>>, token_estimate: u64) -> Self {
        Self { content: content.into(), token_estimate }
    }
}

impl fmt::Debug for TurnReplacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnReplacement")
            .field("content_bytes", &self.content.len())
            .field("token_estimate", &self.token_estimate)
            .finish_non_exhaustive()
    }
}

/// What a plan does with one turn, with the data that this needs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "every turn has exactly one fate, and executors and formats must render each of them"
)]
pub enum Action {
    /// The turn stays as it is.
    Keep,
    /// The turn stays, saying something shorter.
    Mask(TurnReplacement),
    /// The turn is replaced, together with the others of its group, by one summary.
    Summarize {
        /// The group's id; the empty string is an id like any other.
        group: Arc<str>,
    },
    /// The turn goes.
    Drop,
    /// The turn stays with less of its parts.
    Trim(Trim),
}

impl Action {
    /// The action without its data.
    #[must_use]
    pub const fn kind(&self) -> ActionKind {
        match self {
            Self::Keep => ActionKind::Keep,
            Self::Mask(_) => ActionKind::Mask,
            Self::Summarize { .. } => ActionKind::Summarize,
            Self::Drop => ActionKind::Drop,
            Self::Trim(_) => ActionKind::Trim,
        }
    }

    /// Whether the turn leaves the transcript, dropped or folded into a summary.
    #[must_use]
    pub const fn removes(&self) -> bool {
        matches!(self, Self::Drop | Self::Summarize { .. })
    }

    /// The summary group, if there is one.
    #[must_use]
    pub const fn group(&self) -> Option<&Arc<str>> {
        match self {
            Self::Summarize { group } => Some(group),
            Self::Keep | Self::Mask(_) | Self::Drop | Self::Trim(_) => None,
        }
    }

    const fn replacement(&self) -> Option<&TurnReplacement> {
        match self {
            Self::Mask(replacement) => Some(replacement),
            Self::Keep | Self::Summarize { .. } | Self::Drop | Self::Trim(_) => None,
        }
    }
}

/// The name of an action; the lower-case name is its serialized form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "it mirrors `Action`, which is closed")]
pub enum ActionKind {
    /// See [`Action::Keep`].
    Keep,
    /// See [`Action::Mask`].
    Mask,
    /// See [`Action::Summarize`].
    Summarize,
    /// See [`Action::Drop`].
    Drop,
    /// See [`Action::Trim`].
    Trim,
}

impl ActionKind {
    /// The serialized name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Mask => "mask",
            Self::Summarize => "summarize",
            Self::Drop => "drop",
            Self::Trim => "trim",
        }
    }
}

impl fmt::Display for ActionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a plan does with the turn of this id.
///
/// Its JSON is flat and padded with nulls: `action`, `replacement`, `summary_group`, `turn_id`, and
/// `trim` on a trim alone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnAction {
    /// The turn.
    pub turn_id: Arc<str>,
    /// What happens to it.
    pub action: Action,
}

impl TurnAction {
    /// This action for the turn of this id.
    #[must_use]
    pub fn new(turn_id: impl Into<Arc<str>>, action: Action) -> Self {
        Self { turn_id: turn_id.into(), action }
    }
}

impl Serialize for TurnAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let trim = match &self.action {
            Action::Trim(trim) => Some(trim),
            Action::Keep | Action::Mask(_) | Action::Summarize { .. } | Action::Drop => None,
        };
        let fields = if trim.is_some() { 5 } else { 4 };
        let mut object = serializer.serialize_struct("TurnAction", fields)?;
        object.serialize_field("action", self.action.kind().as_str())?;
        object.serialize_field("replacement", &self.action.replacement())?;
        object.serialize_field("summary_group", &self.action.group())?;
        if let Some(trim) = trim {
            object.serialize_field("trim", trim)?;
        }
        object.serialize_field("turn_id", &self.turn_id)?;
        object.end()
    }
}

/// Why the flat form of an action makes no action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// A summary group stands beside another action than `summarize`, or is missing there.
    #[error("turn `{turn_id}`: `summarize` and a summary group go together, but the action is `{action}`")]
    SummaryGroup {
        /// The turn.
        turn_id: Arc<str>,
        /// Its action.
        action: ActionKind,
    },
    /// A replacement stands beside another action than `mask`, or is missing there.
    #[error("turn `{turn_id}`: `mask` and a replacement go together, but the action is `{action}`")]
    Replacement {
        /// The turn.
        turn_id: Arc<str>,
        /// Its action.
        action: ActionKind,
    },
    /// A `trim` member stands beside another action than `trim`, or is missing there.
    #[error("turn `{turn_id}`: `trim` and its ranges go together, but the action is `{action}`")]
    Trim {
        /// The turn.
        turn_id: Arc<str>,
        /// Its action.
        action: ActionKind,
    },
    /// A replacement or a trim has a negative estimate.
    #[error("an estimate of {token_estimate} tokens is below zero")]
    NegativeTokens {
        /// The estimate as given, in tokens.
        token_estimate: i128,
    },
    /// A replacement or a trim has an estimate beyond 64 bits.
    #[error("an estimate is beyond 64 bits")]
    TokensOverflow,
}

impl Coded for ActionError {
    fn code(&self) -> Code {
        match self {
            Self::TokensOverflow => Code::TOKEN_OVERFLOW,
            Self::SummaryGroup { .. }
            | Self::Replacement { .. }
            | Self::Trim { .. }
            | Self::NegativeTokens { .. } => Code::VALIDATION_ERROR,
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::SummaryGroup { turn_id, action }
            | Self::Replacement { turn_id, action }
            | Self::Trim { turn_id, action } => {
                Details::none().with("turn_id", turn_id.clone()).with("action", action.as_str())
            }
            Self::NegativeTokens { token_estimate } => {
                Details::none().with("token_estimate", *token_estimate)
            }
            Self::TokensOverflow => Details::none(),
        }
    }
}
