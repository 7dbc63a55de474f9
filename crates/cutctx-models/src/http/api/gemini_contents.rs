//! Gemini's contents.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message};
use serde_json::{Value, json};

use super::sides::{Side, Sides, Spelling};
use super::spoken::{Spoken, options};
use crate::error::ModelError;

/// A model under the name that its provider knows it by; one that stands in a folder already keeps that.
pub(super) fn resource(model: &str) -> String {
    if model.contains('/') { model.into() } else { format!("models/{model}") }
}

/// The parts of the system's instruction, and the contents as the interface spells them.
pub(super) fn said(messages: &[Message]) -> Result<(Vec<Value>, Vec<Value>), ModelError> {
    let sides = Sides::of::<Parts>(messages)?;
    let content = |(side, parts)| {
        let role = if side == Side::Model { "model" } else { "user" };
        json!({"role": role, "parts": Value::Array(parts)})
    };
    Ok((sides.system, sides.turns.into_iter().map(content).collect()))
}

/// The definitions of tools, all of them in one.
pub(super) fn tools(tools: &[DurableObject]) -> Value {
    let declared: Vec<Value> = tools.iter().map(|tool| Value::Object(options(tool, &["type"]))).collect();
    if declared.is_empty() { Value::Null } else { json!([{"functionDeclarations": declared}]) }
}

struct Parts;

impl Spelling for Parts {
    fn texts(spoken: &Spoken<'_>) -> Vec<Value> {
        spoken.texts.iter().map(|text| json!({"text": text})).collect()
    }

    fn blocks(spoken: &Spoken<'_>) -> Vec<Value> {
        let results = spoken.results.iter().map(|result| {
            let key = if result.is_error { "error" } else { "output" };
            let response = json!({
                "id": &*result.tool_call_id,
                "name": &*result.tool_name,
                "response": {key: &*result.content},
            });
            json!({"functionResponse": response})
        });
        let calls = spoken.calls.iter().map(|call| {
            let arguments = call.shown_arguments();
            let call = json!({"id": &*call.tool_call_id, "name": &*call.tool_name, "args": arguments});
            json!({"functionCall": call})
        });
        results.chain(Self::texts(spoken)).chain(calls).collect()
    }
}
