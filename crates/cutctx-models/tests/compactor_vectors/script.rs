//! A model that answers what a vector says.

use cutctx_context::{
    CompactionOutcome, CompactionResult, CompactionStep, ModelCompletion, ModelFailure, ModelFailureKind,
    ModelOutcome, ModelRequest,
};
use cutctx_messages::{DurableObject, Message, MessagePart};
use cutctx_types::Role;
use serde_json::{Value, json};

/// Runs a compactor against a script; gives the end and the requests that were sent.
pub(crate) fn run(
    mut step: CompactionStep,
    script: &Value,
    default: &str,
) -> (CompactionOutcome, Vec<ModelRequest>) {
    let mut calls = Vec::new();
    loop {
        step = match step {
            CompactionStep::Done(outcome) => return (outcome, calls),
            CompactionStep::Wait(_, resume) => resume.resume(()),
            CompactionStep::Call(request, resume) => {
                let answer = answer(script, calls.len(), default);
                calls.push(*request);
                resume.resume(answer)
            }
        };
    }
}

fn answer(script: &Value, number: usize, default: &str) -> ModelOutcome {
    if let Some(chars) = script["reply_chars"].as_u64() {
        let reply = format!(
            "{:.<width$}",
            format!("r{}", number.saturating_add(1)),
            width = usize::try_from(chars).unwrap()
        );
        return Ok(ModelCompletion::new(reply));
    }
    let entry = match script.get(number) {
        Some(entry) => entry.clone(),
        None if script.is_null() => json!({"text": default}),
        None => json!({"text": format!("default{number}")}),
    };
    let unfinished = entry["no_completed"] == true;
    if unfinished || entry["error_event"] == true {
        let kind = if unfinished { ModelFailureKind::Unfinished } else { ModelFailureKind::ProviderError };
        let mut failure = ModelFailure::new(kind);
        failure.retryable = Some(false);
        return Err(failure);
    }
    if let Some(fail) = entry.get("fail") {
        let mut failure = ModelFailure::new(ModelFailureKind::ProviderError);
        failure.status = fail["status_code"].as_u64().map(|status| u16::try_from(status).unwrap());
        failure.retryable = fail["retryable"].as_bool();
        return Err(failure);
    }
    let completed = entry.get("completed").map_or_else(DurableObject::empty, object);
    let completion = ModelCompletion::new(entry["text"].as_str().unwrap_or_default());
    Ok(completion.with_called_tool(entry["tool_call"] == true).with_completed(completed))
}

pub(crate) fn object(value: &Value) -> DurableObject {
    serde_json::from_value(value.clone()).unwrap()
}

/// All texts of the messages of a role.
pub(crate) fn said(request: &ModelRequest, role: Role) -> String {
    let messages = request.messages.iter().filter(|message| message.role() == role);
    let parts = messages.flat_map(Message::content);
    let texts = parts.map(|part| {
        let MessagePart::Text(text) = part else { panic!("{}", part.kind()) };
        (*text.text).to_owned()
    });
    texts.collect()
}

/// Compares a result with what a vector expects of every compactor that calls a model.
pub(crate) fn check_result(name: &str, result: &CompactionResult, output: &Value) {
    assert_eq!(Some(&*result.summary), output["summary"].as_str(), "{name}");
    assert_eq!(
        result.covered_message_count as u64,
        output["covered_message_count"].as_u64().unwrap(),
        "{name}"
    );
    assert_eq!(result.chunk_mode(), output["source_chunk_mode"], "{name}");
    assert_eq!(result.source_chunk_count as u64, output["source_chunk_count"].as_u64().unwrap(), "{name}");
    assert_eq!(result.bounded_input, output["bounded_input"], "{name}");
    let proof = result.represented_existing_summary_sha256.as_deref();
    assert_eq!(proof, output["represented_existing_summary_sha256"].as_str(), "{name}");
}

/// The code that a vector names an error by, from ours.
pub(crate) fn code_of(failure: &cutctx_context::CompactionFailure) -> &'static str {
    let text = failure.to_string();
    let signs = [
        ("called a tool", "compaction_tool_call"),
        ("is blank", "blank_summary"),
        ("null character", "bad_text"),
        ("unfinished_stream", "no_completed_event"),
        ("provider_error", "provider_failure"),
        ("no room for a fragment", "no_fragment_capacity"),
        ("calls are used up", "hierarchy_limit_during_dispatch"),
        ("it would take", "hierarchy_limit_before_dispatch"),
        ("shorter", "hierarchy_not_converging"),
    ];
    signs.into_iter().find(|(sign, _)| text.contains(sign)).map_or("?", |(_, code)| code)
}
