//! Policies that make turns shorter, one at a time and each for itself.

use crate::exemptions::Exemptions;
use crate::masking::Estimator;
use crate::proposal::Proposal;
use alloc::boxed::Box;
use cutctx_invariants::{CompactionPolicy, LockedCosts, PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, TranscriptTurn};

/// What all of these policies are told: what measures texts, and what to leave alone.
#[derive(Debug, Clone)]
pub(crate) struct Common {
    pub(crate) estimator: Estimator,
    pub(crate) exemptions: Exemptions,
}

impl Common {
    /// Four characters a token, and nothing is exempt.
    pub(crate) const fn new() -> Self {
        Self { estimator: Estimator::Own, exemptions: Exemptions::none() }
    }
}

/// Says what becomes of the turn at a position, if anything: asked about each position once, in order.
pub(crate) type Shorten<'s> = Box<dyn FnMut(usize) -> Result<Option<Action>, InvalidValue> + 's>;

/// A policy that makes turns shorter, one at a time and each for itself.
pub(crate) trait Shortening: CompactionPolicy {
    /// What it is told like all others of its kind.
    fn common(&self) -> &Common;

    /// Reads the transcript once. Only turns that may be touched are then asked about.
    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s>;
}

/// Shortens turns, oldest first, until the goal is reached; what saves nothing is left out.
pub(crate) fn propose<P: Shortening>(policy: &P, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
    let mut proposal = Proposal::keeping(survey);
    let Some(goal) = survey.goal() else { return Ok(proposal.into_draft(policy)) };
    let mut running = survey.transcript().token_estimate();
    let mut shorten = policy.prepare(survey);
    let mut ratio = None;
    for (position, turn) in survey.turns().iter().enumerate() {
        if running <= goal {
            break;
        }
        if !may_touch(policy, survey, position, turn) {
            continue;
        }
        let Some(action) = shorten(position)? else { continue };
        let Some(saved @ 1..) = cost_of(&action).and_then(|cost| turn.token_estimate().checked_sub(cost))
        else {
            continue;
        };
        running = running.saturating_sub(saved);
        ratio = policy.common().estimator.ratio();
        proposal.set(position, action);
    }
    Ok(proposal.into_draft(policy).with_estimator_ratio(ratio))
}

/// Locked turns cost what this policy would make of them.
pub(crate) fn lower_locked<P: Shortening>(policy: &P, survey: &Survey<'_>, costs: &mut LockedCosts) {
    if survey.goal().is_none() || costs.iter().next().is_none() {
        return;
    }
    let mut shorten = policy.prepare(survey);
    costs.lower(|position| {
        let turn = survey.turns().get(position)?;
        let may_touch = may_touch(policy, survey, position, turn);
        cost_of(&may_touch.then(|| shorten(position).ok().flatten()).flatten()?)
    });
}

fn may_touch<P: Shortening>(policy: &P, survey: &Survey<'_>, position: usize, turn: &TranscriptTurn) -> bool {
    !survey.is_untouchable(position)
        && !survey.is_stand_in(position)
        && !policy.common().exemptions.cover(turn)
}

/// What a turn then costs, in tokens.
const fn cost_of(action: &Action) -> Option<u64> {
    match action {
        Action::Mask(stub) => Some(stub.token_estimate),
        Action::Trim(trim) => Some(trim.token_estimate),
        Action::Drop => Some(0),
        Action::Keep | Action::Summarize { .. } => None,
    }
}

/// Makes a type with a field `common` a policy: its name in plans, and what it does.
macro_rules! shortening_policy {
    ($policy:ty, $name:literal, $prepare:expr) => {
        impl $policy {
            /// The policy measuring with this estimator what it leaves: the one that the turns were counted with,
            /// as a rule.
            #[must_use]
            pub fn with_estimator(
                self,
                estimator: alloc::sync::Arc<dyn cutctx_types::TokenEstimator>,
            ) -> Self {
                self.measured_by($crate::masking::Estimator::Injected(estimator))
            }

            /// The policy leaving some turns alone.
            #[must_use]
            pub fn with_exemptions(mut self, exemptions: $crate::exemptions::Exemptions) -> Self {
                self.common.exemptions = exemptions;
                self
            }

            pub(crate) fn measured_by(mut self, estimator: $crate::masking::Estimator) -> Self {
                self.common.estimator = estimator;
                self
            }
        }

        impl Default for $policy {
            fn default() -> Self {
                Self::new()
            }
        }

        impl $crate::shortening::Shortening for $policy {
            fn common(&self) -> &$crate::shortening::Common {
                &self.common
            }

            fn prepare<'s>(
                &'s self,
                survey: &'s cutctx_invariants::Survey<'_>,
            ) -> $crate::shortening::Shorten<'s> {
                $prepare(self, survey)
            }
        }

        impl cutctx_invariants::CompactionPolicy for $policy {
            fn name(&self) -> alloc::borrow::Cow<'_, str> {
                alloc::borrow::Cow::Borrowed($name)
            }

            fn version(&self) -> &str {
                $crate::version::PolicyVersion::V2.as_str()
            }

            fn propose(
                &self,
                survey: &cutctx_invariants::Survey<'_>,
            ) -> Result<cutctx_types::PlanDraft, cutctx_invariants::PolicyError> {
                $crate::shortening::propose(self, survey)
            }

            fn lower_locked(
                &self,
                survey: &cutctx_invariants::Survey<'_>,
                costs: &mut cutctx_invariants::LockedCosts,
            ) {
                $crate::shortening::lower_locked(self, survey, costs);
            }
        }
    };
}

pub(crate) use shortening_policy;
