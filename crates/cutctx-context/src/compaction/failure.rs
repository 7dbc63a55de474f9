//! A compactor that gives no summary.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::DurableObject;
use cutctx_types::{Code, Coded, Details};

use super::result::CompactionResult;

/// A summary, or why there is none.
pub type CompactionOutcome = Result<CompactionResult, CompactionFailure>;

/// Why a compactor gave no summary, and what that cost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the compactor failed: {reason}")]
#[non_exhaustive]
pub struct CompactionFailure {
    code: Code,
    reason: Cow<'static, str>,
    /// What models reported for each attempt, the failed ones among them.
    pub model_completed_payloads: Vec<DurableObject>,
}

impl CompactionFailure {
    /// A failure of this code and reason. The reason must not show text of a message.
    #[must_use]
    pub fn new(code: Code, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { code, reason: reason.into(), model_completed_payloads: Vec::new() }
    }

    /// There are no messages to summarize.
    #[must_use]
    pub fn nothing_to_compact() -> Self {
        Self::new(Code::new("NOTHING_TO_COMPACT"), "there is nothing to summarize")
    }

    /// The summary is blank or holds U+0000.
    #[must_use]
    pub fn bad_summary() -> Self {
        Self::new(Code::new("BAD_SUMMARY"), "the summary is blank or holds the null character")
    }

    /// A model is needed, and nobody can ask one.
    #[must_use]
    pub fn model_needed() -> Self {
        Self::new(Code::new("MODEL_NEEDED"), "a model is needed")
    }

    /// With what models reported.
    #[must_use]
    pub fn with_model_payloads(mut self, payloads: Vec<DurableObject>) -> Self {
        self.model_completed_payloads = payloads;
        self
    }
}

impl Coded for CompactionFailure {
    fn code(&self) -> Code {
        self.code
    }

    fn details(&self) -> Details {
        Details::none().with("attempts", self.model_completed_payloads.len())
    }
}
