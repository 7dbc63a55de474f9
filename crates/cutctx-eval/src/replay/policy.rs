//! Contenders as policies of a loop.

use crate::baseline::RandomKeepPolicy;
use crate::contender::{Ready, SharedPolicy};
use alloc::borrow::Cow;
use cutctx::invariants::LockedCosts;
use cutctx::policies::BoxedPolicy;
use cutctx::{BudgetUnsatisfiable, CompactionPolicy, PlanDraft, PolicyError, Survey};

/// The policy for a loop; none for the oracle. Chance has one seed.
pub(super) fn policy_of(contender: Ready) -> Option<BoxedPolicy> {
    match contender {
        Ready::Random => Some(Box::new(RandomKeepPolicy::new(0))),
        Ready::Oracle => None,
        Ready::Built(policy) => Some(policy),
        Ready::Shared(policy) => Some(Box::new(Shared(policy))),
    }
}

/// A policy that several own.
struct Shared(SharedPolicy);

impl CompactionPolicy for Shared {
    fn name(&self) -> Cow<'_, str> {
        self.0.name()
    }

    fn version(&self) -> &str {
        self.0.version()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        self.0.propose(survey)
    }

    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        self.0.lower_locked(survey, costs);
    }

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        self.0.admit(survey)
    }
}
