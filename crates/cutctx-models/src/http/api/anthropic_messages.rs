//! Anthropic's messages.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_context::ModelRequest;
use cutctx_messages::{DurableObject, Message};
use serde::Deserialize;
use serde_json::{Value, json};

use super::sides::{Side, Sides, Spelling};
use super::spoken::{Spoken, options};
use super::{Wanted, read, written};
use crate::completion::{Completion, FinishReason, TokenUsage};
use crate::error::{FailedAttempt, ModelError};
use crate::http::key::ApiKey;

const VERSION: &str = "2023-06-01";

pub(super) fn headers(key: Option<&ApiKey>) -> Vec<(&'static str, String)> {
    let key = key.map(|key| ("x-api-key", key.after("")));
    [("anthropic-version", String::from(VERSION))].into_iter().chain(key).collect()
}

pub(super) fn body(request: &ModelRequest, wanted: Wanted<'_>) -> Result<Vec<u8>, ModelError> {
    let mut body = options(&request.options, &["model", "messages", "system", "tools", "stream"]);
    let (system, messages) = said(&request.sent_messages())?;
    body.insert("model".into(), json!(wanted.model));
    body.insert("messages".into(), Value::Array(messages));
    body.entry("max_tokens").or_insert(json!(wanted.tokens));
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    Ok(written(body, request.tools.iter().map(tool).collect()))
}

/// A tool, whose schema has another name here.
pub(super) fn tool(tool: &DurableObject) -> Value {
    let mut members = options(tool, &[]);
    if let Some(schema) = members.remove("parameters") {
        members.entry("input_schema").or_insert(schema);
    }
    Value::Object(members)
}

/// The system texts and the messages as the interface spells them.
pub(super) fn said(messages: &[Message]) -> Result<(Vec<Value>, Vec<Value>), ModelError> {
    let sides = Sides::of::<Blocks>(messages)?;
    let message = |(side, content)| {
        let role = if side == Side::Model { "assistant" } else { "user" };
        json!({"role": role, "content": Value::Array(content)})
    };
    Ok((sides.system, sides.turns.into_iter().map(message).collect()))
}

struct Blocks;

impl Spelling for Blocks {
    fn texts(spoken: &Spoken<'_>) -> Vec<Value> {
        spoken.texts.iter().map(|text| json!({"type": "text", "text": text})).collect()
    }

    /// Results stand first, as the interface wants them.
    fn blocks(spoken: &Spoken<'_>) -> Vec<Value> {
        let results = spoken.results.iter().map(|result| {
            json!({
                "type": "tool_result",
                "tool_use_id": &*result.tool_call_id,
                "content": &*result.content,
                "is_error": result.is_error,
            })
        });
        let calls = spoken.calls.iter().map(|call| {
            json!({
                "type": "tool_use",
                "id": &*call.tool_call_id,
                "name": &*call.tool_name,
                "input": call.shown_arguments(),
            })
        });
        results.chain(Self::texts(spoken)).chain(calls).collect()
    }
}

#[derive(Deserialize)]
struct Answer<'b> {
    #[serde(borrow, default)]
    model: Option<Cow<'b, str>>,
    #[serde(borrow)]
    content: Vec<Block<'b>>,
    #[serde(borrow, default)]
    stop_reason: Option<Cow<'b, str>>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Block<'b> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'b, str>,
    #[serde(borrow, default)]
    text: Option<Cow<'b, str>>,
}

/// The three kinds of input do not overlap.
#[derive(Deserialize)]
struct Usage {
    #[serde(default, rename = "input_tokens")]
    uncached: u64,
    #[serde(default, rename = "cache_read_input_tokens")]
    read: Option<u64>,
    #[serde(default, rename = "cache_creation_input_tokens")]
    written: Option<u64>,
    #[serde(default, rename = "output_tokens")]
    output: u64,
}

pub(super) fn answer(body: &[u8]) -> Result<Completion, FailedAttempt> {
    let answer: Answer<'_> = read(body)?;
    let usage = answer.usage.as_ref().map(|usage| TokenUsage {
        uncached_input: usage.uncached,
        cached_input: usage.read.unwrap_or(0),
        cache_write: usage.written.unwrap_or(0),
        output: usage.output,
    });
    let model = answer.model.as_deref().map(Into::into);
    if answer.stop_reason.as_deref() == Some("model_context_window_exceeded") {
        return Err(FailedAttempt { error: ModelError::Overflow, usage, model });
    }
    let finish = answer.stop_reason.as_deref().map(finish_reason);
    let texts = answer.content.iter().filter(|block| block.kind == "text");
    Ok(Completion {
        text: texts.filter_map(|block| block.text.as_deref()).collect(),
        finish,
        completed: finish.map(|finish| finish == FinishReason::Stop),
        called_tool: answer.content.iter().any(|block| block.kind.ends_with("tool_use")),
        usage,
        model,
    })
}

fn finish_reason(name: &str) -> FinishReason {
    match name {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCall,
        "refusal" => FinishReason::Refusal,
        _ => FinishReason::Other,
    }
}
