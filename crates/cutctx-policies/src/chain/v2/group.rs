//! Turns that one summary will replace.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use cutctx_invariants::Survey;
use cutctx_types::{InvalidValue, SummarizationRequest};

/// A group of turns, with the stand-in that members are shown for it.
pub(super) struct Group {
    /// Its id in the chain's plan, where the id that the member chose may be taken.
    id: Arc<str>,
    /// The id of its stand-in in projections.
    stand_in_id: Arc<str>,
    /// As the member made it, over what it was shown.
    request: SummarizationRequest,
    /// The positions of its turns; none once it was dropped or went into another group.
    turns: Vec<usize>,
    /// Whether stand-ins of earlier groups, and so the turns behind them, went into it.
    has_stand_ins: bool,
}

impl Group {
    /// An open group without turns.
    pub(super) fn new(id: Arc<str>, stand_in_id: Arc<str>, request: SummarizationRequest) -> Self {
        let turns = Vec::with_capacity(request.turn_ids().len());
        Self { id, stand_in_id, request, turns, has_stand_ins: false }
    }

    pub(super) const fn stand_in_id(&self) -> &Arc<str> {
        &self.stand_in_id
    }

    /// What the summary may cost, in tokens.
    pub(super) const fn target_tokens(&self) -> u64 {
        self.request.target_tokens()
    }

    /// Takes in the turn at a position, for which a plan names the group by `id`; gives the id for the
    /// chain's plan.
    pub(super) fn take(&mut self, position: usize, id: Arc<str>) -> Arc<str> {
        self.turns.push(position);
        if id == self.id { id } else { Arc::clone(&self.id) }
    }

    /// Notes that some of the turns were behind a stand-in.
    pub(super) const fn note_stand_in(&mut self) {
        self.has_stand_ins = true;
    }

    /// Leaves; the positions of the turns that were in it.
    pub(super) fn give_up(&mut self) -> Vec<usize> {
        mem::take(&mut self.turns)
    }

    /// Whether it has neither been dropped nor gone into another group.
    pub(super) const fn stands(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Puts the turns in order, which those behind stand-ins may not be.
    pub(super) fn sort(&mut self) {
        self.turns.sort_unstable();
    }

    /// The position of the first turn, once they are sorted.
    pub(super) fn first_turn(&self) -> Option<usize> {
        self.turns.first().copied()
    }

    /// The request for its summary, its turns being sorted. The member's own will do where it names the
    /// same turns.
    pub(super) fn into_request(self, survey: &Survey<'_>) -> Result<SummarizationRequest, InvalidValue> {
        if !self.has_stand_ins && self.id == *self.request.group_id() {
            return Ok(self.request);
        }
        let turns = self.turns.iter().filter_map(|position| survey.turns().get(*position));
        let turn_ids = turns.map(|turn| Arc::clone(turn.turn_id())).collect();
        let (target, prompt_id) = (self.request.target_tokens(), Arc::clone(self.request.prompt_id()));
        Ok(SummarizationRequest::new(self.id, turn_ids, target, prompt_id)?)
    }
}
