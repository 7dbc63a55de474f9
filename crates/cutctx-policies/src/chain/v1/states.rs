//! What the members so far have decided about each turn of the real transcript.

use super::groups::{Group, Groups};
use alloc::vec::Vec;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, Exchanges};
use cutctx_types::{
    Action, InvalidValue, PlanDraft, RequestError, SUMMARY_PREFIX, SummarizationRequest, TranscriptTurn,
    Trim, TurnAction, TurnReplacement,
};

/// What has been decided about one turn.
#[derive(Debug, Clone)]
pub(super) enum State {
    Keep,
    Mask(TurnReplacement),
    Trim(Trim),
    Drop,
    /// It is summarized in the group of this number.
    Summarize(usize),
}

/// What has been decided about all turns.
pub(super) struct States {
    states: Vec<State>,
    groups: Groups,
}

impl States {
    /// Nothing has been decided yet.
    pub(super) fn keeping(turns: &[TranscriptTurn]) -> Self {
        Self { states: alloc::vec![State::Keep; turns.len()], groups: Groups::default() }
    }

    /// The states in order of the turns.
    pub(super) fn iter(&self) -> impl Iterator<Item = &State> {
        self.states.iter()
    }

    /// The group of a number, if it still is one.
    pub(super) fn group(&self, number: usize) -> Option<&Group> {
        self.groups.get(number)
    }

    /// Takes over what a member has planned for the projection whose turns have these origins.
    ///
    /// # Errors
    ///
    /// [`RequestError::NoTurns`] when a requested group covers none of the real turns.
    pub(super) fn absorb(&mut self, plan: &CompactionPlan, origins: &[usize]) -> Result<(), InvalidValue> {
        for (action, origin) in plan.actions().iter().zip(origins) {
            self.absorb_action(action, *origin);
        }
        let mut positions = self.positions_by_group();
        for request in plan.summarization_requests() {
            self.absorb_request(request, &mut positions)?;
        }
        Ok(())
    }

    fn absorb_action(&mut self, action: &TurnAction, origin: usize) {
        let state = match &action.action {
            Action::Keep => return,
            Action::Mask(stub) => State::Mask(stub.clone()),
            Action::Trim(trim) => State::Trim(trim.clone()),
            Action::Drop => State::Drop,
            Action::Summarize { group } => State::Summarize(self.groups.number(group)),
        };
        let Some(summarized) = action.turn_id.strip_prefix(SUMMARY_PREFIX) else {
            self.set(origin, state);
            return;
        };
        let behind = self.groups.named(summarized).map(|group| group.positions.clone()).unwrap_or_default();
        self.set_all(&behind, &state);
        if action.action.removes() {
            self.groups.remove(summarized);
        }
    }

    fn absorb_request(
        &mut self,
        request: &SummarizationRequest,
        positions: &mut [Vec<usize>],
    ) -> Result<(), InvalidValue> {
        let id = request.group_id().clone();
        let number = self.groups.number(&id);
        let positions = positions.get_mut(number).map(core::mem::take).unwrap_or_default();
        if positions.is_empty() {
            return Err(RequestError::NoTurns { group_id: id }.into());
        }
        let (prompt_id, target_tokens) = (request.prompt_id().clone(), request.target_tokens());
        self.groups.put(number, Group { id, prompt_id, target_tokens, positions });
        Ok(())
    }

    /// Lets the members of every real exchange go the same way.
    pub(super) fn reconcile(&mut self, exchanges: &Exchanges) {
        for members in exchanges.iter() {
            if let Some(state) = self.common_state(members) {
                self.set_all(members, &state);
            }
        }
        let positions = self.positions_by_group();
        self.groups.refresh(positions);
    }

    /// What all members must be, if one of them is removed: dropped where one is dropped, or else in the
    /// group of the first that is summarized.
    fn common_state(&self, members: &[usize]) -> Option<State> {
        let states = || members.iter().filter_map(|member| self.states.get(*member));
        if states().any(|state| matches!(state, State::Drop)) {
            return Some(State::Drop);
        }
        states().find(|state| matches!(state, State::Summarize(_))).cloned()
    }

    fn set(&mut self, position: usize, state: State) {
        if let Some(slot) = self.states.get_mut(position) {
            *slot = state;
        }
    }

    fn set_all(&mut self, positions: &[usize], state: &State) {
        for position in positions {
            self.set(*position, state.clone());
        }
    }

    /// By group number: the positions of the turns that are summarized in it.
    fn positions_by_group(&self) -> Vec<Vec<usize>> {
        let mut positions = alloc::vec![Vec::new(); self.groups.len()];
        for (position, state) in self.states.iter().enumerate() {
            if let State::Summarize(group) = state
                && let Some(of_group) = positions.get_mut(*group)
            {
                of_group.push(position);
            }
        }
        positions
    }

    /// The draft over the real turns.
    pub(super) fn into_draft(
        self,
        policy: &dyn CompactionPolicy,
        turns: &[TranscriptTurn],
    ) -> Result<PlanDraft, InvalidValue> {
        let Self { states, groups } = self;
        let requests = groups.requests(turns)?;
        let actions = turns
            .iter()
            .zip(states)
            .map(|(turn, state)| TurnAction::new(turn.turn_id().clone(), action_of(state, &groups)));
        Ok(PlanDraft::new(policy.name(), policy.version(), actions.collect()).with_requests(requests))
    }
}

fn action_of(state: State, groups: &Groups) -> Action {
    match state {
        State::Keep => Action::Keep,
        State::Mask(stub) => Action::Mask(stub),
        State::Trim(trim) => Action::Trim(trim),
        State::Drop => Action::Drop,
        State::Summarize(group) => {
            groups.id(group).map_or(Action::Drop, |group| Action::Summarize { group: group.clone() })
        }
    }
}
