//! Why a plan cannot be applied.

use crate::mismatch::Mismatch;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{Code, Coded, Details, SummarizationRequest};

/// How many turns of a request an error names.
const MOST_IDS: usize = 10;

/// Why a plan cannot be applied to a transcript with these summaries.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The plan was made for another transcript.
    #[error("the plan was made for another transcript: {0}")]
    PlanTranscriptMismatch(Box<Mismatch>),
    /// A summary that the plan asks for was not supplied.
    #[error("the summary of group `{group_id}` is missing")]
    SummaryMissing {
        /// The group.
        group_id: Arc<str>,
        /// The first ten turns that the summary stands for, in transcript order.
        turn_ids: Vec<Arc<str>>,
        /// How long it may be, in tokens.
        target_tokens: u64,
        /// The prompt that it is to be made with.
        prompt_id: Arc<str>,
    },
    /// The summaries, as measured, are together no smaller than what they stand for.
    #[error("the summaries take {tokens_after} tokens, and what they stand for {tokens_before}")]
    NotSmaller {
        /// Tokens of the turns that they stand for.
        tokens_before: u64,
        /// Tokens of the summaries.
        tokens_after: u64,
    },
    /// The turns of the view add up to more tokens than 64 bits hold.
    #[error("the estimates of the view's {turns} turns add up to more than 64 bits hold")]
    TokenOverflow {
        /// How many turns the view has.
        turns: usize,
    },
}

impl ApplyError {
    pub(crate) fn summary_missing(request: &SummarizationRequest) -> Self {
        Self::SummaryMissing {
            group_id: request.group_id().clone(),
            turn_ids: request.turn_ids().iter().take(MOST_IDS).cloned().collect(),
            target_tokens: request.target_tokens(),
            prompt_id: request.prompt_id().clone(),
        }
    }
}

impl Coded for ApplyError {
    fn code(&self) -> Code {
        match self {
            Self::PlanTranscriptMismatch(_) => Code::PLAN_MISMATCH,
            Self::SummaryMissing { .. } => Code::SUMMARY_MISSING,
            Self::NotSmaller { .. } => Code::new("COMPACTION_NOT_SMALLER"),
            Self::TokenOverflow { .. } => Code::TOKEN_OVERFLOW,
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::PlanTranscriptMismatch(mismatch) => mismatch.details(),
            Self::SummaryMissing { group_id, turn_ids, target_tokens, prompt_id } => Details::none()
                .with("group_id", group_id.clone())
                .with("turn_ids", turn_ids.clone())
                .with("target_tokens", *target_tokens)
                .with("prompt_id", prompt_id.clone()),
            Self::NotSmaller { tokens_before, tokens_after } => {
                Details::none().with("tokens_before", *tokens_before).with("tokens_after", *tokens_after)
            }
            Self::TokenOverflow { turns } => Details::none().with("turns", *turns),
        }
    }
}
