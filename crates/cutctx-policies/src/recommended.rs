//! The policy that most applications want.

use crate::chain::{BoxedPolicy, PolicyChain};
use crate::cover::CoverPolicy;
use crate::drop_oldest::DropOldestPolicy;
use crate::exemptions::Exemptions;
use crate::failed_results::FailedResultsPolicy;
use crate::masking::Estimator;
use crate::proposal::{Proposal, in_name_of};
use crate::reasoning::OpaqueReasoningPolicy;
use crate::repeated_results::RepeatedResultsPolicy;
use crate::resurvey::resurveyed;
use crate::stale_reads::StaleReadsPolicy;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, LockedCosts, PolicyError, Survey};
use cutctx_types::{CompactionBudget, InvalidValue, PlanDraft, TokenEstimator};

/// The recommended policy with all settings at their defaults.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turn = |n: u64| TranscriptTurn::new(format!("t{n}"), Role::User, "a story", 100);
/// let transcript = Transcript::new((0..20).map(turn).collect::<Result<_, _>>()?)?;
/// let plan = cutctx_policies::recommended().decide(&transcript, &CompactionBudget::new(1_900))?;
/// assert!(plan.tokens_after_estimate() <= 1_900 / 2 + 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn recommended() -> RecommendedPolicy {
    Recommended::new().build()
}

/// How far down the recommended policy goes where the budget names no target.
///
/// In an agent's loop this decides what compaction costs: down to the limit itself, the next one is due at the next
/// step, and each of them has the prompt read anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum TargetShare {
    /// To seven tenths of the maximum: more is kept, and compaction is due more often.
    Careful,
    /// To half of the maximum. The default.
    #[default]
    Normal,
    /// To 35 % of the maximum: less is kept, and the loop is cheapest.
    Cheap,
}

impl TargetShare {
    /// The name in policy files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Careful => "careful",
            Self::Normal => "normal",
            Self::Cheap => "cheap",
        }
    }

    /// The share in percent.
    #[must_use]
    pub const fn percent(self) -> u64 {
        match self {
            Self::Careful => 70,
            Self::Normal => 50,
            Self::Cheap => 35,
        }
    }

    /// This share of a maximum, but no less than a quarter of the room above what cannot go: a target that is hardly
    /// above that would take everything else away for little.
    pub(crate) fn target(self, max_tokens: u64, floor: u64) -> u64 {
        let percent = |tokens: u64, percent: u64| {
            let share = u128::from(tokens).saturating_mul(u128::from(percent)) / 100;
            u64::try_from(share).unwrap_or(u64::MAX)
        };
        let least = floor.saturating_add(percent(max_tokens.saturating_sub(floor), 25));
        percent(max_tokens, self.percent()).max(least).min(max_tokens)
    }
}

impl FromStr for TargetShare {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let known = [Self::Careful, Self::Normal, Self::Cheap];
        known.into_iter().find(|share| share.as_str() == text).ok_or_else(|| InvalidValue::Setting {
            setting: "target",
            value: Some(String::from(text).into()),
            reason: "is unknown: the targets are careful, normal and cheap",
        })
    }
}

/// The settings of the recommended policy, to be changed before it is built.
///
/// ```
/// use cutctx_policies::{Recommended, TargetShare};
/// let mut settings = Recommended::new();
/// settings.target = TargetShare::Careful;
/// let policy = settings.build();
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Recommended {
    /// How far down it goes where the budget names no target; to half at first.
    pub target: TargetShare,
    /// Whether parts of turns are kept whole or not at all.
    pub whole_items: bool,
    /// What all its members leave alone.
    pub exemptions: Exemptions,
    estimator: Option<Estimator>,
}

impl Recommended {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The settings with this estimator for what is left of turns: the one that they were counted with, as a rule. Without
    /// one it is four characters a token.
    #[must_use]
    pub fn with_estimator(self, estimator: Arc<dyn TokenEstimator>) -> Self {
        self.measured_by(Estimator::Injected(estimator))
    }

    pub(crate) fn measured_by(mut self, estimator: Estimator) -> Self {
        self.estimator = Some(estimator);
        self
    }

    /// The policy.
    #[must_use]
    pub fn build(self) -> RecommendedPolicy {
        let estimator = self.estimator.unwrap_or(Estimator::Own);
        let exempt = self.exemptions;
        let cover = CoverPolicy::new().with_whole_items(self.whole_items).measured_by(estimator.clone());
        let drop_oldest = DropOldestPolicy::new().leaving(exempt.clone());
        let repeated = RepeatedResultsPolicy::new().measured_by(estimator.clone());
        let stale = StaleReadsPolicy::new().measured_by(estimator.clone());
        let failed = FailedResultsPolicy::new().measured_by(estimator.clone());
        let reasoning = OpaqueReasoningPolicy::new().measured_by(estimator);
        let members: [BoxedPolicy; 6] = [
            Box::new(reasoning.with_exemptions(exempt.clone())),
            Box::new(repeated.with_exemptions(exempt.clone())),
            Box::new(stale.with_exemptions(exempt.clone())),
            Box::new(failed.with_exemptions(exempt.clone())),
            Box::new(cover.with_exemptions(exempt)),
            Box::new(drop_oldest),
        ];
        RecommendedPolicy { chain: PolicyChain::of(members.into()), target: self.target }
    }
}

/// The policy that most applications want: it keeps what is worth most, and needs no model.
///
/// Opaque reasoning of finished steps goes first; then what is there twice, what was read again and what failed, which
/// costs next to nothing. Where that is not enough, [`CoverPolicy`] chooses what to keep, and at the very last the oldest
/// exchanges are dropped. It stops as soon as the goal is reached.
///
/// The goal is the budget's target. Where it names none, a transcript above the maximum is brought down to a share of it
/// ([`TargetShare`], half of it unless told otherwise), so that the next compaction is a while away; a budget whose target
/// is its maximum goes no further down than it must.
pub struct RecommendedPolicy {
    chain: PolicyChain,
    target: TargetShare,
}

impl RecommendedPolicy {
    /// The budget with the target that it goes down to.
    fn budget(&self, survey: &Survey<'_>) -> CompactionBudget {
        let budget = *survey.budget();
        let target = self.target.target(budget.max_tokens(), survey.floor().total());
        budget.with_target(target).unwrap_or(budget)
    }
}

impl CompactionPolicy for RecommendedPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("recommended")
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        if survey.goal().is_none() {
            return Ok(Proposal::keeping(survey).into_draft(self));
        }
        let draft = if survey.budget().target_tokens().is_some() {
            self.chain.propose(survey)?
        } else {
            self.chain.propose(&resurveyed(survey, survey.transcript(), &self.budget(survey))?)?
        };
        Ok(in_name_of(self, draft))
    }

    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        self.chain.lower_locked(survey, costs);
    }

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        self.chain.admit(survey)
    }
}

impl fmt::Debug for RecommendedPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecommendedPolicy").field("target", &self.target).field("chain", &self.chain).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_a_share_but_leaves_some_room_above_the_floor() {
        assert_eq!(TargetShare::Normal.target(1_000, 100), 500);
        assert_eq!(TargetShare::Cheap.target(1_000, 100), 350);
        assert_eq!(TargetShare::Normal.target(1_000, 800), 850);
        assert_eq!(TargetShare::Careful.target(1_000, 2_000), 1_000);
        assert_eq!(TargetShare::Careful.target(u64::MAX, 0), u64::MAX / 10 * 7 + 3);
    }

    #[test]
    fn targets_have_names() {
        for share in [TargetShare::Careful, TargetShare::Normal, TargetShare::Cheap] {
            assert_eq!(share.as_str().parse(), Ok(share));
        }
        assert!("1.0".parse::<TargetShare>().is_err());
    }
}
