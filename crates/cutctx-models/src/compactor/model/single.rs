//! One prompt for all messages, or for as many as fit.

use cutctx_context::{
    CompactionOutcome, CompactionPrompt, CompactionRequest, CompactionResult, CompactionStep,
    default_compaction_prompt, message_digest,
};
use cutctx_messages::{DurableObject, DurableValue, Message, SpokenText, atomic_prefix_counts};

use super::{Finish, ModelCompactor, hierarchy};
use crate::compactor::asking::{Answer, Asking};
use crate::compactor::chars;
use crate::compactor::fault::Fault;
use crate::compactor::payload::{count, with, with_texts};

pub(super) fn begin(
    compactor: &ModelCompactor,
    request: &CompactionRequest,
    prompt: &CompactionPrompt,
    asking: Asking,
    finish: Finish,
) -> CompactionStep {
    let Some(most) = compactor.max_input_chars.filter(|most| chars::count(prompt.prompt()) > *most) else {
        let told = Told::of(compactor, request, "single_request", prompt.covered_message_count(), false);
        return ask(compactor, prompt.prompt(), told, asking, finish);
    };
    match prefix_that_fits(request, prompt.prompt(), most) {
        Err(()) => finish(Err(Fault::Nothing.into_failure(asking.payloads))),
        Ok(Prefix::Fits(prefix)) => {
            let told = Told::of(compactor, request, "message_prefix", prefix.covered_message_count(), true);
            ask(compactor, prefix.prompt(), told, asking, finish)
        }
        Ok(Prefix::FirstUnit(unit)) => hierarchy::begin(compactor, request, unit, most, asking, finish),
    }
}

fn ask(
    compactor: &ModelCompactor,
    prompt: &SpokenText,
    told: Told,
    asking: Asking,
    finish: Finish,
) -> CompactionStep {
    let request = compactor.request(prompt);
    asking.ask(request, Box::new(move |asking, answer| finish(told.outcome(asking, answer))))
}

/// What can be shown at once.
enum Prefix {
    /// The prompt of the longest prefix that fits.
    Fits(CompactionPrompt),
    /// Not even the first round, or message, fits; it has so many messages.
    FirstUnit(usize),
}

/// Each message is measured once: a prompt is as long as what it says besides, its messages, and a line break between
/// two.
fn prefix_that_fits(request: &CompactionRequest, prompt: &str, most: usize) -> Result<Prefix, ()> {
    let ends = ends_of(&request.messages);
    let counts = atomic_prefix_counts(&request.messages).map_err(|_| ())?;
    let all = ends.last().copied().unwrap_or(0);
    let besides = chars::count(prompt).saturating_sub(all);
    let fits = |count: &usize| {
        let end = count.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        besides.saturating_add(end) <= most
    };
    let fitting = counts.partition_point(fits);
    match fitting.checked_sub(1).and_then(|last| counts.get(last)) {
        None => counts.first().map(|unit| Prefix::FirstUnit(*unit)).ok_or(()),
        Some(count) => {
            default_compaction_prompt(&prefix_of(request, *count)).map(Prefix::Fits).map_err(|_| ())
        }
    }
}

/// Where each message ends in the text of all, in characters.
fn ends_of(messages: &[Message]) -> Vec<usize> {
    let mut end = 0_usize;
    let ends = messages.iter().enumerate().map(|(position, message)| {
        let line_break = usize::from(position > 0);
        end = end.saturating_add(line_break).saturating_add(chars::count(&message_digest(message)));
        end
    });
    ends.collect()
}

pub(super) fn prefix_of(request: &CompactionRequest, count: usize) -> CompactionRequest {
    let mut prefix = request.clone();
    prefix.messages = request.messages.iter().take(count).cloned().collect();
    prefix
}

/// What is told of a summary besides itself.
#[derive(Debug, Clone)]
pub(super) struct Told {
    existing_summary: Option<SpokenText>,
    mode: &'static str,
    covered: usize,
    bounded: bool,
    metadata: DurableObject,
}

impl Told {
    pub(super) fn of(
        compactor: &ModelCompactor,
        request: &CompactionRequest,
        mode: &'static str,
        covered: usize,
        bounded: bool,
    ) -> Self {
        let most = compactor.max_input_chars.map_or(DurableValue::NULL, count);
        let texts = [
            ("compactor", compactor.told_as),
            ("provider", &*compactor.provider),
            ("model", &*compactor.model),
        ];
        let metadata = with(with_texts(DurableObject::empty(), texts), "input_truncated", bounded);
        let metadata = with(metadata, "max_input_chars", most);
        Self { existing_summary: request.existing_summary.clone(), mode, covered, bounded, metadata }
    }

    pub(super) fn with(mut self, key: &'static str, value: impl Into<DurableValue>) -> Self {
        self.metadata = with(self.metadata, key, value);
        self
    }

    fn outcome(self, asking: Asking, answer: Result<Answer, Fault>) -> CompactionOutcome {
        match answer {
            Err(fault) => Err(fault.into_failure(asking.payloads)),
            Ok(answer) => Ok(self.with("completed", answer.completed).result(answer.summary, 1, asking)),
        }
    }

    /// The result of a summary that was made from so many pieces.
    pub(super) fn result(self, summary: SpokenText, pieces: usize, asking: Asking) -> CompactionResult {
        let result = CompactionResult::new(summary, self.covered)
            .with_source(pieces, self.mode, self.bounded)
            .with_metadata(self.metadata)
            .with_model_payloads(asking.payloads);
        match self.existing_summary {
            Some(existing) => result.representing(&existing),
            None => result,
        }
    }
}
