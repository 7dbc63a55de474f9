//! What of a message can be said to a model at all.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message, MessagePart, ToolCallPart, ToolResultPart};

use crate::error::ModelError;

/// The parts of one message, sorted.
///
/// Reasoning, provider states, citations and calls that the provider ran itself belong to the model that wrote them
/// and are left out. Files and what other participants said cannot be carried, and refuse.
#[derive(Default)]
pub(super) struct Spoken<'m> {
    pub(super) texts: Vec<&'m str>,
    pub(super) calls: Vec<&'m ToolCallPart>,
    pub(super) results: Vec<&'m ToolResultPart>,
}

impl<'m> Spoken<'m> {
    pub(super) fn of(message: &'m Message) -> Result<Self, ModelError> {
        let mut spoken = Self::default();
        for part in message.content() {
            spoken.add(part)?;
        }
        Ok(spoken)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "a kind of part that is new cannot be sent either")]
    fn add(&mut self, part: &'m MessagePart) -> Result<(), ModelError> {
        match part {
            MessagePart::Text(text) => self.texts.push(&text.text),
            MessagePart::ToolCall(call) => self.calls.push(call),
            MessagePart::ToolResult(result) => self.results.push(result),
            MessagePart::Thinking(_)
            | MessagePart::ProviderState(_)
            | MessagePart::Citation(_)
            | MessagePart::HostedToolCall(_)
            | MessagePart::StructuredOutput(_) => {}
            other => return Err(ModelError::Unsupported { part: other.kind().as_str() }),
        }
        Ok(())
    }

    /// All texts, a blank line between two.
    pub(super) fn text(&self) -> String {
        self.texts.join("\n\n")
    }
}

/// The arguments of a call as a JSON text.
pub(super) fn arguments(call: &ToolCallPart) -> String {
    serde_json::to_string(&call.shown_arguments()).unwrap_or_default()
}

/// Options as members of the request: none may take the place of what the request itself says.
pub(super) fn options(options: &DurableObject, own: &[&str]) -> serde_json::Map<String, serde_json::Value> {
    let members = options.iter().filter(|(name, _)| !own.contains(&name.as_ref()));
    members
        .filter_map(|(name, value)| Some((name.as_ref().into(), serde_json::to_value(value).ok()?)))
        .filter(|(_, value): &(String, serde_json::Value)| !value.is_null())
        .collect()
}
