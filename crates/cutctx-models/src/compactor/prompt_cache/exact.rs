//! The exact way, with one bounded attempt behind it.

use cutctx_context::{
    CompactionOutcome, CompactionRequest, CompactionResult, CompactionStep, ModelFailureKind, ModelRequest,
};
use cutctx_messages::{DurableObject, DurableValue, Message, SpokenText, TextPart};
use cutctx_types::Role;

use crate::compactor::asking::Asking;
use crate::compactor::fault::Fault;
use crate::compactor::model::ModelCompactor;
use crate::compactor::payload::{count, with};

/// The instruction as a message.
pub(super) fn instruction(text: &SpokenText) -> Option<Message> {
    Message::new(Role::User, vec![TextPart::new(text.shared().clone()).ok()?.into()]).ok()
}

/// Asks at the end of the cached conversation.
pub(super) fn begin(
    exact: ModelRequest,
    bounded: ModelCompactor,
    request: &CompactionRequest,
) -> CompactionStep {
    let (request, messages) = (request.clone(), exact.messages.len().saturating_sub(1));
    bounded.asking().ask(
        exact,
        Box::new(move |asking, answer| match answer {
            Ok(answer) => {
                let covered = request.messages.len();
                let metadata = with(DurableObject::empty(), "prompt_cache_compaction", true);
                let metadata = with(metadata, "context_message_count", count(messages));
                let metadata = with(metadata, "completed", answer.completed);
                let result = CompactionResult::new(answer.summary, covered)
                    .with_source(1, "provider_native_exact", false)
                    .with_metadata(metadata)
                    .with_model_payloads(asking.payloads);
                CompactionStep::Done(Ok(result))
            }
            Err(fault) => match attempt_outcome(&fault) {
                Some(outcome) => degrade(&bounded, &request, asking, outcome),
                None => asking.fail(fault),
            },
        }),
    )
}

/// What a failed attempt is called where another way may help.
fn attempt_outcome(fault: &Fault) -> Option<&'static str> {
    let overflows =
        matches!(fault, Fault::Model(failure) if failure.kind == ModelFailureKind::ContextOverflow);
    match (fault, overflows) {
        (Fault::CalledTool, _) => Some("rejected_tool_call"),
        (_, true) => Some("context_overflow"),
        (_, false) => None,
    }
}

/// One bounded attempt, whose account begins with the exact one.
fn degrade(
    bounded: &ModelCompactor,
    request: &CompactionRequest,
    asking: Asking,
    outcome: &'static str,
) -> CompactionStep {
    let finish =
        move |result: CompactionOutcome| CompactionStep::Done(result.map(|result| noted(result, outcome)));
    bounded.begin_with(request, asking, Box::new(finish))
}

fn noted(mut result: CompactionResult, outcome: &'static str) -> CompactionResult {
    if let Ok(outcome) = DurableValue::text(outcome) {
        result.metadata = with(result.metadata, "prompt_cache_exact_attempt", outcome);
    }
    result
}
