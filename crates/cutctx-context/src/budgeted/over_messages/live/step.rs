//! A step of a context that grows with its session.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{ContextError, DurableObject, Message};
use cutctx_types::Role;

use super::super::super::asking::{Asking, Circumstances, Material, Visible};
use super::super::super::estimating::overhead;
use super::super::super::machine::{Ask, Ended, Next, WantedSummary};
use super::super::super::outcome::ContextOutcome;
use super::super::super::scale::Anchor;
use super::super::super::stored::put_into;
use super::{LiveContext, Pending, Shown};
use crate::compaction::{CompactionOutcome, CompactionRequest, ContextCompactor, without_peer_content};
use crate::estimate::{ContextPressureOverhead, ContextUsageState};
use crate::policy::ContextBuildError;
use crate::request::{CompactionInstructions, ContextRequest};
use crate::telemetry::ContextTelemetry;

/// What a step of a [`LiveContext`] is begun with.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct LiveRequest {
    /// What the provider reported for the call before.
    pub context_usage: ContextUsageState,
    /// What the request will hold besides messages.
    pub pressure_overhead: Arc<ContextPressureOverhead>,
    /// Compact now, whatever the size.
    pub force_compaction: bool,
    /// What was sent did not fit the window.
    pub force_bounded_compaction: bool,
    /// What the compactor is told besides.
    pub compaction_instructions: Option<CompactionInstructions>,
    /// What the caller tells compactors.
    pub metadata: DurableObject,
}

impl LiveRequest {
    /// Nothing known, nothing forced.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With what the provider reported for the call before.
    #[must_use]
    pub fn with_usage(mut self, usage: ContextUsageState) -> Self {
        self.context_usage = usage;
        self
    }

    /// With what the request will hold besides messages.
    #[must_use]
    pub fn with_overhead(mut self, overhead: impl Into<Arc<ContextPressureOverhead>>) -> Self {
        self.pressure_overhead = overhead.into();
        self
    }
}

impl From<&ContextRequest> for LiveRequest {
    fn from(request: &ContextRequest) -> Self {
        Self {
            context_usage: request.context_usage.clone(),
            pressure_overhead: Arc::clone(&request.pressure_overhead),
            force_compaction: request.force_compaction,
            force_bounded_compaction: request.force_bounded_compaction,
            compaction_instructions: request.compaction_instructions.clone(),
            metadata: request.metadata.clone(),
        }
    }
}

/// Where a step of a [`LiveContext`] stands.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a caller must answer every question that a step has")]
pub enum LiveStep {
    /// The context is there: [`LiveContext::messages`].
    Done(Box<LiveResult>),
    /// A summary is wanted, by the policy's [compactor](LiveContext::compactor) or by other means. The answer goes to
    /// [`LiveContext::resume`].
    Summarize(Box<CompactionRequest>),
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiveResult {
    /// What came of it.
    pub outcome: ContextOutcome,
    /// The checkpoint that replaces the one before as a whole; `None` where that stays.
    pub checkpoint: Option<DurableObject>,
    /// What may be told about that change.
    pub checkpoint_event_payload: Option<DurableObject>,
    /// What happened on the way.
    pub compaction_telemetry: Vec<ContextTelemetry>,
    /// The first message of the session that is shown otherwise than before; `None` where nothing was rewritten.
    pub first_changed_message: Option<usize>,
}

impl LiveContext {
    /// Begins a step. A step that waits for a summary is given up; what it did already stays.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when there are no messages, the last one calls and is not answered, or a checkpoint cannot
    /// be stored.
    pub fn begin(&mut self, request: &LiveRequest) -> Result<LiveStep, ContextBuildError> {
        self.check_end()?;
        if self.pending.take().is_some() {
            self.show()?;
        }
        self.telemetry.clear();
        let config = Arc::clone(&self.machine.config);
        let overhead = overhead(&*config.estimator, &request.pressure_overhead);
        let ask = Ask {
            anchor: self.anchor(&request.context_usage, overhead),
            overhead,
            force: request.force_compaction,
            overflowed: request.force_bounded_compaction,
        };
        let next = self.machine.begin(ask);
        self.go(next, self.circumstances(request), None)
    }

    /// Goes on with a summary, or with why there is none.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`].
    pub fn resume(&mut self, outcome: CompactionOutcome) -> Result<LiveStep, ContextBuildError> {
        let Some(Pending { asking, circumstances, visible }) = self.pending.take() else {
            return self.begin(&LiveRequest::new());
        };
        let (next, told) = asking.answered(&mut self.machine, outcome);
        self.telemetry.extend(told);
        self.go(next, circumstances, Some(visible))
    }

    /// The compactor that the policy was made with.
    #[must_use]
    pub fn compactor(&self) -> &Arc<dyn ContextCompactor> {
        &self.machine.config.compactor
    }

    fn check_end(&self) -> Result<(), ContextError> {
        match self.source.as_slice().len().checked_sub(1) {
            None => Err(ContextError::Empty),
            Some(message) if self.source.is_open() => Err(ContextError::DanglingCalls { message }),
            Some(_) => Ok(()),
        }
    }

    /// What the provider counted, where what is shown begins with what it counted.
    fn anchor(&mut self, usage: &ContextUsageState, overhead: u64) -> Option<Anchor> {
        let observed = usage.last_input_tokens?;
        let count = self.view.covered(usage.input_coverage.as_ref()?)?;
        let messages = self.view.messages();
        let replied = messages.get(count).is_some_and(|message| message.role() == Role::Assistant);
        let reply = usage.last_output_tokens.filter(|_| replied);
        let known = count.saturating_add(usize::from(reply.is_some()));
        let since = self.view.taken(messages.len()).saturating_sub(self.view.taken(known));
        let estimated = self.view.taken(count).saturating_add(overhead);
        Some(Anchor { observed, estimated, reply, since })
    }

    fn circumstances(&self, request: &LiveRequest) -> Circumstances {
        Circumstances {
            session: self.session.clone(),
            usage: request.context_usage.clone(),
            overflowed: request.force_bounded_compaction,
            force: request.force_compaction,
            has_form: request.pressure_overhead.structured_output_instruction.is_some(),
            has_peer_content: self.source.has_peer_content(),
            instructions: request.compaction_instructions.clone(),
            metadata: request.metadata.clone(),
        }
    }

    /// Goes on until the step is done or asks for a summary.
    fn go(
        &mut self,
        mut next: Next,
        circumstances: Circumstances,
        mut known: Option<Shown>,
    ) -> Result<LiveStep, ContextBuildError> {
        loop {
            let wanted = match next {
                Next::Done(ended) => return self.done(ended),
                Next::Summarize(wanted) => wanted,
            };
            let plan = self.machine.plan_number();
            let visible = match known.take() {
                Some((of, visible)) if of == plan => visible,
                Some(_) | None => self.visible(&circumstances.usage),
            };
            let asking = self.asking(wanted, &circumstances, &visible);
            let (request, started) = match asking.pose(&mut self.machine, &circumstances, &visible) {
                Ok(posed) => posed,
                Err(instead) => {
                    next = instead;
                    continue;
                }
            };
            self.telemetry.push(started);
            self.pending = Some(Pending { asking, circumstances, visible: (plan, visible) });
            return Ok(LiveStep::Summarize(Box::new(request)));
        }
    }

    fn asking(&self, wanted: WantedSummary, circumstances: &Circumstances, visible: &Visible) -> Asking {
        let material = Material::of_messages(&wanted, &self.machine.ledger, &self.source);
        Asking::new(&self.machine, wanted, material, circumstances, visible)
    }

    fn visible(&mut self, usage: &ContextUsageState) -> Visible {
        let coverage = usage.input_coverage.as_ref();
        let is_cached = coverage.is_some_and(|coverage| self.view.covered(coverage).is_some());
        let messages: Vec<Message> = self.view.messages().iter().map(without_peer_content).collect();
        Visible { messages: messages.into(), is_cached }
    }

    fn done(&mut self, ended: Ended) -> Result<LiveStep, ContextBuildError> {
        if ended.changed.is_some() {
            self.show()?;
        }
        let invalidated = self.invalidated.take();
        let outcome = ended.outcome(self.machine.config.settings.limit_tokens, invalidated);
        let mut result = LiveResult {
            outcome,
            checkpoint: None,
            checkpoint_event_payload: None,
            compaction_telemetry: core::mem::take(&mut self.telemetry),
            first_changed_message: ended
                .changed
                .and_then(|turn| self.source.message_of(turn))
                .map(|(message, _)| message),
        };
        if ended.is_to_keep || invalidated.is_some() {
            let source = self.bound();
            self.checkpoint = put_into(&self.checkpoint, &self.machine, &source)?;
            result.checkpoint = Some(self.checkpoint.clone());
            result.checkpoint_event_payload = Some(ended.event(&self.machine, &outcome, invalidated));
        }
        Ok(LiveStep::Done(Box::new(result)))
    }
}
