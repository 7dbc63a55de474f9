//! Who plans.

use alloc::boxed::Box;
use alloc::sync::Arc;

use cutctx_invariants::CompactionPolicy;
use cutctx_messages::MessageEstimator;
use cutctx_policies::{
    BoxedPolicy, ClipActivePolicy, DEFAULT_PROMPT_ID, FailedResultsPolicy, FrozenHeadPolicy,
    OpaqueReasoningPolicy, PolicyChain, Recommended, RecommendedPolicy, RepeatedResultsPolicy,
    RollingSummaryPolicy, StaleReadsPolicy,
};
use cutctx_types::{InvalidValue, TokenEstimator};

use super::estimating::TextEstimates;
use super::settings::BudgetedContextSettings;

/// Who plans.
#[derive(Clone)]
pub(super) enum Planner {
    /// [`recommended()`](cutctx_policies::recommended), at two of three compactions with the beginning left alone.
    Recommended,
    /// What costs nearly nothing, then one summary of the oldest.
    RollingSummary,
    /// Somebody else.
    Given(Arc<dyn CompactionPolicy + Send + Sync>),
}

/// A summary of fewer turns saves little.
const LEAST_TURNS: u64 = 2;

/// Who plans from one compaction to the next.
#[derive(Clone)]
pub(super) enum LoopPlanner {
    /// The same policy each time.
    Same(Arc<dyn CompactionPolicy + Send + Sync>),
    /// One that mostly leaves the beginning alone, for the provider's cache.
    Freezing(Arc<FrozenHeadPolicy>),
}

impl LoopPlanner {
    /// The policy, by how many compactions there were before.
    pub(super) fn at_compaction(&self, before: u64) -> &(dyn CompactionPolicy + Send + Sync) {
        match self {
            Self::Same(policy) => policy.as_ref(),
            Self::Freezing(policy) => policy.at_compaction(before),
        }
    }
}

impl Planner {
    /// Who plans from one compaction to the next. What another policy decides is not tampered with, and a summary that
    /// rolls changes the beginning each time.
    pub(super) fn in_a_loop(
        &self,
        settings: &BudgetedContextSettings,
        estimator: &Arc<dyn MessageEstimator>,
    ) -> LoopPlanner {
        match self {
            Self::Recommended => {
                let recommended = Box::new(recommended(estimator));
                LoopPlanner::Freezing(Arc::new(FrozenHeadPolicy::new(recommended)))
            }
            Self::RollingSummary | Self::Given(_) => LoopPlanner::Same(self.policy(settings, estimator)),
        }
    }

    /// The policy over turns, which counts with this estimator.
    pub(super) fn policy(
        &self,
        settings: &BudgetedContextSettings,
        estimator: &Arc<dyn MessageEstimator>,
    ) -> Arc<dyn CompactionPolicy + Send + Sync> {
        match self {
            Self::Given(policy) => Arc::clone(policy),
            Self::Recommended => Arc::new(recommended(estimator)),
            Self::RollingSummary => match rolling_summary(settings.summary_tokens, &texts(estimator)) {
                Ok(chain) => Arc::new(chain),
                // Settings that were checked are refused by none of them.
                Err(_) => Arc::new(recommended(estimator)),
            },
        }
    }
}

/// Who plans where nothing else fits.
pub(super) fn last_resort(estimator: &Arc<dyn MessageEstimator>) -> ClipActivePolicy {
    ClipActivePolicy::new(Box::new(recommended(estimator))).with_estimator(texts(estimator))
}

fn texts(estimator: &Arc<dyn MessageEstimator>) -> Arc<dyn TokenEstimator> {
    Arc::new(TextEstimates::of_stubs(estimator))
}

fn recommended(estimator: &Arc<dyn MessageEstimator>) -> RecommendedPolicy {
    Recommended::new().with_estimator(texts(estimator)).build()
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
