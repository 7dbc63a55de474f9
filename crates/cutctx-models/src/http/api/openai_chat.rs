//! Chat completions.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_context::ModelRequest;
use cutctx_messages::Message;
use cutctx_types::Role;
use serde::Deserialize;
use serde_json::{Value, json};

use super::spoken::{Spoken, arguments, options};
use super::{InputDetails, Wanted, cache_inside, read, written};
use crate::completion::{Completion, FinishReason, TokenUsage};
use crate::error::{FailedAttempt, ModelError};

/// OpenAI's own server wants the newer name of the limit, servers that follow it the older one.
pub(super) fn body(request: &ModelRequest, wanted: Wanted<'_>) -> Result<Vec<u8>, ModelError> {
    let limit_name = if wanted.at_home { "max_completion_tokens" } else { "max_tokens" };
    let mut body = options(&request.options, &["model", "messages", "tools", "stream", "n"]);
    body.insert("model".into(), json!(wanted.model));
    body.insert("messages".into(), Value::Array(messages(&request.sent_messages())?));
    body.entry(limit_name).or_insert(json!(wanted.tokens));
    let tools = request.tools.iter().map(|tool| json!({"type": "function", "function": tool}));
    Ok(written(body, tools.collect()))
}

fn messages(messages: &[Message]) -> Result<Vec<Value>, ModelError> {
    let mut out = Vec::with_capacity(messages.len());
    for message in messages {
        let spoken = Spoken::of(message)?;
        match message.role() {
            Role::System => out.push(json!({"role": "system", "content": spoken.text()})),
            Role::User => out.push(json!({"role": "user", "content": spoken.text()})),
            Role::Assistant => out.extend(assistant(&spoken)),
            Role::Tool => out.extend(spoken.results.iter().map(|result| {
                json!({"role": "tool", "tool_call_id": &*result.tool_call_id, "content": &*result.content})
            })),
        }
    }
    Ok(out)
}

fn assistant(spoken: &Spoken<'_>) -> Option<Value> {
    let calls: Vec<Value> = spoken
        .calls
        .iter()
        .map(|call| {
            let function = json!({"name": &*call.tool_name, "arguments": arguments(call)});
            json!({"id": &*call.tool_call_id, "type": "function", "function": function})
        })
        .collect();
    let text = (!spoken.texts.is_empty()).then(|| spoken.text());
    match (text, calls.is_empty()) {
        (None, true) => None,
        (text, true) => Some(json!({"role": "assistant", "content": text})),
        (text, false) => Some(json!({"role": "assistant", "content": text, "tool_calls": calls})),
    }
}

#[derive(Deserialize)]
struct Answer<'b> {
    #[serde(borrow, default)]
    model: Option<Cow<'b, str>>,
    #[serde(borrow)]
    choices: Vec<Choice<'b>>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice<'b> {
    #[serde(borrow)]
    message: Said<'b>,
    #[serde(borrow, default)]
    finish_reason: Option<Cow<'b, str>>,
}

#[derive(Deserialize)]
struct Said<'b> {
    #[serde(borrow, default)]
    content: Option<Cow<'b, str>>,
    #[serde(borrow, default)]
    refusal: Option<Cow<'b, str>>,
    #[serde(default)]
    tool_calls: Option<Vec<serde::de::IgnoredAny>>,
}

/// Cached input is part of `prompt_tokens`.
#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    #[serde(default)]
    prompt_tokens_details: Option<InputDetails>,
}

impl Usage {
    fn counted(&self) -> TokenUsage {
        cache_inside(self.prompt_tokens, self.prompt_tokens_details.as_ref(), self.completion_tokens)
    }
}

pub(super) fn answer(body: &[u8]) -> Result<Completion, FailedAttempt> {
    let answer: Answer<'_> = read(body)?;
    let usage = answer.usage.as_ref().map(Usage::counted);
    let model = answer.model.as_deref().map(Into::into);
    let Some(choice) = answer.choices.into_iter().next() else {
        let error = ModelError::Malformed { what: "it has no choices" };
        return Err(FailedAttempt { error, usage, model });
    };
    let finish = choice.finish_reason.as_deref().map(finish_reason);
    let refused = choice.message.refusal.is_some_and(|refusal| !refusal.is_empty());
    Ok(Completion {
        text: choice.message.content.unwrap_or_default().into_owned(),
        finish: if refused { Some(FinishReason::Refusal) } else { finish },
        completed: finish.map(|finish| finish == FinishReason::Stop),
        called_tool: choice.message.tool_calls.is_some_and(|calls| !calls.is_empty()),
        usage,
        model,
    })
}

fn finish_reason(name: &str) -> FinishReason {
    match name {
        "stop" => FinishReason::Stop,
        "length" => FinishReason::Length,
        "tool_calls" | "function_call" => FinishReason::ToolCall,
        "content_filter" => FinishReason::Refusal,
        _ => FinishReason::Other,
    }
}
