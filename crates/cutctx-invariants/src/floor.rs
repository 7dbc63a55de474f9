//! What a transcript cannot be brought below.

use crate::survey::Survey;
use alloc::vec::Vec;
use cutctx_types::{Code, Coded, Details, Role, TranscriptTurn};
use serde::Serialize;

/// What no plan may take away, by the reason why; every turn is counted once, at the first reason
/// that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Floor {
    /// Tokens of system turns.
    pub system: u64,
    /// Tokens of pinned turns.
    pub pinned: u64,
    /// Tokens of the protected turns at the end.
    pub tail: u64,
    /// Tokens of turns that share an exchange with one of the others. They can be neither dropped nor
    /// summarized, but a policy may still shorten them.
    pub locked: u64,
}

impl Floor {
    /// The reference's floor, in tokens: everything but the locked turns.
    #[must_use]
    pub const fn untouchable(&self) -> u64 {
        self.system.saturating_add(self.pinned).saturating_add(self.tail)
    }

    /// The floor of version 2, in tokens: the locked turns included.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.untouchable().saturating_add(self.locked)
    }

    /// Counts a turn if it is untouchable; gives whether it is.
    pub(crate) fn count_untouchable(&mut self, turn: &TranscriptTurn, is_in_tail: bool) -> bool {
        let item = if turn.role() == Role::System {
            &mut self.system
        } else if turn.pinned() {
            &mut self.pinned
        } else if is_in_tail {
            &mut self.tail
        } else {
            return false;
        };
        *item = item.saturating_add(turn.token_estimate());
        true
    }
}

/// What each of some turns that must stay costs at the least: its estimate, until a policy says that it can shorten it.
/// They are the locked turns, or those that may be clipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedCosts {
    /// Position and tokens, by position.
    costs: Vec<(usize, u64)>,
}

impl LockedCosts {
    /// There are no such turns.
    #[must_use]
    pub const fn none() -> Self {
        Self { costs: Vec::new() }
    }

    pub(crate) const fn new(costs: Vec<(usize, u64)>) -> Self {
        Self { costs }
    }

    /// The turns' positions and costs in tokens, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        self.costs.iter().copied()
    }

    /// Lowers costs: `least` gives what the turn at a position can be shortened to, in tokens.
    pub fn lower(&mut self, mut least: impl FnMut(usize) -> Option<u64>) {
        for (position, cost) in &mut self.costs {
            *cost = least(*position).map_or(*cost, |least| least.min(*cost));
        }
    }

    /// The sum, in tokens.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.costs.iter().fold(0, |sum, (_, cost)| sum.saturating_add(*cost))
    }
}

/// The budget is below what a plan must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a budget of {max_tokens} tokens is below the {} tokens that must be kept (system {}, pinned {}, last {} turns {}, locked by an exchange {})",
    floor.total(), floor.system, floor.pinned, protected_recent_turns, floor.tail, floor.locked
)]
#[non_exhaustive]
pub struct BudgetUnsatisfiable {
    /// Tokens of the untouchable turns.
    pub untouchable_tokens: u64,
    /// The budget, in tokens.
    pub max_tokens: u64,
    /// How many turns are untouchable.
    pub untouchable_turn_count: usize,
    /// How many turns at the end are protected.
    pub protected_recent_turns: u64,
    /// The floor by reason. Its `locked` counts what the policy cannot shorten further.
    pub floor: Floor,
}

impl BudgetUnsatisfiable {
    pub(crate) fn of(survey: &Survey<'_>, floor: Floor) -> Self {
        Self {
            untouchable_tokens: floor.untouchable(),
            max_tokens: survey.budget().max_tokens(),
            untouchable_turn_count: survey.untouchable_turns(),
            protected_recent_turns: survey.budget().protected_recent_turns(),
            floor,
        }
    }

    /// Whether only the locked turns are too much, which version 1.0.0 of the policies would not see.
    #[must_use]
    pub const fn is_by_locked_turns(&self) -> bool {
        self.untouchable_tokens <= self.max_tokens
    }
}

impl Coded for BudgetUnsatisfiable {
    fn code(&self) -> Code {
        Code::BUDGET_UNSATISFIABLE
    }

    /// The reference's four details; and `locked_tokens` where the locked turns are what is too much.
    fn details(&self) -> Details {
        let details = Details::none()
            .with("untouchable_tokens", self.untouchable_tokens)
            .with("max_tokens", self.max_tokens)
            .with("untouchable_turn_count", self.untouchable_turn_count)
            .with("protected_recent_turns", self.protected_recent_turns);
        if self.is_by_locked_turns() { details.with("locked_tokens", self.floor.locked) } else { details }
    }
}
