//! What a session is asked for when it is written.

use core::fmt;

use cutctx_exec::Fate;
use cutctx_messages::MessageEstimator;

use crate::session::SummaryText;
use crate::signed_reasoning::SignedReasoning;

/// How a session is to be written.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct RenderRequest<'r> {
    /// The fates, one a turn.
    pub fates: &'r [Fate<'r>],
    /// The texts of the summaries.
    pub summaries: &'r [SummaryText<'r>],
    /// Counts new texts where the format stores estimates.
    pub estimator: &'r dyn MessageEstimator,
    /// What becomes of signed reasoning behind the first change; `None` for what the format's provider asks for.
    pub signed_reasoning: Option<SignedReasoning>,
}

impl fmt::Debug for RenderRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderRequest")
            .field("turns", &self.fates.len())
            .field("summaries", &self.summaries.len())
            .field("signed_reasoning", &self.signed_reasoning)
            .finish_non_exhaustive()
    }
}

impl<'r> RenderRequest<'r> {
    /// A request for these fates, with new texts counted by this estimator.
    #[must_use]
    pub const fn new(fates: &'r [Fate<'r>], estimator: &'r dyn MessageEstimator) -> Self {
        Self { fates, summaries: &[], estimator, signed_reasoning: None }
    }

    /// With these summaries.
    #[must_use]
    pub const fn with_summaries(mut self, summaries: &'r [SummaryText<'r>]) -> Self {
        self.summaries = summaries;
        self
    }

    /// With this rule for signed reasoning.
    #[must_use]
    pub const fn with_signed_reasoning(mut self, rule: Option<SignedReasoning>) -> Self {
        self.signed_reasoning = rule;
        self
    }
}
