//! Dropping exchanges by chance.

use super::{VERSION, contest, cost, draft};
use crate::generator::Generator;
use alloc::borrow::Cow;
use cutctx::{CompactionPolicy, PlanDraft, PolicyError, Survey};

/// Drops exchanges in an order of chance until the rest fits. A policy that is no better than this has no reason for what
/// it keeps.
///
/// It does not look for small exchanges to fill what is left: that would be a preference. The same seed gives the same
/// plan for the same transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RandomKeepPolicy {
    seed: u64,
}

impl RandomKeepPolicy {
    /// The policy with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl CompactionPolicy for RandomKeepPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("random_keep")
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let (mut removable, room) = contest(survey);
        Generator::new(self.seed).shuffle(&mut removable);
        let mut keeps = vec![true; survey.exchanges().len()];
        let costs: Vec<u64> = removable.iter().map(|exchange| cost(survey, *exchange)).collect();
        let mut total = costs.iter().fold(0_u64, |sum, cost| sum.saturating_add(*cost));
        for (exchange, cost) in removable.into_iter().zip(costs) {
            if total <= room {
                break;
            }
            total = total.saturating_sub(cost);
            if let Some(keep) = keeps.get_mut(exchange) {
                *keep = false;
            }
        }
        Ok(draft(self, survey, &keeps))
    }
}
