//! OpenAI's responses.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_context::ModelRequest;
use cutctx_messages::{DurableObject, Message};
use cutctx_types::Role;
use serde::Deserialize;
use serde_json::{Value, json};

use super::spoken::{Spoken, arguments, options};
use super::{InputDetails, Wanted, cache_inside, faults, read, written};
use crate::completion::{Completion, FinishReason, TokenUsage};
use crate::error::{FailedAttempt, ModelError};

/// Nothing is stored with the provider, unless the options ask for it.
pub(super) fn body(request: &ModelRequest, wanted: Wanted<'_>) -> Result<Vec<u8>, ModelError> {
    let mut body = options(&request.options, &["model", "input", "tools", "stream"]);
    body.insert("model".into(), json!(wanted.model));
    body.insert("input".into(), Value::Array(items(&request.sent_messages())?));
    body.entry("max_output_tokens").or_insert(json!(wanted.tokens));
    body.entry("store").or_insert(json!(false));
    Ok(written(body, request.tools.iter().map(function).collect()))
}

/// A tool, whose members stand beside its type here.
pub(super) fn function(tool: &DurableObject) -> Value {
    let mut members = options(tool, &["type"]);
    members.insert("type".into(), json!("function"));
    Value::Object(members)
}

pub(super) fn items(messages: &[Message]) -> Result<Vec<Value>, ModelError> {
    let mut items = Vec::with_capacity(messages.len());
    for message in messages {
        let spoken = Spoken::of(message)?;
        if !spoken.texts.is_empty() {
            items.push(json!({"role": message.role().as_str(), "content": spoken.text()}));
        }
        items.extend(spoken.calls.iter().map(|call| {
            json!({
                "type": "function_call",
                "call_id": &*call.tool_call_id,
                "name": &*call.tool_name,
                "arguments": arguments(call),
            })
        }));
        items.extend(spoken.results.iter().map(|result| {
            json!({"type": "function_call_output", "call_id": &*result.tool_call_id, "output": &*result.content})
        }));
        debug_assert!(message.role() != Role::Tool || spoken.texts.is_empty());
    }
    Ok(items)
}

#[derive(Deserialize)]
struct Answer<'b> {
    #[serde(borrow, default)]
    model: Option<Cow<'b, str>>,
    #[serde(borrow, default)]
    status: Option<Cow<'b, str>>,
    #[serde(borrow, default)]
    error: Option<Fault<'b>>,
    #[serde(borrow, default)]
    incomplete_details: Option<Incomplete<'b>>,
    #[serde(borrow, default)]
    output: Vec<Item<'b>>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Fault<'b> {
    #[serde(borrow, default)]
    code: Option<Cow<'b, str>>,
}

#[derive(Deserialize)]
struct Incomplete<'b> {
    #[serde(borrow, default)]
    reason: Option<Cow<'b, str>>,
}

#[derive(Deserialize)]
struct Item<'b> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'b, str>,
    #[serde(borrow, default)]
    content: Option<Vec<Content<'b>>>,
}

#[derive(Deserialize)]
struct Content<'b> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'b, str>,
    #[serde(borrow, default)]
    text: Option<Cow<'b, str>>,
}

/// Cached input is part of `input_tokens`.
#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    #[serde(default)]
    input_tokens_details: Option<InputDetails>,
}

impl Usage {
    fn counted(&self) -> TokenUsage {
        cache_inside(self.input_tokens, self.input_tokens_details.as_ref(), self.output_tokens)
    }
}

pub(super) fn answer(body: &[u8]) -> Result<Completion, FailedAttempt> {
    let answer: Answer<'_> = read(body)?;
    let usage = answer.usage.as_ref().map(Usage::counted);
    let model = answer.model.as_deref().map(Into::into);
    if let Some(fault) = &answer.error {
        return Err(FailedAttempt { error: faults::named(fault.code.as_deref()), usage, model });
    }
    Ok(Completion {
        text: text_of(&answer.output),
        finish: finish_reason(&answer),
        completed: answer.status.as_deref().map(|status| status == "completed"),
        called_tool: answer.output.iter().any(|item| item.kind.ends_with("_call")),
        usage,
        model,
    })
}

fn text_of(items: &[Item<'_>]) -> String {
    let messages = items.iter().filter(|item| item.kind == "message");
    let pieces = messages.flat_map(|item| item.content.iter().flatten());
    pieces.filter(|piece| piece.kind == "output_text").filter_map(|piece| piece.text.as_deref()).collect()
}

fn finish_reason(answer: &Answer<'_>) -> Option<FinishReason> {
    let reason = answer.incomplete_details.as_ref().and_then(|details| details.reason.as_deref());
    let pieces = answer.output.iter().flat_map(|item| item.content.iter().flatten());
    match (answer.status.as_deref(), reason) {
        (_, Some("max_output_tokens")) => Some(FinishReason::Length),
        (_, Some("content_filter")) => Some(FinishReason::Refusal),
        _ if pieces.clone().any(|piece| piece.kind == "refusal") => Some(FinishReason::Refusal),
        (Some("completed"), None) => Some(FinishReason::Stop),
        (Some(_), _) => Some(FinishReason::Other),
        (None, _) => None,
    }
}
