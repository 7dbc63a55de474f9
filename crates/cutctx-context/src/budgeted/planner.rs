//! Who plans.

use alloc::boxed::Box;
use alloc::sync::Arc;

use cutctx_invariants::CompactionPolicy;
use cutctx_messages::MessageEstimator;
use cutctx_policies::{
    BoxedPolicy, DEFAULT_PROMPT_ID, FailedResultsPolicy, OpaqueReasoningPolicy, PolicyChain, Recommended,
    RepeatedResultsPolicy, RollingSummaryPolicy, StaleReadsPolicy,
};
use cutctx_types::{InvalidValue, TokenEstimator};

use super::estimating::TextEstimates;
use super::settings::BudgetedContextSettings;

/// Who plans.
#[derive(Clone)]
pub(super) enum Planner {
    /// [`recommended()`](cutctx_policies::recommended).
    Recommended,
    /// What costs nearly nothing, then one summary of the oldest.
    RollingSummary,
    /// Somebody else.
    Given(Arc<dyn CompactionPolicy + Send + Sync>),
}

/// A summary of fewer turns saves little.
const LEAST_TURNS: u64 = 2;

impl Planner {
    /// The policy over turns, which counts with this estimator.
    pub(super) fn policy(
        &self,
        settings: &BudgetedContextSettings,
        estimator: &Arc<dyn MessageEstimator>,
    ) -> Arc<dyn CompactionPolicy + Send + Sync> {
        let texts: Arc<dyn TokenEstimator> = Arc::new(TextEstimates::of(estimator));
        let recommended = || Recommended::new().with_estimator(Arc::clone(&texts)).build();
        match self {
            Self::Given(policy) => Arc::clone(policy),
            Self::Recommended => Arc::new(recommended()),
            Self::RollingSummary => match rolling_summary(settings.summary_tokens, &texts) {
                Ok(chain) => Arc::new(chain),
                // Settings that were checked are refused by none of them.
                Err(_) => Arc::new(recommended()),
            },
        }
    }
}

/// The chain ends with the summary. Where that does not bring the context down far enough, a policy behind it would take
/// away what the summary is to stand for, before it is written.
fn rolling_summary(tokens: u64, texts: &Arc<dyn TokenEstimator>) -> Result<PolicyChain, InvalidValue> {
    let summary = RollingSummaryPolicy::new(DEFAULT_PROMPT_ID)?
        .with_summary_tokens(tokens)?
        .with_min_span_turns(LEAST_TURNS)?;
    let members: [BoxedPolicy; 5] = [
        Box::new(OpaqueReasoningPolicy::new().with_estimator(Arc::clone(texts))),
        Box::new(RepeatedResultsPolicy::new().with_estimator(Arc::clone(texts))),
        Box::new(StaleReadsPolicy::new().with_estimator(Arc::clone(texts))),
        Box::new(FailedResultsPolicy::new().with_estimator(Arc::clone(texts))),
        Box::new(summary),
    ];
    PolicyChain::new(members.into())
}
