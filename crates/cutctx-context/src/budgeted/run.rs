//! One build.

mod end;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message, SpokenText, TextPart, compaction_boundaries, system_prefix};
use cutctx_types::{Coded as _, Role};

use super::Config;
use super::cost::Costs;
use super::edits::{Edits, Wanted};
use super::memory::Memory;
use super::outcome::{DegradedReason, InvalidatedReason};
use super::plan::{Layout, Target};
use super::scale::{Ratio, anchored};
use super::settings::BudgetedContextSettings;
use super::shorten::text_within;
use crate::checkpoint::{Answers, Asked, PassFigures, Stored, ask};
use crate::compaction::{CompactionOutcome, CompactionRequest, ExtractiveCompactor, without_peer_content};
use crate::policy::{CompactionFault, ContextBuildError, PendingCompaction, Step, StepResult};
use crate::project::strip_old_file_attachments;
use crate::request::ContextRequest;
use crate::resume::Resume;
use crate::telemetry::{ContextTelemetry, ContextTelemetryType};

/// The most calls of the compactor for one context.
const MOST_PASSES: usize = 8;

/// One build.
pub(super) struct Run {
    config: Arc<Config>,
    request: ContextRequest,
    checkpoint: DurableObject,
    layout: Layout,
    memory: Memory,
    /// What was remembered when the build began.
    remembered: Memory,
    invalidated: Option<InvalidatedReason>,
    ratio: Ratio,
    /// What the context took, in tokens, before anything was done.
    before: u64,
    degraded: Option<DegradedReason>,
    passes: usize,
    telemetry: Vec<ContextTelemetry>,
}

impl Run {
    /// Begins to build over well-formed messages.
    pub(super) fn begin(
        config: Arc<Config>,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> StepResult {
        let settings = &config.settings;
        let costs = Costs::new(&*config.estimator, &request.pressure_overhead);
        let shown = strip_old_file_attachments(&request.messages, settings.max_attachment_results)?;
        let head = head(settings, &shown, &costs);
        let (memory, invalidated) = Memory::load(checkpoint, settings, &request.messages, head);
        let mut shown = shown;
        memory.edits.put_into(&mut shown);
        let layout =
            Layout::new(shown, compaction_boundaries(&request.messages), (head, memory.cursor), &costs);
        let mut run = Self {
            checkpoint: checkpoint.cloned().unwrap_or_default(),
            ratio: memory.ratio,
            remembered: memory.clone(),
            memory,
            layout,
            invalidated,
            before: 0,
            degraded: None,
            passes: 0,
            telemetry: Vec::new(),
            request,
            config,
        };
        run.measure()?;
        run.decide()
    }

    fn settings(&self) -> &BudgetedContextSettings {
        &self.config.settings
    }

    fn costs(&self) -> Costs<'_> {
        Costs::new(&*self.config.estimator, &self.request.pressure_overhead)
    }

    /// Measures the context as it stands: what the provider counted where it was sent, and what came since.
    fn measure(&mut self) -> Result<(), ContextBuildError> {
        let context = self.context()?;
        let known = anchored(&self.request, &context, &self.costs());
        let estimate = self.estimate();
        (self.before, self.ratio) = known.unwrap_or((self.ratio.scaled(estimate), self.ratio));
        if self.request.force_bounded_compaction && self.before <= self.settings().limit_tokens {
            // It did not fit, so it takes more than was thought.
            let limit = self.settings().limit_tokens;
            self.before = limit.saturating_add(limit / 8);
            self.ratio = Ratio::new(Some(self.before), Some(estimate));
        }
        self.memory.ratio = self.ratio;
        Ok(())
    }

    fn summary_tokens(&self) -> u64 {
        let summary = self.memory.summary.as_deref();
        summary.map_or(0, |summary| self.costs().of_text(summary).saturating_add(self.prefix_tokens()))
    }

    fn prefix_tokens(&self) -> u64 {
        self.costs().of_text(self.settings().summary_prefix.as_str()).saturating_add(1)
    }

    fn estimate(&self) -> u64 {
        self.layout.tokens(self.memory.cursor, self.memory.pruned, self.summary_tokens())
    }

    fn target(&self, tokens: u64) -> Target {
        Target { tokens, ratio: self.ratio }
    }

    /// How far down to go.
    fn low(&self) -> Target {
        let least_gain = self.before.saturating_sub(self.settings().min_gain_tokens);
        let low = self.settings().low_water_tokens;
        self.target(if self.request.force_compaction { low.min(least_gain) } else { low })
    }

    fn fits(&self) -> bool {
        self.target(self.settings().limit_tokens).allows(self.estimate())
    }

    /// Does nothing below the high mark, and otherwise what has to be done.
    fn decide(mut self) -> StepResult {
        let settings = self.settings();
        let forced = self.request.force_compaction || self.request.force_bounded_compaction;
        if !forced && self.before <= settings.high_water_tokens {
            return self.done();
        }
        let fits = self.before <= settings.limit_tokens;
        let grown = self
            .memory
            .stalled_at
            .is_none_or(|at| self.before >= at.saturating_add(settings.min_gain_tokens));
        if !forced && fits && !grown {
            self.degraded = Some(DegradedReason::LittleGain);
            return self.done();
        }
        let recent = self.recent();
        let unedited = self.layout.shown.clone();
        if self.plan(recent) || self.prune(recent) {
            return self.done();
        }
        let cut = self.cut(recent);
        if fits && !forced && !self.is_worth(cut) {
            self.show(unedited);
            self.memory = self.remembered.clone();
            self.memory.ratio = self.ratio;
            self.memory.stalled_at = Some(self.before);
            self.degraded = Some(DegradedReason::LittleGain);
            return self.done();
        }
        self.summarize(cut)
    }

    /// Where what is protected begins: so many messages, as long as they take no more than half of the low mark.
    fn recent(&self) -> usize {
        let (wanted, last) =
            (self.layout.leaving(self.settings().protected_recent_messages), self.layout.leaving(1));
        let half = self.target(self.settings().low_water_tokens / 2);
        if half.allows(self.layout.tail(wanted)) {
            return wanted;
        }
        self.layout
            .first_boundary(wanted, last, |boundary| half.allows(self.layout.tail(boundary)))
            .unwrap_or(last)
    }

    /// Has the policy over turns shorten results, where there is one. Whether that is enough.
    fn plan(&mut self, recent: usize) -> bool {
        let Some(planner) = self.config.planner.clone() else { return false };
        let from = self.memory.cursor;
        let fixed = self.layout.fixed(from, self.summary_tokens());
        let wanted = Wanted { from, recent, most: self.low().estimate().saturating_sub(fixed) };
        let visible = self.layout.with_stubs(self.memory.pruned);
        let edits = Edits::planned(&*planner, &*self.config.estimator, &visible, wanted);
        let Some(edits) = edits.filter(|edits| !edits.is_empty()) else { return false };
        let mut shown = self.layout.shown.clone();
        edits.put_into(&mut shown);
        self.show(shown);
        self.memory.edits.take(edits);
        self.low().allows(self.estimate())
    }

    fn show(&mut self, shown: Vec<Message>) {
        let costs = Costs::new(&*self.config.estimator, &self.request.pressure_overhead);
        self.layout.showing(shown, &costs);
    }

    /// Shows old results as stubs, as few as it takes. Whether that is enough.
    fn prune(&mut self, recent: usize) -> bool {
        let low = self.low();
        let summary = self.summary_tokens();
        let allowed = |pruned: usize| low.allows(self.layout.tokens(self.memory.cursor, pruned, summary));
        let enough = self.layout.first_boundary(self.memory.pruned, recent, allowed);
        self.memory.pruned = enough.unwrap_or(recent).max(self.memory.pruned);
        enough.is_some()
    }

    /// Up to where has to be summarized.
    fn cut(&self, recent: usize) -> usize {
        let (low, pruned) = (self.low(), self.memory.pruned);
        let summary = self.settings().summary_tokens.saturating_add(self.prefix_tokens());
        let allowed = |cursor: usize| low.allows(self.layout.tokens(cursor, pruned, summary));
        self.layout.first_boundary(self.memory.cursor, recent, allowed).unwrap_or(recent)
    }

    /// Whether a summary up to here frees enough.
    fn is_worth(&self, cut: usize) -> bool {
        let summary = self.settings().summary_tokens.saturating_add(self.prefix_tokens());
        let cut = cut.max(self.memory.cursor);
        let after = if cut > self.memory.cursor {
            self.layout.tokens(cut, self.memory.pruned, summary)
        } else {
            self.estimate()
        };
        self.ratio.scaled(after).saturating_add(self.settings().min_gain_tokens) <= self.before
    }

    /// Asks the compactor for a summary up to here.
    fn summarize(mut self, cut: usize) -> StepResult {
        if cut <= self.memory.cursor {
            return self.settle(None);
        }
        let stored = self.stored();
        let most = self.settings().max_attachment_results;
        let answers = ask(&*self.config.compactor, &self.request, &stored, most);
        let is_exhausted = stored.exhausted.is_some() && stored.exhausted == answers.progress_key;
        if is_exhausted && !self.request.force_compaction {
            return self.settle(Some(cut));
        }
        let compaction = self.compaction_request(cut, &answers);
        self.passes = self.passes.saturating_add(1);
        self.memory.calls = self.memory.calls.saturating_add(1);
        self.telemetry.push(self.figures(cut).started(answers.bounded_input));
        let compactor = Arc::clone(&self.config.compactor);
        let resume = Resume::new(move |outcome| self.answered(cut, &answers, outcome));
        Ok(Step::Summarize(Box::new(PendingCompaction::new(compactor, compaction, resume))))
    }

    fn stored(&self) -> Stored {
        Stored {
            cursor: self.memory.cursor,
            summary: self.memory.summary.clone(),
            exhausted: self.memory.exhausted.clone(),
        }
    }

    fn compaction_request(&self, cut: usize, answers: &Answers) -> CompactionRequest {
        let source = self.request.messages.get(self.memory.cursor..cut).unwrap_or_default();
        let newly: Vec<Message> = source.iter().map(without_peer_content).collect();
        let mut compaction = CompactionRequest::new(self.request.session.clone(), newly);
        compaction.existing_summary.clone_from(&self.memory.summary);
        compaction.context_messages = self.layout.shown.iter().map(without_peer_content).collect();
        compaction.cache_prefix.clone_from(&answers.cache_prefix);
        compaction.force_bounded_compaction = self.request.force_bounded_compaction;
        compaction.instructions.clone_from(&self.request.compaction_instructions);
        compaction.summary_token_budget = Some(self.settings().summary_tokens);
        compaction.metadata = self.request.metadata.clone();
        compaction
    }

    fn figures(&self, cut: usize) -> PassFigures<'_> {
        PassFigures {
            checkpoint: "budgeted_context",
            compactor: self.config.compactor.name(),
            start: self.memory.cursor,
            end: cut,
            messages: self.request.messages.len(),
        }
    }

    /// Takes the compactor's answer.
    fn answered(mut self, cut: usize, answers: &Answers, outcome: CompactionOutcome) -> StepResult {
        let payloads = match &outcome {
            Ok(result) => &result.model_completed_payloads,
            Err(failure) => &failure.model_completed_payloads,
        };
        let models = payloads.iter().cloned();
        self.telemetry.extend(
            models.map(|payload| ContextTelemetry::new(ContextTelemetryType::ModelCompleted, payload)),
        );
        let stored = self.stored();
        let asked = Asked {
            given: cut.saturating_sub(self.memory.cursor),
            stored: &stored,
            boundaries: &self.layout.boundaries,
            progress_key: answers.progress_key.as_ref(),
        };
        let accepted = outcome.map_err(CompactionFault::from).and_then(|result| {
            let next = asked.accept(&result)?;
            Ok((result, next))
        });
        match accepted {
            Ok((result, next)) => {
                let completed = self.figures(cut).completed(&result, &next).object();
                let completed = ContextTelemetry::new(ContextTelemetryType::CompactionCompleted, completed);
                self.telemetry.push(completed);
                self.take(cut, next)
            }
            Err(fault) => {
                let failed = self.figures(cut).failed(answers.bounded_input, fault.code().as_str());
                self.telemetry.push(failed);
                self.settle(Some(cut))
            }
        }
    }

    /// Keeps an accepted summary, and asks for another where it does not reach far enough.
    fn take(mut self, cut: usize, next: Stored) -> StepResult {
        let progressed = next.cursor > self.memory.cursor;
        self.keep(next);
        let more = progressed && self.memory.cursor < cut && self.passes < MOST_PASSES;
        if more && !self.low().allows(self.estimate()) {
            return self.summarize(cut);
        }
        let failed = if progressed { None } else { Some(cut) };
        self.settle(failed)
    }

    fn keep(&mut self, next: Stored) {
        self.memory.cursor = next.cursor;
        self.memory.pruned = self.memory.pruned.max(next.cursor);
        self.memory.edits.forget_before(next.cursor);
        self.memory.summary = next.summary.filter(|_| next.cursor > self.layout.head);
        self.memory.exhausted = next.exhausted;
    }

    /// Makes do with what there is. `failed` is up to where a summary was wanted and is not to be had.
    fn settle(mut self, failed: Option<usize>) -> StepResult {
        self.cut_summary();
        if let Some(cut) = failed {
            if self.fits() {
                self.degraded = Some(DegradedReason::SummaryFailed);
                self.memory.stalled_at = Some(self.ratio.scaled(self.estimate()));
                return self.done();
            }
            self.extract(cut);
        }
        if !self.fits() {
            self.shorten_recent();
        }
        self.done()
    }

    /// Cuts a summary that is longer than what was set aside for it, where the context is above its mark for that.
    fn cut_summary(&mut self) {
        let budget = self.settings().summary_tokens;
        let high = self.target(self.settings().high_water_tokens);
        let Some(summary) = self.memory.summary.clone() else { return };
        let tokens = self.costs().of_text(&summary);
        if tokens <= budget || high.allows(self.estimate()) {
            return;
        }
        if let Some(shorter) = within(&summary, budget, tokens, |text| self.costs().of_text(text)) {
            self.memory.summary = Some(shorter);
            self.degraded = Some(DegradedReason::SummaryCut);
        }
    }

    /// Summarizes up to here without a model.
    fn extract(&mut self, cut: usize) {
        let Some(source) =
            self.request.messages.get(self.memory.cursor..cut).filter(|source| !source.is_empty())
        else {
            return;
        };
        let mut compaction = CompactionRequest::new(
            self.request.session.clone(),
            source.iter().map(without_peer_content).collect::<Vec<Message>>(),
        );
        compaction.existing_summary.clone_from(&self.memory.summary);
        compaction.summary_token_budget = Some(self.settings().summary_tokens);
        let Ok(result) = ExtractiveCompactor::default().compact(&compaction) else { return };
        let exhausted = self.memory.exhausted.clone();
        self.keep(Stored { cursor: cut, summary: Some(result.summary), exhausted });
        self.degraded = Some(DegradedReason::SummaryExtracted);
    }

    /// Shortens what is new: stubs up to the last unit, then a summary up to there.
    fn shorten_recent(&mut self) {
        let last = self.layout.leaving(1);
        let limit = self.target(self.settings().limit_tokens);
        let summary = self.summary_tokens();
        let allowed = |pruned: usize| limit.allows(self.layout.tokens(self.memory.cursor, pruned, summary));
        let enough = self.layout.first_boundary(self.memory.pruned, last, allowed);
        self.memory.pruned = enough.unwrap_or(last).max(self.memory.pruned);
        if enough.is_none() && !self.fits() {
            self.extract(last);
            self.shrink_summary();
        }
        self.degraded = Some(DegradedReason::RecentShortened);
    }

    /// Halves the summary as long as the context does not fit and something of it is left.
    fn shrink_summary(&mut self) {
        let mut budget = self.settings().summary_tokens / 2;
        while !self.fits() && budget > 1 {
            let Some(summary) = self.memory.summary.clone() else { return };
            let tokens = self.costs().of_text(&summary);
            if tokens > budget {
                self.memory.summary =
                    within(&summary, budget, tokens, |text| self.costs().of_text(text)).or(Some(summary));
            }
            budget /= 2;
        }
    }

    fn context(&self) -> Result<Vec<Message>, ContextBuildError> {
        let summary = self.memory.summary.as_deref().map(|summary| {
            let text = [self.settings().summary_prefix.as_str(), "\n", summary].concat();
            Message::new(Role::User, [TextPart::new(text)?.into()].into())
        });
        Ok(self.layout.context(&self.memory, summary.transpose()?))
    }
}

/// How many of the first messages are always shown: those of the system, and the user's first where it is not too
/// large.
fn head(settings: &BudgetedContextSettings, shown: &[Message], costs: &Costs<'_>) -> usize {
    let system = system_prefix(shown);
    let task = shown.get(system).filter(|message| message.role() == Role::User);
    let fits = task.is_some_and(|task| costs.of(task) <= settings.task_tokens);
    system.saturating_add(usize::from(fits))
}

/// A summary of at most so many tokens, from one that takes `tokens`.
fn within(
    summary: &SpokenText,
    budget: u64,
    tokens: u64,
    of_text: impl Fn(&str) -> u64,
) -> Option<SpokenText> {
    let chars = u64::try_from(summary.chars().count()).unwrap_or(u64::MAX);
    let mut most = chars.saturating_mul(budget).checked_div(tokens)?;
    loop {
        let text = text_within(summary, usize::try_from(most).unwrap_or(usize::MAX));
        if of_text(&text) <= budget || most == 0 {
            return SpokenText::new(text).ok();
        }
        most = most.saturating_sub(most.div_ceil(8));
    }
}
