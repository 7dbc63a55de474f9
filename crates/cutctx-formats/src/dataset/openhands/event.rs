//! What an event is.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;

use crate::raw::{Node, Object};
use crate::shapes::{array_in, object_in};

/// The fields of an action that say what is done, most telling first.
const DEEDS: [&str; 9] =
    ["command", "code", "content", "new_str", "file_text", "browser_actions", "query", "url", "path"];

/// What an event means for the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Somebody says something.
    Message,
    /// The system prompt.
    System,
    /// The agent ends and may say something.
    Finish,
    /// The agent calls a tool.
    Call,
    /// What came of a call.
    Result,
    /// Earlier events are forgotten.
    Condensation,
    /// Nothing that the model sees.
    Ballast,
}

/// Whether an object is an event, also of the old form without a source.
pub(super) fn is_event(object: &Object<'_>) -> bool {
    !object.has("role") && (object.string("action").is_some() || object.string("observation").is_some())
}

/// Whether an object is an event of a log.
pub(super) fn is_logged(object: &Object<'_>) -> bool {
    object.has("source") && is_event(object) && (object.has("observation") || object.has("args"))
}

impl Kind {
    pub(super) fn of(event: &Object<'_>) -> Self {
        if let Some(observation) = event.string("observation") {
            return match observation.as_ref() {
                "null" | "agent_state_changed" | "recall" | "condense" | "loop_detection" => Self::Ballast,
                _ => Self::Result,
            };
        }
        match event.string("action").as_deref() {
            Some("message") => Self::Message,
            Some("system") => Self::System,
            Some("finish" | "reject") => Self::Finish,
            Some("condensation") => Self::Condensation,
            None
            | Some(
                "null" | "change_agent_state" | "recall" | "condensation_request" | "initialize" | "start",
            ) => Self::Ballast,
            Some(_) => Self::Call,
        }
    }
}

/// A field of an action: in its `args`, or in the old form in the event itself.
pub(super) fn field<'a>(event: &Object<'a>, key: &str) -> Option<Node<'a>> {
    object_in(event, "args").and_then(|args| args.get(key)).or_else(|| event.get(key))
}

/// A number of an event, such as its id, as text.
pub(super) fn number<'a>(event: &Object<'a>, key: &str) -> Option<Cow<'a, str>> {
    event.get(key).filter(|value| !value.is_null()).map(|value| Cow::Borrowed(value.text()))
}

/// What an action does, as the text of the field that tells most.
pub(super) fn deed<'a>(event: &Object<'a>) -> Option<Node<'a>> {
    let fields = DEEDS.iter().filter_map(|key| field(event, key));
    fields.into_iter().find(|value| value.string().is_some_and(|text| !text.is_empty()))
}

/// The response of the model that an action came from.
#[derive(Debug, Clone, Default)]
pub(super) struct Response<'a> {
    /// Its id.
    pub(super) id: Option<Cow<'a, str>>,
    /// What it says: the JSON string.
    pub(super) content: Option<Node<'a>>,
    /// The arguments of its calls, as JSON strings, by the ids of the calls.
    pub(super) arguments: BTreeMap<Cow<'a, str>, Node<'a>>,
    own: Option<Cow<'a, str>>,
    /// The tool that the action's call names.
    pub(super) tool: Option<Cow<'a, str>>,
}

impl<'a> Response<'a> {
    pub(super) fn of(event: &Object<'a>) -> Self {
        let Some(metadata) = object_in(event, "tool_call_metadata") else { return Self::default() };
        let response = object_in(&metadata, "model_response").unwrap_or_default();
        let choices = array_in(&response, "choices").unwrap_or_default();
        let choice = choices.first().and_then(|choice| choice.object().ok().flatten()).unwrap_or_default();
        let message = object_in(&choice, "message").unwrap_or_default();
        let calls = array_in(&message, "tool_calls").unwrap_or_default();
        Self {
            id: response.string("id"),
            content: message.get("content").and_then(text_of),
            arguments: calls.iter().filter_map(|call| arguments_of(*call)).collect(),
            own: metadata.string("tool_call_id"),
            tool: metadata.string("function_name"),
        }
    }

    /// The id and the arguments of the action's own call.
    pub(super) fn own_arguments(&self) -> Option<Node<'a>> {
        self.arguments.get(self.own.as_ref()?).copied()
    }

    /// The id of the action's own call.
    pub(super) fn own(&self) -> Option<&str> {
        self.own.as_deref()
    }
}

fn arguments_of(call: Node<'_>) -> Option<(Cow<'_, str>, Node<'_>)> {
    let call = call.object().ok()??;
    let arguments = object_in(&call, "function")?.get("arguments")?;
    Some((call.string("id")?, arguments)).filter(|(_, arguments)| arguments.string().is_some())
}

/// A text, or the only text of a list of blocks.
fn text_of(content: Node<'_>) -> Option<Node<'_>> {
    if content.string().is_some() {
        return Some(content);
    }
    let blocks = content.array().ok()??;
    match blocks.as_slice() {
        [only] => only.object().ok()??.get("text").filter(|text| text.string().is_some()),
        _ => None,
    }
}
