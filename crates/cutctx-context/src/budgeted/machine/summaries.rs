//! The summaries that a plan asks for, one after the other.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::SpokenText;
use cutctx_types::{Action, SummarizationRequest};

use super::super::ledger::Summary;
use super::super::outcome::DegradedReason;
use super::super::planning::Decision;
use super::super::shorten::within;
use super::{MOST_PASSES, Machine, Next};

/// A plan that waits for summaries.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    actions: Vec<Action>,
    requests: Vec<SummarizationRequest>,
    /// What is shown of each group, by position.
    groups: BTreeMap<Arc<str>, Vec<usize>>,
    /// What the turns will take, by the policy's figures.
    after: u64,
    /// The summaries that are there, in the plan's order.
    written: Vec<Written>,
    /// Whether some of them stand for less than was asked.
    partial: bool,
}

/// A summary that is there.
#[derive(Debug, Clone)]
pub(in super::super) struct Written {
    pub(in super::super) group: Arc<str>,
    pub(in super::super) summary: Summary,
}

/// A summary that is wanted.
#[derive(Debug, Clone)]
pub(in super::super) struct WantedSummary {
    /// What is shown of what it is to stand for, by position.
    pub(in super::super) positions: Vec<usize>,
    /// The most that it may take, in tokens by estimate.
    pub(in super::super) tokens: u64,
}

impl Machine {
    /// Waits for the summaries of a plan.
    pub(super) fn wait_for(&mut self, decision: Decision) -> Next {
        self.step.waiting = Some(Waiting::of(decision));
        self.step.passes = self.step.passes.saturating_add(1);
        self.ask()
    }

    /// Asks for the next summary, or does what was planned when all are there.
    fn ask(&mut self) -> Next {
        let wanted = self.step.waiting.as_ref().and_then(Waiting::next);
        match wanted {
            Some(wanted) => Next::Summarize(wanted),
            None => self.fulfilled(),
        }
    }

    /// Which plan of the step it is that asks. What is shown stays the same as long as one does.
    pub(in super::super) const fn plan_number(&self) -> usize {
        self.step.passes
    }

    /// Counts a call of the compactor.
    pub(in super::super) fn count_call(&mut self) {
        self.memory.calls = self.memory.calls.saturating_add(1);
    }

    /// Takes a summary of what stands at the first so many of the wanted positions.
    pub(in super::super) fn take(
        &mut self,
        text: &SpokenText,
        wanted: &WantedSummary,
        covered: usize,
        exhausted: Option<Arc<str>>,
    ) -> Next {
        self.memory.exhausted = exhausted;
        let summary = self.measured(text, wanted);
        let Some(waiting) = self.step.waiting.as_mut() else { return self.finish() };
        waiting.take(summary, wanted.positions.get(covered..).unwrap_or_default());
        self.ask()
    }

    /// Goes on without summaries: the fallback plans anew. What was asked for under this key is not to be had.
    pub(in super::super) fn go_without(&mut self, exhausted: Option<Arc<str>>) -> Next {
        self.memory.exhausted = exhausted;
        self.step.waiting = None;
        self.step.degraded = Some(DegradedReason::SummaryFailed);
        if let Some(decision) = self.decide(&*self.config.fallback) {
            self.apply(&decision, Vec::new());
        }
        self.finish()
    }

    fn fulfilled(&mut self) -> Next {
        let Some(Waiting { actions, written, partial, after, .. }) = self.step.waiting.take() else {
            return self.finish();
        };
        self.apply(&Decision { actions, requests: Vec::new(), after }, written);
        let again = partial && self.step.passes < MOST_PASSES && self.taken() > self.low();
        if again { self.plan() } else { self.finish() }
    }

    /// A summary and what it takes; cut where it is longer than was set aside and the context would be above its high
    /// mark with it.
    fn measured(&mut self, text: &SpokenText, wanted: &WantedSummary) -> Summary {
        let estimator = Arc::clone(&self.config.estimator);
        let tokens = estimator.text(text);
        let over = tokens.saturating_sub(wanted.tokens);
        let planned = self.step.waiting.as_ref().map_or(0, |waiting| waiting.after).saturating_add(over);
        let frame = self.config.summary_frame;
        if over == 0 || planned <= self.room(self.settings().high_water_tokens) {
            return Summary::new(Arc::clone(text.shared()), tokens.saturating_add(frame));
        }
        let Some(cut) = within(text, wanted.tokens, tokens, |text| estimator.text(text)) else {
            return Summary::new(Arc::clone(text.shared()), tokens.saturating_add(frame));
        };
        self.step.degraded = Some(DegradedReason::SummaryCut);
        let tokens = estimator.text(&cut);
        Summary::new(Arc::clone(cut.shared()), tokens.saturating_add(frame))
    }
}

impl Waiting {
    fn of(decision: Decision) -> Self {
        let Decision { actions, requests, after } = decision;
        let mut groups: BTreeMap<Arc<str>, Vec<usize>> = BTreeMap::new();
        for (at, action) in actions.iter().enumerate() {
            if let Action::Summarize { group } = action {
                groups.entry(Arc::clone(group)).or_default().push(at);
            }
        }
        Self { actions, requests, groups, after, written: Vec::new(), partial: false }
    }

    fn next(&self) -> Option<WantedSummary> {
        let request = self.requests.get(self.written.len())?;
        let positions = self.groups.get(request.group_id()).cloned().unwrap_or_default();
        Some(WantedSummary { positions, tokens: request.target_tokens() })
    }

    /// Takes the next summary; what stands at the positions that it left out stays.
    fn take(&mut self, summary: Summary, left_out: &[usize]) {
        let Some(request) = self.requests.get(self.written.len()) else { return };
        self.written.push(Written { group: Arc::clone(request.group_id()), summary });
        self.partial |= !left_out.is_empty();
        for at in left_out {
            if let Some(action) = self.actions.get_mut(*at) {
                *action = Action::Keep;
            }
        }
    }
}
