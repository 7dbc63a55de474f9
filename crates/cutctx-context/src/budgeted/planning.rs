//! What a policy over turns decides about a context.

use alloc::vec::Vec;

use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Action, CompactionBudget, Role, SummarizationRequest, Transcript, TranscriptTurn};

use super::ledger::Shown;

/// What is wanted of a policy. Numbers are tokens by estimate, of turns alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// The most that the turns may take.
    pub(super) most: u64,
    /// What they are to be brought down to.
    pub(super) target: u64,
    /// What they may take where what cannot go is above that.
    pub(super) limit: u64,
    /// The first turn at the end that is left alone.
    pub(super) recent: usize,
    /// One turn more that is left alone.
    pub(super) pinned: Option<usize>,
    /// What of that may be cut all the same, where nothing else helps.
    pub(super) cuts: Cuts,
}

/// Whose long texts may be cut although they are left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cuts {
    Nobodys,
    /// The model's and the tools'.
    ButThoseOfPersons,
    Anybodys,
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

impl Wanted {
    /// Whether a turn that is left alone is not cut either.
    fn stays_whole(&self, at: usize, turn: &TranscriptTurn) -> bool {
        let is_persons = turn.role() == Role::User && (at >= self.recent || turn.pinned());
        self.pinned == Some(at) || self.cuts == Cuts::ButThoseOfPersons && is_persons
    }
}

impl Decision {
    /// What a policy decides. `None` where it changes nothing, or cannot decide.
    pub(super) fn of(policy: &dyn CompactionPolicy, shown: &[Shown], wanted: Wanted) -> Option<Self> {
        let transcript = transcript(shown, |at, turn| wanted.stays_whole(at, turn))?;
        let protected = u64::try_from(shown.len().saturating_sub(wanted.recent)).ok()?;
        // The context is known to be too large, also where an estimate would have it fit.
        let above = transcript.token_estimate().checked_sub(1)?;
        let decide = |most: u64| {
            let budget = CompactionBudget::new(most).with_protected_recent_turns(protected);
            let budget = budget.with_clip_active(wanted.cuts != Cuts::Nobodys);
            policy.decide(&transcript, &budget.with_target(wanted.target.min(most)).unwrap_or(budget))
        };
        let plan = match decide(wanted.most.min(above)) {
            Err(PolicyError::Unsatisfiable(error)) if error.floor.total() <= wanted.limit => {
                // What is not to be cut is brought down as far as it goes, the rest to what it can be cut to.
                let least = if wanted.cuts == Cuts::Nobodys { above } else { error.floor.total() };
                decide(least.min(above))
            }
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
    let transcript = transcript(shown, |_, _| false);
    let survey = transcript.as_ref().and_then(|transcript| Survey::new(transcript, &budget).ok());
    survey.map_or(u64::MAX, |survey| survey.floor().total())
}

fn transcript(shown: &[Shown], stays_whole: impl Fn(usize, &TranscriptTurn) -> bool) -> Option<Transcript> {
    let turns = shown.iter().map(|shown| shown.turn.clone()).enumerate();
    let turns = turns.map(|(at, turn)| if stays_whole(at, &turn) { turn.with_pinned(true) } else { turn });
    Transcript::new(turns.collect()).ok()
}
