//! A draft in the making.

use alloc::vec::Vec;
use cutctx_invariants::{CompactionPolicy, Survey};
use cutctx_types::{Action, PlanDraft, TurnAction};

/// One action for each turn of a survey, at first `keep`.
pub(crate) struct Proposal {
    actions: Vec<TurnAction>,
}

impl Proposal {
    /// Keeps every turn.
    pub(crate) fn keeping(survey: &Survey<'_>) -> Self {
        let keep = survey.turns().iter().map(|turn| TurnAction::new(turn.turn_id().clone(), Action::Keep));
        Self { actions: keep.collect() }
    }

    /// Does something else with the turn at a position.
    pub(crate) fn set(&mut self, position: usize, action: Action) {
        if let Some(slot) = self.actions.get_mut(position) {
            slot.action = action;
        }
    }

    /// Does the same with the turns at several positions.
    pub(crate) fn set_all(&mut self, positions: &[usize], action: &Action) {
        for position in positions {
            self.set(*position, action.clone());
        }
    }

    /// The draft, in the name of a policy.
    pub(crate) fn into_draft(self, policy: &dyn CompactionPolicy) -> PlanDraft {
        PlanDraft::new(policy.name(), policy.version(), self.actions)
    }
}

impl From<Vec<TurnAction>> for Proposal {
    /// Takes over one action for each turn.
    fn from(actions: Vec<TurnAction>) -> Self {
        Self { actions }
    }
}

/// The draft of another policy, in the name of this one.
pub(crate) fn in_name_of(policy: &dyn CompactionPolicy, mut draft: PlanDraft) -> PlanDraft {
    draft.policy_name = policy.name().into_owned();
    draft.policy_version = policy.version().into();
    draft
}

/// What the turns at some positions cost together, in tokens.
pub(crate) fn tokens_of(survey: &Survey<'_>, positions: &[usize]) -> u64 {
    let turns = positions.iter().filter_map(|position| survey.turns().get(*position));
    turns.fold(0, |sum, turn| sum.saturating_add(turn.token_estimate()))
}
