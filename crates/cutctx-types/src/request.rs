//! What a plan asks the application to have summarized.

use crate::classes::all_distinct;
use crate::code::{Code, Coded, Details};
use crate::role::Role;
use crate::turn::TranscriptTurn;
use crate::wire::WireRequest;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// What the id of a summary turn begins with; the group's id follows.
pub const SUMMARY_PREFIX: &str = "summary:";

/// A request for one summary: which turns it replaces, how long it may be, which prompt to use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WireRequest")]
pub struct SummarizationRequest {
    group_id: Arc<str>,
    prompt_id: Arc<str>,
    target_tokens: u64,
    turn_ids: Vec<Arc<str>>,
}

impl SummarizationRequest {
    /// A request for the summary of these turns, in transcript order, of at most this many tokens.
    ///
    /// # Errors
    ///
    /// [`RequestError`] when an id or the prompt is empty, no turn is named, or one is named twice.
    pub fn new(
        group_id: impl Into<Arc<str>>,
        turn_ids: Vec<Arc<str>>,
        target_tokens: u64,
        prompt_id: impl Into<Arc<str>>,
    ) -> Result<Self, RequestError> {
        let (group_id, prompt_id) = (group_id.into(), prompt_id.into());
        if group_id.is_empty() {
            return Err(RequestError::EmptyGroupId);
        }
        if prompt_id.is_empty() {
            return Err(RequestError::EmptyPromptId { group_id });
        }
        if turn_ids.is_empty() {
            return Err(RequestError::NoTurns { group_id });
        }
        if !all_distinct(turn_ids.iter().map(AsRef::as_ref)) {
            return Err(RequestError::RepeatedTurn { group_id });
        }
        Ok(Self { group_id, prompt_id, target_tokens, turn_ids })
    }

    /// The group's id.
    #[must_use]
    pub const fn group_id(&self) -> &Arc<str> {
        &self.group_id
    }

    /// The turns to summarize, in transcript order.
    #[must_use]
    pub fn turn_ids(&self) -> &[Arc<str>] {
        &self.turn_ids
    }

    /// How long the summary may be, in tokens; the plan's figures count on it.
    #[must_use]
    pub const fn target_tokens(&self) -> u64 {
        self.target_tokens
    }

    /// The prompt that the application should use.
    #[must_use]
    pub const fn prompt_id(&self) -> &Arc<str> {
        &self.prompt_id
    }

    /// The id of the turn that will hold the summary.
    #[must_use]
    pub fn summary_turn_id(&self) -> String {
        format!("{SUMMARY_PREFIX}{}", self.group_id)
    }

    /// The turn that holds this text as the summary, at a cost in tokens.
    #[must_use]
    pub fn summary_turn(&self, text: impl Into<Arc<str>>, token_estimate: u64) -> TranscriptTurn {
        // The id begins with a prefix, so it is one.
        TranscriptTurn::of_id(self.summary_turn_id().into(), Role::Assistant, text.into(), token_estimate)
    }
}

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The group has no id.
    #[error("a summarization request has an empty group id")]
    EmptyGroupId,
    /// The prompt has no id.
    #[error("the request for group `{group_id}` has an empty prompt id")]
    EmptyPromptId {
        /// The group.
        group_id: Arc<str>,
    },
    /// The group covers no turns.
    #[error("the request for group `{group_id}` covers no turns")]
    NoTurns {
        /// The group.
        group_id: Arc<str>,
    },
    /// A turn is named twice.
    #[error("the request for group `{group_id}` names a turn twice")]
    RepeatedTurn {
        /// The group.
        group_id: Arc<str>,
    },
    /// The target is below zero.
    #[error("the request for group `{group_id}` has a target of {target_tokens} tokens")]
    NegativeTarget {
        /// The group.
        group_id: Arc<str>,
        /// The target as given, in tokens.
        target_tokens: i128,
    },
    /// The target does not fit 64 bits.
    #[error("the request for group `{group_id}` has a target beyond 64 bits")]
    TargetOverflow {
        /// The group.
        group_id: Arc<str>,
    },
}

impl Coded for RequestError {
    fn code(&self) -> Code {
        match self {
            Self::TargetOverflow { .. } => Code::TOKEN_OVERFLOW,
            Self::EmptyGroupId
            | Self::EmptyPromptId { .. }
            | Self::NoTurns { .. }
            | Self::RepeatedTurn { .. }
            | Self::NegativeTarget { .. } => Code::VALIDATION_ERROR,
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::EmptyGroupId => Details::none(),
            Self::EmptyPromptId { group_id }
            | Self::NoTurns { group_id }
            | Self::RepeatedTurn { group_id }
            | Self::TargetOverflow { group_id } => Details::none().with("group_id", group_id.clone()),
            Self::NegativeTarget { group_id, target_tokens } => {
                Details::none().with("group_id", group_id.clone()).with("target_tokens", *target_tokens)
            }
        }
    }
}
