//! One step: nothing below the high mark, and above it what has to be done, stage by stage.

mod end;
mod summaries;

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_invariants::CompactionPolicy;
use cutctx_types::TranscriptTurn;

use super::Config;
use super::files::without_answered;
use super::ledger::Ledger;
use super::memory::Memory;
use super::outcome::DegradedReason;
use super::planning::{Cuts, Decision, Wanted};
use super::protection::{last_request, last_unit, recent};
use super::scale::{Anchor, Ratio};
use super::settings::BudgetedContextSettings;

pub(super) use end::Ended;
pub(super) use summaries::WantedSummary;
use summaries::{Waiting, Written};

/// The most plans with summaries in one step: a compactor may stand for less than it was given.
const MOST_PASSES: usize = 8;

/// A context between two marks: the fates of its source, what is remembered, and the step that it is at.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    pub(super) config: Arc<Config>,
    pub(super) ledger: Ledger,
    pub(super) memory: Memory,
    step: StepState,
}

/// What a step is begun with.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ask {
    /// What the provider counted, where it counted what is shown.
    pub(super) anchor: Option<Anchor>,
    /// What the request takes besides its messages, by estimate.
    pub(super) overhead: u64,
    /// Compact whatever the size.
    pub(super) force: bool,
    /// What was sent did not fit.
    pub(super) overflowed: bool,
}

/// Where a step is.
#[derive(Debug, Clone, Default)]
struct StepState {
    ask: Ask,
    /// What the context took, in tokens, before anything was done.
    before: u64,
    /// What was remembered then.
    remembered: Memory,
    degraded: Option<DegradedReason>,
    /// The first turn of the source whose fate changed.
    changed: Option<usize>,
    passes: usize,
    /// The plan that waits for summaries.
    waiting: Option<Waiting>,
}

/// What comes next.
#[derive(Debug)]
pub(super) enum Next {
    /// The step is done.
    Done(Ended),
    /// A summary is wanted.
    Summarize(WantedSummary),
}

impl Machine {
    pub(super) fn new(config: Arc<Config>) -> Self {
        Self { config, ledger: Ledger::default(), memory: Memory::default(), step: StepState::default() }
    }

    /// Goes on from these fates, of which the first that is not what it was is that of this turn of the source.
    pub(super) fn restore(&mut self, ledger: Ledger, memory: Memory, changed: Option<usize>) {
        (self.ledger, self.memory) = (ledger, memory);
        self.step.changed = changed;
    }

    fn settings(&self) -> &BudgetedContextSettings {
        &self.config.settings
    }

    /// Puts a turn behind the others.
    pub(super) fn append(&mut self, turn: TranscriptTurn) {
        self.ledger.append(turn, self.config.settings.task_tokens);
    }

    /// Begins a step. One that waits for a summary is given up; what it did already stays.
    pub(super) fn begin(&mut self, ask: Ask) -> Next {
        let changed = self.step.changed;
        self.step = StepState { ask, changed, remembered: self.memory.clone(), ..StepState::default() };
        self.measure();
        let settings = self.settings();
        if !self.forced() && self.step.before <= settings.high_water_tokens {
            return self.end();
        }
        if !self.forced() && self.step.before <= settings.limit_tokens && !self.has_grown() {
            self.step.degraded = Some(DegradedReason::LittleGain);
            return self.end();
        }
        self.plan()
    }

    /// Measures the context as it stands: what the provider counted, and what came since.
    fn measure(&mut self) {
        let estimate = self.estimate();
        let anchor = self.step.ask.anchor;
        self.memory.ratio = anchor.map_or(self.memory.ratio, Anchor::ratio);
        self.step.before = anchor.map_or_else(|| self.memory.ratio.scaled(estimate), Anchor::tokens);
        let limit = self.settings().limit_tokens;
        if self.step.ask.overflowed && self.step.before <= limit {
            // It did not fit, so it takes more than was thought.
            self.step.before = limit.saturating_add(limit / 8);
            self.memory.ratio = Ratio::new(Some(self.step.before), Some(estimate));
        }
    }

    /// Whether enough was added since little could be freed.
    fn has_grown(&self) -> bool {
        let least = self.settings().min_gain_tokens;
        self.memory.stalled_at.is_none_or(|at| self.step.before >= at.saturating_add(least))
    }

    /// What the context takes, by estimate.
    fn estimate(&self) -> u64 {
        self.ledger.tokens().saturating_add(self.step.ask.overhead)
    }

    fn taken(&self) -> u64 {
        self.memory.ratio.scaled(self.estimate())
    }

    fn fits(&self) -> bool {
        self.taken() <= self.settings().limit_tokens
    }

    /// The most that turns may take by estimate where the context may take so many tokens.
    fn room(&self, tokens: u64) -> u64 {
        self.memory.ratio.unscaled(tokens).saturating_sub(self.step.ask.overhead)
    }

    /// How far down to go, in tokens.
    fn low(&self) -> u64 {
        let least_gain = self.step.before.saturating_sub(self.settings().min_gain_tokens);
        let low = self.settings().low_water_tokens;
        if self.step.ask.force { low.min(least_gain) } else { low }
    }

    /// Plans, where the context is above the low mark, and does what needs no summary.
    fn plan(&mut self) -> Next {
        let untouched = (self.step.passes == 0).then(|| (self.ledger.clone(), self.step.changed));
        self.name_files();
        let decision = if self.taken() > self.low() { self.decide_by_planner() } else { None };
        if let Some(untouched) = untouched.filter(|_| !self.is_worth(decision.as_ref())) {
            (self.ledger, self.step.changed) = untouched;
            self.memory.stalled_at = Some(self.step.before);
            self.step.degraded = Some(DegradedReason::LittleGain);
            return self.end();
        }
        match decision {
            Some(decision) if decision.requests.is_empty() => {
                self.apply(&decision, Vec::new());
                self.finish()
            }
            // A summary is not paid for where it frees next to nothing, also where the context does not fit.
            Some(decision) if self.forced() || self.frees_enough(decision.after) => self.wait_for(decision),
            Some(_) | None => self.finish(),
        }
    }

    /// Whether so much is freed that the provider's cache may be lost for it.
    fn is_worth(&self, decision: Option<&Decision>) -> bool {
        if self.forced() || self.step.before > self.settings().limit_tokens {
            return true;
        }
        self.frees_enough(decision.map_or_else(|| self.ledger.tokens(), |decision| decision.after))
    }

    /// Whether turns that take so much by estimate are enough below what the context took.
    fn frees_enough(&self, turns: u64) -> bool {
        let after = self.memory.ratio.scaled(turns.saturating_add(self.step.ask.overhead));
        after.saturating_add(self.settings().min_gain_tokens) <= self.step.before
    }

    /// Whether the context is compacted whatever its size.
    const fn forced(&self) -> bool {
        self.step.ask.force || self.step.ask.overflowed
    }

    /// Names files that were answered instead of showing them.
    fn name_files(&mut self) {
        let most = self.settings().max_attachment_results;
        if let Some(actions) = without_answered(self.ledger.shown(), most) {
            let first = self.ledger.apply(&actions, []);
            self.note(first);
        }
    }

    fn decide_by_planner(&self) -> Option<Decision> {
        self.decide(self.config.planner.at_compaction(self.memory.rewrites))
    }

    /// What a policy decides with what is new left alone.
    fn decide(&self, policy: &dyn CompactionPolicy) -> Option<Decision> {
        let (settings, shown) = (self.settings(), self.ledger.shown());
        let wanted = Wanted {
            most: self.room(settings.high_water_tokens),
            target: self.room(self.low()),
            limit: self.room(settings.limit_tokens),
            recent: recent(
                shown,
                settings.protected_recent_messages,
                self.memory.ratio.unscaled(settings.low_water_tokens / 2),
            ),
            pinned: last_request(shown, settings.task_tokens),
            cuts: Cuts::Nobodys,
        };
        Decision::of(policy, shown, wanted)
    }

    fn apply(&mut self, decision: &Decision, written: Vec<Written>) {
        let written = written.into_iter().map(|written| (written.group, written.summary));
        let first = self.ledger.apply(&decision.actions, written);
        self.note(first);
    }

    /// Notes that the fate of this turn of the source changed.
    fn note(&mut self, first: Option<usize>) {
        self.step.changed = match (self.step.changed, first) {
            (Some(known), Some(first)) => Some(known.min(first)),
            (known, first) => known.or(first),
        };
    }

    /// Makes do with what there is: where the context does not fit, it is brought down without summaries, and then what is
    /// new is shortened, too.
    fn finish(&mut self) -> Next {
        self.step.waiting = None;
        if !self.fits()
            && let Some(decision) = self.decide(&*self.config.fallback)
        {
            self.apply(&decision, Vec::new());
        }
        if !self.fits() {
            self.shorten_recent();
        }
        self.end()
    }

    /// Leaves only the last unit alone, and of its long texts the beginning and the end where that is too much.
    fn shorten_recent(&mut self) {
        let high = self.room(self.settings().high_water_tokens);
        let limit = self.room(self.settings().limit_tokens);
        let recent = last_unit(self.ledger.shown());
        let cuts = if self.settings().clip_active { Cuts::Anybodys } else { Cuts::ButThoseOfPersons };
        let target = self.room(self.low()).min(high);
        let wanted = Wanted { most: high, target, limit, recent, pinned: None, cuts };
        if let Some(decision) = Decision::of(&*self.config.last_resort, self.ledger.shown(), wanted) {
            self.step.degraded = Some(DegradedReason::RecentShortened);
            self.apply(&decision, Vec::new());
        }
    }
}
