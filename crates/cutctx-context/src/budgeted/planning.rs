//! What a policy over turns decides about a context.

use alloc::vec::Vec;

use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Action, CompactionBudget, SummarizationRequest, Transcript};

use super::ledger::Shown;

/// What is wanted of a policy. Numbers are tokens by estimate, of turns alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// The most that the turns may take.
    pub(super) most: u64,
    /// What they are to be brought down to.
    pub(super) target: u64,
    /// The first turn at the end that is left alone.
    pub(super) recent: usize,
    /// One turn more that is left alone.
    pub(super) pinned: Option<usize>,
}

/// What a policy decided.
#[derive(Debug)]
pub(super) struct Decision {
    /// One action for each turn that is shown.
    pub(super) actions: Vec<Action>,
    pub(super) requests: Vec<SummarizationRequest>,
    /// What the turns will take, by the policy's figures.
    pub(super) after: u64,
}

impl Decision {
    /// What a policy decides. `None` where it changes nothing, or cannot decide.
    pub(super) fn of(policy: &dyn CompactionPolicy, shown: &[Shown], wanted: Wanted) -> Option<Self> {
        let transcript = transcript(shown, wanted.pinned)?;
        let protected = u64::try_from(shown.len().saturating_sub(wanted.recent)).ok()?;
        // The context is known to be too large, also where an estimate would have it fit.
        let above = transcript.token_estimate().checked_sub(1)?;
        let decide = |most: u64| {
            let budget = CompactionBudget::new(most).with_protected_recent_turns(protected);
            policy.decide(&transcript, &budget.with_target(wanted.target.min(most)).unwrap_or(budget))
        };
        let plan = match decide(wanted.most.min(above)) {
            Err(PolicyError::Unsatisfiable(_)) => decide(above),
            decided => decided,
        };
        plan.ok().filter(|plan| plan.first_changed_position().is_some()).map(Self::from)
    }
}

impl From<CompactionPlan> for Decision {
    fn from(plan: CompactionPlan) -> Self {
        let after = plan.tokens_after_estimate();
        let draft = plan.into_draft();
        let actions = draft.actions.into_iter().map(|action| action.action).collect();
        Self { actions, requests: draft.summarization_requests, after }
    }
}

/// What of a context can never go, in tokens by estimate, where its last unit begins here.
pub(super) fn floor(shown: &[Shown], last_unit: usize) -> u64 {
    let protected = u64::try_from(shown.len().saturating_sub(last_unit)).unwrap_or(u64::MAX);
    let budget = CompactionBudget::new(u64::MAX).with_protected_recent_turns(protected);
    let transcript = transcript(shown, None);
    let survey = transcript.as_ref().and_then(|transcript| Survey::new(transcript, &budget).ok());
    survey.map_or(u64::MAX, |survey| survey.floor().total())
}

fn transcript(shown: &[Shown], pinned: Option<usize>) -> Option<Transcript> {
    let mut turns: Vec<_> = shown.iter().map(|shown| shown.turn.clone()).collect();
    if let Some(turn) = pinned.and_then(|at| turns.get_mut(at)) {
        *turn = turn.clone().with_pinned(true);
    }
    Transcript::new(turns).ok()
}
