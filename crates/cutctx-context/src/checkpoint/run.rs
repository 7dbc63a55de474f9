//! One build: passes of the compactor until the context is within its bounds.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message, compaction_boundaries};
use cutctx_types::Coded as _;

use super::Config;
use super::events::{PassFigures, checkpoint_event};
use super::facts::{self, Answers};
use super::projection::Source;
use super::selection::{self, Selection};
use super::settings::SizeMode;
use super::stored::{KEY, Stored};
use super::verdict::Asked;
use crate::compaction::{CompactionOutcome, CompactionRequest, CompactionResult, without_peer_content};
use crate::estimate::ContextPressureEstimate;
use crate::measure::pressure;
use crate::payload::Payload;
use crate::policy::{
    BuildFault, CompactionFault, ContextBuildError, ContextBuildResult, PassStop, PendingCompaction, Step,
    StepResult,
};
use crate::project::{ProjectionError, strip_old_file_attachments};
use crate::request::ContextRequest;
use crate::resume::Resume;
use crate::telemetry::{ContextTelemetry, ContextTelemetryType};

/// One build.
#[derive(Debug)]
pub(super) struct Run {
    config: Arc<Config>,
    request: ContextRequest,
    head: usize,
    boundaries: Vec<usize>,
    selection: Selection,
    /// The checkpoint as it stands, this build's changes among it.
    checkpoint: DurableObject,
    /// Which message this build began at.
    began_at: usize,
    pass: usize,
    telemetry: Vec<ContextTelemetry>,
    /// What may be told about the new checkpoint, once there is one.
    event: Option<DurableObject>,
}

impl Run {
    /// Begins to build over well-formed messages.
    pub(super) fn begin(
        config: Arc<Config>,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> StepResult {
        let checkpoint = checkpoint.cloned().unwrap_or_default();
        let boundaries = compaction_boundaries(&request.messages);
        let head = selection::head(&config.settings, &request.messages);
        let stored = Stored::load(&checkpoint, head, &boundaries);
        let selection = if config.settings.size.is_some() {
            selection::by_size(&config.settings, &request, stored, head, &boundaries)?
        } else {
            selection::by_count(&config.settings, &request.messages, head, stored)
        };
        let began_at = selection.stored.cursor;
        let telemetry = Vec::new();
        Self {
            config,
            request,
            head,
            boundaries,
            selection,
            checkpoint,
            began_at,
            pass: 1,
            telemetry,
            event: None,
        }
        .next()
    }

    /// Asks the compactor, or shows what there is.
    fn next(mut self) -> StepResult {
        let newly = self.newly();
        if newly.is_empty() || !(self.selection.triggered || self.request.force_compaction) {
            return self.conclude(None);
        }
        let most = self.config.settings.max_attachment_results;
        let answers = facts::ask(&*self.config.compactor, &self.request, &self.selection.stored, most);
        if self.is_suppressed(&answers) {
            return self.conclude(None);
        }
        let compaction = self.compaction_request(&answers)?;
        self.telemetry.push(self.figures().started(answers.bounded_input));
        let compactor = Arc::clone(&self.config.compactor);
        let resume = Resume::new(move |outcome| self.answered(&answers, outcome));
        Ok(Step::Summarize(Box::new(PendingCompaction::new(compactor, compaction, resume))))
    }

    /// The messages that no summary stands for and that need not stay.
    fn newly(&self) -> &[Message] {
        self.request
            .messages
            .get(self.selection.stored.cursor..self.selection.compactable)
            .unwrap_or_default()
    }

    fn is_suppressed(&self, answers: &Answers) -> bool {
        let exhausted = self.selection.stored.exhausted.as_ref();
        !self.request.force_compaction && exhausted.is_some() && exhausted == answers.progress_key.as_ref()
    }

    fn compaction_request(&self, answers: &Answers) -> Result<CompactionRequest, ProjectionError> {
        let most = self.config.settings.max_attachment_results;
        let shown = strip_old_file_attachments(&self.request.messages, most)?;
        let newly: Vec<Message> = self.newly().iter().map(without_peer_content).collect();
        let mut compaction = CompactionRequest::new(self.request.session.clone(), newly);
        compaction.existing_summary.clone_from(&self.selection.stored.summary);
        compaction.context_messages = shown.iter().map(without_peer_content).collect();
        compaction.cache_prefix.clone_from(&answers.cache_prefix);
        compaction.force_bounded_compaction = self.request.force_bounded_compaction;
        compaction.instructions.clone_from(&self.request.compaction_instructions);
        compaction.metadata = self.request.metadata.clone();
        Ok(compaction)
    }

    fn figures(&self) -> PassFigures<'_> {
        PassFigures {
            checkpoint: KEY,
            compactor: self.config.compactor.name(),
            start: self.selection.stored.cursor,
            end: self.selection.compactable,
            messages: self.request.messages.len(),
        }
    }

    /// Takes the compactor's answer.
    fn answered(mut self, answers: &Answers, outcome: CompactionOutcome) -> StepResult {
        let payloads = match &outcome {
            Ok(result) => &result.model_completed_payloads,
            Err(failure) => &failure.model_completed_payloads,
        };
        let models = payloads.iter().cloned();
        self.telemetry.extend(
            models.map(|payload| ContextTelemetry::new(ContextTelemetryType::ModelCompleted, payload)),
        );
        let accepted = outcome.map_err(CompactionFault::from).and_then(|result| {
            let asked = Asked {
                given: self.newly().len(),
                stored: &self.selection.stored,
                boundaries: &self.boundaries,
                progress_key: answers.progress_key.as_ref(),
            };
            asked.accept(&result).map(|stored| (result, stored))
        });
        match accepted {
            Ok((result, stored)) => self.take(&result, stored),
            Err(fault) => Err(self.failed(answers, fault)),
        }
    }

    /// The failure of a pass, with what earlier passes reached.
    fn failed(mut self, answers: &Answers, fault: CompactionFault) -> ContextBuildError {
        self.telemetry.push(self.figures().failed(answers.bounded_input, fault.code().as_str()));
        self.error(fault.into())
    }

    fn error(self, fault: BuildFault) -> ContextBuildError {
        let checkpoint = self.event.is_some().then_some(self.checkpoint);
        ContextBuildError::new(fault).with_telemetry(self.telemetry).with_checkpoint(checkpoint, self.event)
    }

    /// Keeps an accepted summary.
    fn take(mut self, result: &CompactionResult, stored: Stored) -> StepResult {
        let completed = self.figures().completed(result, &stored);
        match stored.put_into(&self.checkpoint, &result.metadata) {
            Ok(checkpoint) => self.checkpoint = checkpoint,
            Err(error) => return Err(self.error(error.into())),
        }
        let newly = stored.cursor.saturating_sub(self.began_at);
        let recent = self.request.messages.len().saturating_sub(self.selection.compactable);
        self.event = Some(checkpoint_event(stored.cursor, self.began_at, newly, recent));
        let progressed = stored.cursor > self.selection.stored.cursor;
        self.selection.stored = stored;
        self.conclude(Some(Taken { completed, progressed }))
    }

    /// Shows the context where it is within its bounds, and otherwise makes another pass or fails.
    fn conclude(mut self, taken: Option<Taken>) -> StepResult {
        let shown = self.shown_from(self.selection.stored.cursor)?;
        let Some(size) = self.config.settings.size.filter(|_| self.selection.by_size) else {
            self.telemetry.extend(taken.map(|taken| taken.event(None)));
            return Ok(self.done(shown));
        };
        let estimate = self.pressure(&shown)?;
        let progressed = taken.as_ref().is_some_and(|taken| taken.progressed);
        let target = (!self.config.settings.enforce_recent_context_target).then_some((size, &estimate));
        self.telemetry.extend(taken.map(|taken| taken.event(target)));
        if self.is_within(size, &estimate) {
            return Ok(self.done(shown));
        }
        let stop = match self.can_continue(size, progressed)? {
            false => PassStop::NoSafePrefixContinuation,
            true if self.pass >= self.max_passes() => PassStop::PassLimit,
            true => {
                self.pass = self.pass.saturating_add(1);
                return self.next();
            }
        };
        let fault = BuildFault::SizeBounds {
            passes: self.pass,
            max_passes: self.max_passes(),
            stop,
            context_input_tokens: estimate.estimated_context_input_tokens,
            context_window_tokens: estimate.estimated_context_window_tokens,
        };
        Err(self.error(fault))
    }

    fn shown_from(&self, rest: usize) -> Result<Vec<Message>, ProjectionError> {
        let (messages, settings) = (&self.request.messages, &self.config.settings);
        Source { messages, head: self.head, settings }.shown(&self.selection.stored, rest)
    }

    fn pressure(&self, shown: &[Message]) -> Result<ContextPressureEstimate, ProjectionError> {
        Ok(pressure(&self.request, shown, self.config.settings.reserved_output_tokens)?)
    }

    fn is_within(&self, size: SizeMode, estimate: &ContextPressureEstimate) -> bool {
        let enforced = self.config.settings.enforce_recent_context_target && self.selection.target_satisfied;
        let wide = estimate.estimated_context_input_tokens > size.max_recent_context_tokens;
        let full = estimate.estimated_context_window_tokens >= size.compact_after_estimated_context_tokens;
        !(full || enforced && wide)
    }

    /// Whether a further pass makes sense: this one made progress, there is more to compact, and the context fits once
    /// all of that is gone.
    fn can_continue(&self, size: SizeMode, progressed: bool) -> Result<bool, ContextBuildError> {
        if !progressed || self.selection.stored.cursor >= self.selection.compactable {
            return Ok(false);
        }
        let least = self.shown_from(self.selection.compactable)?;
        Ok(self.is_within(size, &self.pressure(&least)?))
    }

    fn max_passes(&self) -> usize {
        if self.request.force_compaction { 1 } else { self.config.settings.max_compaction_passes }
    }

    fn done(self, shown: Vec<Message>) -> Step {
        let mut result = ContextBuildResult::new(shown);
        result.checkpoint = self.event.is_some().then_some(self.checkpoint);
        result.checkpoint_event_payload = self.event;
        result.compaction_telemetry = self.telemetry;
        Step::Done(Box::new(result))
    }
}

/// An accepted summary.
struct Taken {
    completed: Payload,
    progressed: bool,
}

impl Taken {
    /// What is told about it, with how the context stands to its target where that is not enforced.
    fn event(self, target: Option<(SizeMode, &ContextPressureEstimate)>) -> ContextTelemetry {
        let payload = match target {
            None => self.completed,
            Some((size, estimate)) => {
                let (kept, input) = (size.max_recent_context_tokens, estimate.estimated_context_input_tokens);
                let (after, window) =
                    (size.compact_after_estimated_context_tokens, estimate.estimated_context_window_tokens);
                self.completed
                    .value("retained_target_enforced", false)
                    .tokens("retained_target", kept)
                    .value("retained_target_met", input <= kept)
                    .tokens("estimated_context_input_tokens", input)
                    .tokens("estimated_context_window_tokens", window)
                    .value("estimated_window_within_trigger", window < after)
            }
        };
        ContextTelemetry::new(ContextTelemetryType::CompactionCompleted, payload.object())
    }
}
