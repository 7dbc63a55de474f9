//! Asking a compactor, and judging its answer.

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message, SpokenText, compaction_boundaries};
use cutctx_types::Coded as _;

use super::machine::{Machine, Next, WantedSummary};
use crate::checkpoint::{Asked, PassFigures, Stored};
use crate::compaction::{
    CompactionFacts, CompactionOutcome, CompactionRequest, CompactionResult, ContextCompactor,
};
use crate::estimate::ContextUsageState;
use crate::policy::CompactionFault;
use crate::request::CompactionInstructions;
use crate::session::Session;
use crate::telemetry::{ContextTelemetry, ContextTelemetryType};

/// What compactors are told of a step.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is something that compactors are told")]
pub(super) struct Circumstances {
    pub(super) session: Session,
    pub(super) usage: ContextUsageState,
    pub(super) overflowed: bool,
    pub(super) force: bool,
    pub(super) has_form: bool,
    pub(super) has_peer_content: bool,
    pub(super) instructions: Option<CompactionInstructions>,
    pub(super) metadata: DurableObject,
}

/// What a summary is to stand for, as messages.
#[derive(Debug, Clone, Default)]
pub(super) struct Material {
    pub(super) messages: Vec<Message>,
    /// The summary that is taken in.
    pub(super) existing: Option<SpokenText>,
    /// How many of the wanted positions the first so many messages stand for, the summary's among them.
    pub(super) ends: Vec<usize>,
    /// The first message of the source, or turn, and the one behind the last.
    pub(super) range: (usize, usize),
    /// How many messages, or turns, the source has.
    pub(super) total: usize,
}

/// What is shown, as a compactor may want it.
#[derive(Debug, Clone, Default)]
pub(super) struct Visible {
    pub(super) messages: Arc<[Message]>,
    /// Whether a provider has just seen the beginning of them.
    pub(super) is_cached: bool,
}

/// A question to a compactor that waits for its answer.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    compactor: Arc<dyn ContextCompactor>,
    wanted: WantedSummary,
    material: Material,
    boundaries: Vec<usize>,
    progress_key: Option<Arc<str>>,
    bounded_input: Option<bool>,
    wants_cache_prefix: bool,
}

impl Asking {
    /// Asks a compactor about itself.
    pub(super) fn new(
        machine: &Machine,
        wanted: WantedSummary,
        material: Material,
        circumstances: &Circumstances,
        visible: &Visible,
    ) -> Self {
        let compactor = Arc::clone(&machine.config.compactor);
        let mut facts = CompactionFacts {
            session: &circumstances.session,
            usage: &circumstances.usage,
            has_existing_summary: material.existing.is_some(),
            was_exhausted: machine.memory.exhausted.is_some(),
            force_bounded_compaction: circumstances.overflowed,
            has_structured_output_instruction: circumstances.has_form,
            has_peer_content: circumstances.has_peer_content,
            has_cache_prefix: false,
        };
        let wants_cache_prefix = compactor.wants_cache_prefix(&facts) && visible.is_cached;
        facts.has_cache_prefix = wants_cache_prefix;
        let progress_key = compactor.progress_key(&facts).map(|key| key.as_str().into());
        let bounded_input = compactor.bounded_input(&facts);
        let boundaries = compaction_boundaries(&material.messages);
        Self { compactor, wanted, material, boundaries, progress_key, bounded_input, wants_cache_prefix }
    }

    /// Asks, and what is told of it. Where it is known that nothing comes of asking, what the machine does instead.
    pub(super) fn pose(
        &self,
        machine: &mut Machine,
        circumstances: &Circumstances,
        visible: &Visible,
    ) -> Result<(CompactionRequest, ContextTelemetry), Next> {
        let exhausted = machine.memory.exhausted.clone();
        if exhausted.is_some() && exhausted == self.progress_key && !circumstances.force {
            return Err(machine.go_without(exhausted));
        }
        machine.count_call();
        Ok((self.request(circumstances, visible), self.figures().started(self.bounded_input)))
    }

    fn request(&self, circumstances: &Circumstances, visible: &Visible) -> CompactionRequest {
        let messages = self.material.messages.clone();
        let mut request = CompactionRequest::new(circumstances.session.clone(), messages);
        request.existing_summary.clone_from(&self.material.existing);
        request.context_messages = Arc::clone(&visible.messages);
        request.cache_prefix = self.wants_cache_prefix.then(|| Arc::clone(&visible.messages));
        request.force_bounded_compaction = circumstances.overflowed;
        request.instructions.clone_from(&circumstances.instructions);
        request.summary_token_budget = Some(self.wanted.tokens);
        request.metadata = circumstances.metadata.clone();
        request
    }

    /// What the machine does with the answer, and what is told of it.
    pub(super) fn answered(
        self,
        machine: &mut Machine,
        outcome: CompactionOutcome,
    ) -> (Next, Vec<ContextTelemetry>) {
        let payloads = match &outcome {
            Ok(result) => &result.model_completed_payloads,
            Err(failure) => &failure.model_completed_payloads,
        };
        let models = payloads.iter().cloned();
        let mut told: Vec<ContextTelemetry> = models
            .map(|payload| ContextTelemetry::new(ContextTelemetryType::ModelCompleted, payload))
            .collect();
        match outcome.map_err(CompactionFault::from).and_then(|result| self.judged(result)) {
            Ok((result, next)) => {
                let completed = self.figures().completed(&result, &next).object();
                told.push(ContextTelemetry::new(ContextTelemetryType::CompactionCompleted, completed));
                (self.taken(machine, &result, next), told)
            }
            Err(fault) => {
                told.push(self.figures().failed(self.bounded_input, fault.code().as_str()));
                (machine.go_without(None), told)
            }
        }
    }

    fn judged(&self, result: CompactionResult) -> Result<(CompactionResult, Stored), CompactionFault> {
        let stored = self.stored();
        let asked = Asked {
            given: self.material.messages.len(),
            stored: &stored,
            boundaries: &self.boundaries,
            progress_key: self.progress_key.as_ref(),
        };
        let next = asked.accept(&result)?;
        Ok((result, next))
    }

    fn stored(&self) -> Stored {
        Stored { cursor: 0, summary: self.material.existing.clone(), exhausted: None }
    }

    fn taken(&self, machine: &mut Machine, result: &CompactionResult, next: Stored) -> Next {
        let covered = next.cursor.checked_sub(1).and_then(|last| self.material.ends.get(last));
        match covered {
            Some(covered) => machine.take(&result.summary, &self.wanted, *covered, next.exhausted),
            None => machine.go_without(next.exhausted),
        }
    }

    fn figures(&self) -> PassFigures<'_> {
        let (start, end) = self.material.range;
        PassFigures {
            checkpoint: "budgeted_context",
            compactor: self.compactor.name(),
            start,
            end,
            messages: self.material.total,
        }
    }
}
