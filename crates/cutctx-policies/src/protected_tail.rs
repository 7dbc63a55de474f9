//! Protecting the end of a transcript by tokens.

use crate::around::{name_around, plan_with_pins};
use crate::chain::BoxedPolicy;
use crate::proposal::in_name_of;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{PlanDraft, TranscriptTurn};

/// How many tokens at the end are protected when nobody says otherwise.
pub(crate) const DEFAULT_TAIL_TOKENS: u64 = 10_000;

/// Has another policy decide over all but the last turns, as many as together cost no more than so many tokens.
///
/// The budget protects a number of *turns* at the end, whatever they cost, and that is a promise. This protects by
/// *tokens*, beyond those turns, and is a wish: no more is protected than leaves room for the goal, and where the other
/// policy cannot reach the maximum then, it decides over all.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::{DropOldestPolicy, ObservationMaskingPolicy, ProtectedTailPolicy};
/// use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let log = |id: &str| TranscriptTurn::new(id, Role::Tool, "log ".repeat(400), 400);
/// let transcript = Transcript::new(vec![log("a")?, log("b")?, log("c")?])?;
/// let masking = ObservationMaskingPolicy::new().with_keep_recent_results(0);
/// let policy = ProtectedTailPolicy::new(Box::new(masking), 500);
/// let budget = CompactionBudget::new(1_000).with_target(500)?.with_protected_recent_turns(0);
/// let plan = policy.decide(&transcript, &budget)?;
/// assert_eq!(plan.actions()[2].action, Action::Keep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProtectedTailPolicy {
    name: String,
    inner: BoxedPolicy,
    tail_tokens: u64,
}

impl ProtectedTailPolicy {
    /// The policy that has another one decide over all but the last so many tokens.
    #[must_use]
    pub fn new(inner: BoxedPolicy, tail_tokens: u64) -> Self {
        let name = name_around("protected_tail", inner.as_ref());
        Self { name, inner, tail_tokens }
    }

    /// What the other policy proposes with the tail pinned; `None` where that does not reach the maximum.
    fn with_tail(&self, survey: &Survey<'_>, goal: u64) -> Result<Option<PlanDraft>, PolicyError> {
        let room = goal.saturating_sub(survey.floor().total());
        let first = first_of_tail(survey, self.tail_tokens.min(room));
        if first >= survey.turns().len() {
            return Ok(None);
        }
        let plan = plan_with_pins(self.inner.as_ref(), survey, |position| position >= first)?;
        Ok(plan.filter(|plan| !plan.budget_unmet()).map(CompactionPlan::into_draft))
    }
}

/// The first position of the last turns that cost no more than so many tokens, beside those that cannot be touched.
fn first_of_tail(survey: &Survey<'_>, most: u64) -> usize {
    let mut tokens = 0_u64;
    let fits = |(position, cost): &(usize, u64)| {
        tokens = tokens.saturating_add(if survey.is_untouchable(*position) { 0 } else { *cost });
        tokens <= most
    };
    let costs = survey.turns().iter().map(TranscriptTurn::token_estimate).enumerate().rev();
    costs.take_while(fits).last().map_or(survey.turns().len(), |(position, _)| position)
}

impl CompactionPolicy for ProtectedTailPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let protected = survey.goal().map_or(Ok(None), |goal| self.with_tail(survey, goal))?;
        let draft = protected.map_or_else(|| self.inner.propose(survey), Ok)?;
        Ok(in_name_of(self, draft))
    }

    fn wrapped(&self) -> Option<&dyn CompactionPolicy> {
        Some(self.inner.as_ref())
    }
}

impl fmt::Debug for ProtectedTailPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProtectedTailPolicy")
            .field("name", &self.name)
            .field("tail_tokens", &self.tail_tokens)
            .finish_non_exhaustive()
    }
}
