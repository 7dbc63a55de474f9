//! Messages as one text, for a reader that is to summarize them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, DurableValue, Message, MessagePart, RoundMessage as _, TextPart};

/// What stands for what another participant said: that is kept word for word elsewhere.
pub(crate) const PEER_CONTENT: &str =
    "[what another participant said here is kept in full elsewhere and not summarized]";

/// A message as a text: its role, and its parts one after the other. Nothing is cut. Reasoning and what providers want
/// back are named only; objects stand as JSON.
///
/// ```
/// use cutctx_messages::{Message, TextPart};
/// use cutctx_types::Role;
///
/// let message = Message::new(Role::User, vec![TextPart::new("how tall is pole 7?")?.into()])?;
/// assert_eq!(cutctx_context::message_digest(&message), "user: how tall is pole 7?");
/// # Ok::<(), cutctx_messages::MessageError>(())
/// ```
#[must_use]
pub fn message_digest(message: &Message) -> String {
    let parts: Vec<String> = message.content().iter().map(part_digest).collect();
    format!("{}: {}", message.role().as_str(), parts.join(" "))
}

/// The digests of messages, a line each.
pub(super) fn digests(messages: &[Message]) -> String {
    let entries: Vec<String> = messages.iter().map(message_digest).collect();
    entries.join("\n")
}

fn part_digest(part: &MessagePart) -> String {
    match part {
        MessagePart::Text(part) => (*part.text).into(),
        MessagePart::ToolCall(part) => format!(
            "[tool_call id={} name={} arguments_state={} arguments={}]",
            &*part.tool_call_id,
            &*part.tool_name,
            part.arguments_state.as_str(),
            part.shown_arguments().to_json()
        ),
        MessagePart::ToolResult(part) => format!(
            "[tool_result id={} name={} error={} content={} structured={} artifacts={}]",
            &*part.tool_call_id,
            &*part.tool_name,
            part.is_error,
            &*part.content,
            part.structured.as_ref().map_or_else(|| "null".into(), DurableObject::to_json),
            list(part.artifacts.as_slice())
        ),
        MessagePart::ProviderState(part) => format!("[provider_state provider={}]", &*part.provider),
        MessagePart::Thinking(_) => "[thinking]".into(),
        MessagePart::File(_) => format!("[file attachment={}]", attachment_json(part)),
        MessagePart::HostedToolCall(part) => {
            format!("[hosted_tool_call type={} status={}]", part.hosted_tool.as_str(), part.status.as_str())
        }
        MessagePart::Citation(part) => format!("[citation url={}]", &*part.url),
        MessagePart::StructuredOutput(_) => "[validated structured output]".into(),
        MessagePart::PeerContent(_) => PEER_CONTENT.into(),
        _ => String::new(),
    }
}

/// The JSON of a file's reference.
fn attachment_json(part: &MessagePart) -> String {
    let json = serde_json::to_string(part).unwrap_or_default();
    let part: Option<DurableObject> = serde_json::from_str(&json).ok();
    part.and_then(|part| part.get("attachment").map(DurableValue::to_json)).unwrap_or_default()
}

fn list(objects: &[DurableObject]) -> String {
    let objects: Vec<String> = objects.iter().map(DurableObject::to_json).collect();
    format!("[{}]", objects.join(","))
}

/// The message with a marker in place of what other participants said.
pub(crate) fn without_peer_content(message: &Message) -> Message {
    let is_peer = |part: &MessagePart| matches!(part, MessagePart::PeerContent(_));
    if !message.content().iter().any(is_peer) {
        return message.clone();
    }
    let marker = TextPart::new(PEER_CONTENT).ok().map(MessagePart::from);
    let shown = |part: &MessagePart| if is_peer(part) { marker.clone() } else { Some(part.clone()) };
    Message::from_pieces(message.role(), message.content().iter().filter_map(shown).collect())
}
