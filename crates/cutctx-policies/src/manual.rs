//! A plan given outright.

use alloc::borrow::Cow;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, PolicyError, Survey};
use cutctx_types::PlanDraft;

/// Proposes one draft, whatever the transcript: for plans that a human or another program wrote.
///
/// The rules judge it like any other. Its name and version are those of the draft.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::ManualPolicy;
/// use cutctx_types::{Action, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn, TurnAction};
///
/// let transcript = Transcript::new(vec![TranscriptTurn::new("u", Role::User, "hello", 2)?])?;
/// let budget = CompactionBudget::new(9).with_protected_recent_turns(0);
/// let draft = PlanDraft::new("by hand", "1", vec![TurnAction::new("u", Action::Drop)]);
/// let plan = ManualPolicy::new(draft).decide(&transcript, &budget)?;
/// assert_eq!((plan.policy_name(), plan.tokens_after_estimate()), ("by hand", 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ManualPolicy {
    draft: PlanDraft,
}

impl ManualPolicy {
    /// A policy that proposes this draft.
    #[must_use]
    pub const fn new(draft: PlanDraft) -> Self {
        Self { draft }
    }
}

impl CompactionPolicy for ManualPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.draft.policy_name)
    }

    fn version(&self) -> &str {
        &self.draft.policy_version
    }

    fn propose(&self, _: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        Ok(self.draft.clone())
    }

    /// The survey's own floor is all that a draft needs; the rules see to the rest.
    fn admit(&self, _: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        Ok(())
    }
}
