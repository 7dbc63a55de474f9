//! The end of a step: what came of it.

use cutctx_messages::DurableObject;

use super::super::memory::Memory;
use super::super::outcome::{ContextOutcome, DegradedReason, InvalidatedReason};
use super::super::planning::floor;
use super::super::protection::last_unit;
use super::super::stored::key;
use super::{Machine, Next};
use crate::payload::Payload;

/// What came of a step. Numbers are tokens.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Ended {
    before: u64,
    after: u64,
    degraded: Option<DegradedReason>,
    /// What can never go, where the context does not fit.
    floor: Option<u64>,
    /// The first turn of the source whose fate changed.
    pub(in super::super) changed: Option<usize>,
    /// Whether what is remembered changed, too.
    pub(in super::super) is_to_keep: bool,
}

impl Machine {
    pub(super) fn end(&mut self) -> Next {
        self.step.waiting = None;
        let changed = self.step.changed.take();
        let after = if changed.is_some() { self.taken() } else { self.step.before };
        if changed.is_some() {
            self.memory.rewrites = self.memory.rewrites.saturating_add(1);
            self.memory.seen = self.ledger.len();
            let gained = self.step.before.saturating_sub(after);
            self.memory.stalled_at = (gained < self.settings().min_gain_tokens).then_some(after);
        }
        let floor = (after > self.settings().limit_tokens).then(|| self.floor());
        let known = Memory { ratio: self.memory.ratio, ..self.step.remembered.clone() };
        Next::Done(Ended {
            before: self.step.before,
            after,
            degraded: self.step.degraded,
            floor,
            changed,
            is_to_keep: changed.is_some() || self.memory != known,
        })
    }

    /// What of the context can never go, in tokens.
    fn floor(&self) -> u64 {
        let shown = self.ledger.shown();
        let turns = floor(shown, last_unit(shown));
        self.memory.ratio.scaled(turns.saturating_add(self.step.ask.overhead))
    }
}

impl Ended {
    /// As callers are told. `allowed` is the most that the context may take.
    pub(in super::super) const fn outcome(
        &self,
        allowed: u64,
        invalidated: Option<InvalidatedReason>,
    ) -> ContextOutcome {
        let (tokens_before, tokens_after) = (self.before, self.after);
        match (self.floor, self.degraded) {
            (Some(floor), _) => ContextOutcome::OverBudget { needed: tokens_after, allowed, floor },
            (None, Some(reason)) => ContextOutcome::Degraded { reason, tokens_before, tokens_after },
            (None, None) if self.changed.is_some() => {
                ContextOutcome::Compacted { tokens_before, tokens_after, invalidated }
            }
            (None, None) => ContextOutcome::Unchanged { tokens: tokens_after, invalidated },
        }
    }

    /// What may be told about a new checkpoint.
    pub(in super::super) fn event(
        &self,
        machine: &Machine,
        outcome: &ContextOutcome,
        invalidated: Option<InvalidatedReason>,
    ) -> DurableObject {
        let payload = Payload::new()
            .text("checkpoint", key(machine.settings()))
            .text("outcome", outcome.name())
            .count("settled_turns", machine.ledger.settled())
            .count("shown_turns", machine.ledger.shown().len())
            .tokens("tokens_before", self.before)
            .tokens("tokens_after", self.after)
            .tokens("rewrites", machine.memory.rewrites)
            .tokens("compactor_calls", machine.memory.calls);
        let payload = match self.degraded {
            Some(reason) => payload.text("degraded", reason.as_str()),
            None => payload,
        };
        match invalidated {
            Some(reason) => payload.text("invalidated", reason.as_str()).object(),
            None => payload.object(),
        }
    }
}
