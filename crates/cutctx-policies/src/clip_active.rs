//! Clipping turns that must stay, where nothing else helps.

mod levels;

use crate::around::name_around;
use crate::chain::{BoxedPolicy, continued};
use crate::exemptions::Exemptions;
use crate::masking::Estimator;
use crate::proposal::{Proposal, in_name_of};
use crate::recommended::TargetShare;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use cutctx_invariants::{
    BudgetUnsatisfiable, CompactionPlan, CompactionPolicy, LockedCosts, PolicyError, Survey,
};
use cutctx_types::{CompactionBudget, PlanDraft, TokenEstimator, Transcript};
use levels::Clippable;

/// Has another policy decide, and where what must stay is above the budget cuts long texts of it first, to their
/// beginning and their end: of the protected turns at the end, and of turns that are pinned for their place alone.
///
/// It does so only where the budget permits it ([`CompactionBudget::with_clip_active`]) and cannot be met otherwise; in
/// all other cases the plan is that of the other policy. What tools answered and what they were called with is cut
/// first, the longest the most and none below 2,000 characters; what was said is cut where that is not enough. System
/// turns, and those that their owner pinned, stay whole.
///
/// What is clipped is left half of what the budget's target has beside what cannot go, or more where the other turns do
/// not need the other half. Where the budget has no target, it is half of the maximum.
///
/// It has its say as the outermost policy: within a chain nobody asks it whether the budget can be met.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::{ClipActivePolicy, recommended};
/// use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turns = vec![
///     TranscriptTurn::new("u", Role::User, "why does it fail?", 5)?,
///     TranscriptTurn::new("t", Role::Tool, "a line of a log\n".repeat(2_000), 8_000)?,
/// ];
/// let transcript = Transcript::new(turns)?;
/// let policy = ClipActivePolicy::new(Box::new(recommended()));
///
/// let budget = CompactionBudget::new(2_000);
/// assert!(policy.decide(&transcript, &budget).is_err());
/// let plan = policy.decide(&transcript, &budget.with_clip_active(true))?;
/// assert!(matches!(plan.actions()[1].action, Action::Trim(_)));
/// assert!(plan.tokens_after_estimate() <= 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`CompactionBudget::with_clip_active`]: cutctx_types::CompactionBudget::with_clip_active
pub struct ClipActivePolicy {
    name: String,
    inner: BoxedPolicy,
    estimator: Estimator,
    exemptions: Exemptions,
}

impl ClipActivePolicy {
    /// The policy around another one, measuring what it leaves at four characters a token.
    #[must_use]
    pub fn new(inner: BoxedPolicy) -> Self {
        let name = name_around("clip_active", inner.as_ref());
        Self { name, inner, estimator: Estimator::Own, exemptions: Exemptions::none() }
    }

    /// The policy measuring with this estimator what it leaves: the one that the turns were counted with, as a rule.
    #[must_use]
    pub fn with_estimator(self, estimator: Arc<dyn TokenEstimator>) -> Self {
        self.measured_by(Estimator::Injected(estimator))
    }

    /// The policy leaving some of these turns whole. What the other policy leaves alone is its own affair.
    #[must_use]
    pub fn with_exemptions(mut self, exemptions: Exemptions) -> Self {
        self.exemptions = exemptions;
        self
    }

    pub(crate) fn measured_by(mut self, estimator: Estimator) -> Self {
        self.estimator = estimator;
        self
    }

    fn clippable<'s>(&'s self, survey: &'s Survey<'_>) -> Clippable<'s> {
        Clippable::of(survey, &self.estimator, &self.exemptions)
    }

    /// Whether the budget lets turns be clipped, and the other policy cannot do without.
    fn must_clip(&self, survey: &Survey<'_>) -> bool {
        survey.budget().clip_active() && survey.goal().is_some() && self.inner.admit(survey).is_err()
    }

    /// What the other policy leaves the locked turns at, in tokens.
    fn locked(&self, survey: &Survey<'_>) -> LockedCosts {
        let mut locked = survey.locked_costs();
        self.inner.lower_locked(survey, &mut locked);
        locked
    }

    /// The refusal of a budget that is below what can be neither removed nor clipped, with what the rest costs at the
    /// least: a survey knows no policy and takes it for nothing.
    fn refusal(
        &self,
        transcript: &Transcript,
        budget: &CompactionBudget,
        refused: BudgetUnsatisfiable,
    ) -> BudgetUnsatisfiable {
        let enough = CompactionBudget::new(refused.floor.total())
            .with_protected_recent_turns(budget.protected_recent_turns())
            .with_clip_active(budget.clip_active());
        let admitted = Survey::new(transcript, &enough).and_then(|survey| self.admit(&survey));
        let mut told = admitted.err().unwrap_or(refused);
        told.max_tokens = budget.max_tokens();
        told
    }

    /// The plan that clips what must stay, where that makes room.
    fn clipped(&self, survey: &Survey<'_>) -> Result<Option<CompactionPlan>, PolicyError> {
        let clippable = self.clippable(survey);
        let room = room(survey, self.locked(survey).total(), clippable.least()?.total());
        let Some(cuts) = clippable.within(room)? else { return Ok(None) };
        let mut proposal = Proposal::keeping(survey);
        for (position, action) in cuts {
            proposal.set(position, action);
        }
        Ok(Some(CompactionPlan::check(proposal.into_draft(self), survey)?))
    }
}

/// What the turns that are clipped may take, in tokens: half of what is free beside what cannot go, and what the others
/// leave of the other half; but no less than they take at the least.
fn room(survey: &Survey<'_>, locked: u64, least: u64) -> u64 {
    let (floor, budget) = (survey.floor(), survey.budget());
    let whole = floor.untouchable().saturating_sub(survey.clippable_costs().total());
    let fixed = whole.saturating_add(locked);
    let most = budget.max_tokens().saturating_sub(fixed);
    let goal = budget.target_tokens();
    let goal = goal.unwrap_or_else(|| TargetShare::Normal.target(budget.max_tokens(), fixed));
    let free = goal.saturating_sub(fixed).max(most / 2);
    let others = survey.transcript().token_estimate().saturating_sub(floor.total());
    free.saturating_sub(others.min(free / 2)).max(least).min(most)
}

impl CompactionPolicy for ClipActivePolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let clipped = if self.must_clip(survey) { self.clipped(survey)? } else { None };
        match clipped {
            Some(plan) => continued(self, survey, plan, self.inner.as_ref()),
            None => Ok(in_name_of(self, self.inner.propose(survey)?)),
        }
    }

    fn wrapped(&self) -> Option<&dyn CompactionPolicy> {
        Some(self.inner.as_ref())
    }

    fn decide(
        &self,
        transcript: &Transcript,
        budget: &CompactionBudget,
    ) -> Result<CompactionPlan, PolicyError> {
        let survey = Survey::new(transcript, budget);
        let survey = survey.map_err(|refused| self.refusal(transcript, budget, refused))?;
        self.admit(&survey)?;
        Ok(CompactionPlan::check(self.propose(&survey)?, &survey)?)
    }

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        if !self.must_clip(survey) {
            return self.inner.admit(survey);
        }
        let least = self.clippable(survey).least().unwrap_or_else(|_| survey.clippable_costs());
        survey.admit_clipped(&self.locked(survey), &least)
    }
}

impl fmt::Debug for ClipActivePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClipActivePolicy").field("name", &self.name).finish_non_exhaustive()
    }
}
