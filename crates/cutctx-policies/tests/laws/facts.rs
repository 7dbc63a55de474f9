//! What is true of a case, found out slowly and from the definitions alone.

use super::contestants::Contestant;
use super::generator::Case;
use core::ops::Range;
use cutctx_exec::Summaries;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{Action, Role, SummarizationRequest, TranscriptTurn};
use std::sync::Arc;

pub(crate) struct Facts<'c> {
    turns: &'c [TranscriptTurn],
    protected: u64,
}

impl<'c> Facts<'c> {
    pub(crate) fn of(case: &'c Case) -> Self {
        Self { turns: case.transcript.turns(), protected: case.budget.protected_recent_turns() }
    }

    fn positions(&self) -> Range<usize> {
        0..self.turns.len()
    }

    pub(crate) fn is_untouchable(&self, position: usize) -> bool {
        let turn = &self.turns[position];
        let from_the_end = self.turns.len() - position;
        turn.role() == Role::System || turn.pinned() || from_the_end as u64 <= self.protected
    }

    /// All members of the turn's exchange.
    pub(crate) fn exchange_of(&self, position: usize) -> Vec<usize> {
        let call = self.turns[position].tool_call_id();
        let shares = |other: &usize| {
            *other == position || (call.is_some() && self.turns[*other].tool_call_id() == call)
        };
        self.positions().filter(shares).collect()
    }

    pub(crate) fn is_removable(&self, position: usize) -> bool {
        !self.exchange_of(position).into_iter().any(|member| self.is_untouchable(member))
    }

    /// Whether a contestant must leave the turn as it is: masking by the turn alone, removing by its
    /// exchange. Here: turns that are exempt themselves.
    pub(crate) fn is_exempt(&self, position: usize, contestant: &Contestant) -> bool {
        contestant.exempts && self.turns[position].tool_name() == Some("tool0")
    }

    pub(crate) fn removable_and_not_exempt<'f>(
        &'f self,
        contestant: &'f Contestant,
    ) -> impl Iterator<Item = usize> + 'f {
        self.positions().filter(|position| {
            let exchange = self.exchange_of(*position);
            self.is_removable(*position) && !exchange.iter().any(|member| self.is_exempt(*member, contestant))
        })
    }

    pub(crate) fn sum(&self, positions: Vec<usize>) -> u64 {
        positions.into_iter().map(|position| self.turns[position].token_estimate()).sum()
    }

    pub(crate) fn positions_of(&self, ids: &[Arc<str>]) -> Vec<usize> {
        self.positions().filter(|position| ids.contains(self.turns[*position].turn_id())).collect()
    }

    /// What a contestant cannot go below: all that cannot be removed, locked results at the cost of
    /// their stubs where it may mask them.
    pub(crate) fn floor_for(&self, contestant: &Contestant) -> u64 {
        let unremovable = self.positions().filter(|position| !self.is_removable(*position));
        unremovable.map(|position| self.least(position, contestant)).sum()
    }

    fn least(&self, position: usize, contestant: &Contestant) -> u64 {
        let turn = &self.turns[position];
        if self.may_be_masked(position, contestant) {
            turn.token_estimate().min(default_stub_tokens(turn.token_estimate()))
        } else {
            turn.token_estimate()
        }
    }

    fn may_be_masked(&self, position: usize, contestant: &Contestant) -> bool {
        let Some(keep) = contestant.masks_all_but else { return false };
        let is_result = |at: usize| self.turns[at].role() == Role::Tool;
        let later_results = (position + 1..self.turns.len()).filter(|at| is_result(*at)).count();
        is_result(position)
            && later_results >= keep
            && !self.is_untouchable(position)
            && !self.is_exempt(position, contestant)
            && !is_stub(&self.turns[position])
    }

    /// What the plan's last mask, dropped exchange or summary saves, by where each begins.
    pub(crate) fn saved_by_the_last_step(&self, plan: &CompactionPlan) -> u64 {
        let saved_from = |position: usize| match &plan.actions()[position].action {
            Action::Mask(stub) => Some(self.turns[position].token_estimate() - stub.token_estimate),
            Action::Drop => {
                let exchange = self.exchange_of(position);
                (exchange[0] == position).then(|| self.sum(exchange))
            }
            _ => {
                let requests = plan.summarization_requests().iter();
                let mut begun =
                    requests.filter(|request| request.turn_ids()[0] == *self.turns[position].turn_id());
                let request = begun.next()?;
                Some(self.sum(self.positions_of(request.turn_ids())) - request.target_tokens())
            }
        };
        self.positions().rev().find_map(saved_from).unwrap_or(0)
    }

    /// What the view costs, from the actions and the requests.
    pub(crate) fn tokens_after(&self, plan: &CompactionPlan) -> u64 {
        let retained: u64 = self
            .positions()
            .map(|position| match &plan.actions()[position].action {
                Action::Keep => self.turns[position].token_estimate(),
                Action::Mask(stub) => stub.token_estimate,
                Action::Trim(trim) => trim.token_estimate,
                Action::Summarize { .. } | Action::Drop => 0,
            })
            .sum();
        let summaries = plan.summarization_requests().iter().map(SummarizationRequest::target_tokens);
        retained + summaries.sum::<u64>()
    }
}

/// Whether the turn reads like a stub: nothing else that is generated names a digest.
pub(crate) fn is_stub(turn: &TranscriptTurn) -> bool {
    turn.content().contains(" tokens, sha256:")
}

/// The default stub has 123 characters and the digits of the turn's tokens; four characters a token.
fn default_stub_tokens(tokens: u64) -> u64 {
    (123 + tokens.to_string().len() as u64).div_ceil(4)
}

/// What a plan does with a turn, told without ids: kept and masked turns alike stay, and a summarized
/// one goes into the group that begins at a position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Stays,
    Dropped,
    InGroupThatBeginsAt(usize),
}

pub(crate) fn fate_of(plan: &CompactionPlan, position: usize) -> Fate {
    let group_at = |at: usize| plan.actions()[at].action.group();
    match &plan.actions()[position].action {
        Action::Keep | Action::Mask(_) | Action::Trim(_) => Fate::Stays,
        Action::Drop => Fate::Dropped,
        Action::Summarize { group } => {
            let first = (0..=position).find(|at| group_at(*at) == Some(group)).unwrap();
            Fate::InGroupThatBeginsAt(first)
        }
    }
}

/// Summaries of exactly the lengths that a plan asks for.
pub(crate) fn fulfilled(plan: &CompactionPlan) -> Summaries {
    let summary = |tokens: u64| "gist".repeat(usize::try_from(tokens).unwrap());
    let requests = plan.summarization_requests().iter();
    requests.map(|request| (request.group_id().clone(), summary(request.target_tokens()))).collect()
}
