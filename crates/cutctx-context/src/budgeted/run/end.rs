//! The end of a build: the context, and what came of it.

use alloc::boxed::Box;

use cutctx_messages::{DurableObject, Message};

use super::super::memory::key;
use super::super::outcome::{ContextOutcome, DegradedReason};
use super::super::shorten::clipped;
use super::Run;
use crate::payload::Payload;
use crate::policy::{ContextBuildResult, Step, StepResult};

impl Run {
    /// The context, and what came of it.
    pub(super) fn done(mut self) -> StepResult {
        let mut context = self.context()?;
        let changed = (self.memory.cursor, self.memory.pruned)
            != (self.remembered.cursor, self.remembered.pruned)
            || self.memory.summary != self.remembered.summary
            || self.memory.edits != self.remembered.edits;
        let mut after = if changed { self.ratio.scaled(self.estimate()) } else { self.before };
        if after > self.settings().limit_tokens {
            after = self.clip_last(&mut context);
        }
        if changed {
            self.memory.rewrites = self.memory.rewrites.saturating_add(1);
            let gained = self.before.saturating_sub(after);
            let little = gained < self.settings().min_gain_tokens;
            self.memory.stalled_at = self
                .memory
                .stalled_at
                .or(little.then_some(after))
                .filter(|_| little || self.degraded.is_some());
        }
        let outcome = self.outcome(changed, after);
        let mut result = ContextBuildResult::new(context);
        let to_keep = changed
            || self.memory.stalled_at != self.remembered.stalled_at
            || self.memory.calls != self.remembered.calls;
        if to_keep || self.invalidated.is_some() {
            let checkpoint =
                self.memory.put_into(&self.checkpoint, self.settings(), &self.request.messages)?;
            result.checkpoint = Some(checkpoint);
            result.checkpoint_event_payload = Some(self.event(&outcome, after));
        }
        result.compaction_telemetry = self.telemetry;
        result.outcome = Some(outcome);
        Ok(Step::Done(Box::new(result)))
    }

    /// Shows only head and tail of the last unit's results, as long as it takes. What the context then takes.
    fn clip_last(&mut self, context: &mut [Message]) -> u64 {
        let limit = self.settings().limit_tokens;
        let units = self.request.messages.len().saturating_sub(self.layout.last_unit());
        let from = context.len().saturating_sub(units);
        let mut most = usize::try_from(limit.saturating_mul(4)).unwrap_or(usize::MAX);
        let mut after = self.taken(context);
        while after > limit && most > 16 {
            for message in context.get_mut(from..).unwrap_or_default() {
                if let Some(shorter) = clipped(message, most) {
                    *message = shorter;
                    self.degraded = Some(DegradedReason::RecentShortened);
                }
            }
            after = self.taken(context);
            most /= 2;
        }
        after
    }

    fn taken(&self, context: &[Message]) -> u64 {
        let costs = self.costs();
        self.ratio.scaled(costs.of_all(context).saturating_add(costs.overhead()))
    }

    fn outcome(&self, changed: bool, tokens_after: u64) -> ContextOutcome {
        let (tokens_before, invalidated) = (self.before, self.invalidated);
        let allowed = self.settings().limit_tokens;
        if tokens_after > allowed {
            // Of a summary, its frame and a mark remain.
            let summary = self.memory.summary.as_ref().map_or(0, |_| self.prefix_tokens().saturating_add(2));
            let floor = self.ratio.scaled(self.layout.floor().saturating_add(summary));
            return ContextOutcome::OverBudget { needed: tokens_after, allowed, floor };
        }
        match self.degraded {
            Some(reason) => ContextOutcome::Degraded { reason, tokens_before, tokens_after },
            None if changed => ContextOutcome::Compacted { tokens_before, tokens_after, invalidated },
            None => ContextOutcome::Unchanged { tokens: tokens_after, invalidated },
        }
    }

    fn event(&self, outcome: &ContextOutcome, after: u64) -> DurableObject {
        let payload = Payload::new()
            .text("checkpoint", key(self.settings()))
            .text("outcome", outcome.name())
            .count("compacted_transcript_cursor", self.memory.cursor)
            .count("pruned_transcript_cursor", self.memory.pruned)
            .tokens("tokens_before", self.before)
            .tokens("tokens_after", after)
            .tokens("rewrites", self.memory.rewrites)
            .tokens("compactor_calls", self.memory.calls);
        let payload = match self.degraded {
            Some(reason) => payload.text("degraded", reason.as_str()),
            None => payload,
        };
        match self.invalidated {
            Some(reason) => payload.text("invalidated", reason.as_str()).object(),
            None => payload.object(),
        }
    }
}
