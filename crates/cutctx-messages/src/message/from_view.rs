//! Views as durable messages.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::Role;

use super::{FieldFault, Message, MessageError};
use crate::json::{DurableObject, DurableValue, WireValue};
use crate::part::{MessagePart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart};
use crate::view::{CallView, MessageView, PartView, ResultView};

impl Message {
    /// The messages that keep what a view says.
    ///
    /// Most often it is one message. A view that holds results and something else besides becomes a tool message and
    /// another, in the order in which they begin. Texts that are blank are left out, for they say nothing; so a view
    /// may become no message at all. Results of the mapper's view that name no tool are called `unknown`.
    ///
    /// What a view does not know of is not kept: pins, ids, origins, call states, and that a result was provisional.
    ///
    /// # Errors
    ///
    /// [`MessageError::NotKept`] for sealed reasoning, media, calls on the provider's side and results within a message
    /// of the assistant, whose data only the file has. [`MessageError::Field`] for arguments that are no JSON object,
    /// and ids and names that are blank.
    pub fn from_view(view: &MessageView<'_>) -> Result<Vec<Self>, MessageError> {
        let (mut results, mut others) = (Vec::new(), Vec::new());
        let mut results_first = None;
        for part in &view.parts {
            if let PartView::ToolResult(result) = part {
                results_first.get_or_insert(true);
                results.push(kept_result(view.role, result)?);
            } else if let Some(part) = kept_part(part)? {
                results_first.get_or_insert(false);
                others.push(part);
            }
        }
        let mut messages = [(Role::Tool, results), (others_role(view.role), others)];
        if results_first == Some(false) {
            messages.reverse();
        }
        let spoken = messages.into_iter().filter(|(_, parts)| !parts.is_empty());
        spoken.map(|(role, parts)| Self::new(role, parts)).collect()
    }
}

/// Text that stands in a tool message beside its results comes from whoever gave the results.
const fn others_role(role: Role) -> Role {
    match role {
        Role::Tool => Role::User,
        Role::System | Role::User | Role::Assistant => role,
    }
}

fn kept_part(part: &PartView<'_>) -> Result<Option<MessagePart>, MessageError> {
    match part {
        PartView::Text(text) if text.trim().is_empty() => Ok(None),
        PartView::Text(text) => Ok(Some(TextPart::new(text.as_ref())?.into())),
        PartView::Reasoning(text) => Ok(Some(ThinkingPart::new(text.as_ref())?.into())),
        PartView::ToolCall(call) => kept_call(call).map(Some),
        PartView::OpaqueReasoning { .. } => Err(MessageError::NotKept { what: "sealed reasoning" }),
        PartView::Media(_) => Err(MessageError::NotKept { what: "a medium" }),
        PartView::ToolResult(_) => Err(MessageError::NotKept { what: "a result within a result" }),
    }
}

fn kept_call(call: &CallView<'_>) -> Result<MessagePart, MessageError> {
    if call.server_side {
        return Err(MessageError::NotKept { what: "a call on the provider's side" });
    }
    let arguments = if call.is_bare() { DurableObject::empty() } else { arguments(&call.arguments)? };
    Ok(ToolCallPart::new(call.call_id.as_ref(), call.name.as_ref(), arguments)?.into())
}

fn arguments(json: &str) -> Result<DurableObject, MessageError> {
    let wrong = FieldFault::WrongType { wanted: "an object" }.of("tool_call", "arguments");
    let Ok(wire) = serde_json::from_str::<WireValue>(json) else { return Err(wrong) };
    let value =
        DurableValue::try_from(wire).map_err(|fault| FieldFault::from(fault).of("tool_call", "arguments"))?;
    value.as_object().cloned().ok_or(wrong)
}

/// A result keeps its texts as one.
fn kept_result(role: Role, result: &ResultView<'_>) -> Result<MessagePart, MessageError> {
    if role == Role::Assistant {
        return Err(MessageError::NotKept { what: "a result in the assistant's own message" });
    }
    let mut content = String::new();
    for part in &result.parts {
        let PartView::Text(text) = part else {
            return Err(MessageError::NotKept { what: "a medium in a result" });
        };
        content.push_str(text);
    }
    let name = result.name.as_deref().filter(|name| !name.trim().is_empty());
    let name: Cow<'_, str> = name.unwrap_or("unknown").into();
    Ok(ToolResultPart::new(result.call_id.as_ref(), name.trim(), content)?.with_error(result.is_error).into())
}
