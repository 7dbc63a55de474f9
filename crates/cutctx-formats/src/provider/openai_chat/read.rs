//! Chat messages to turns.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, MessageView, PartView, ResultView};
use cutctx_types::{Role, Transcript};

use super::ChatLens;
use crate::document::Document;
use crate::error::{FormatError, Place, RecordFault};
use crate::format::Reading;
use crate::outcome::SlotKind;
use crate::provider::conversation::{ConversationBuilder, ReadMessage};
use crate::provider::message_list::require_list;
use crate::raw::{Node, Object, Span, compact};
use crate::request::ReadRequest;

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let list = require_list(document)?;
    let mut builder = ConversationBuilder::new(list.container, request);
    for (index, (record, node)) in list.messages.iter().enumerate() {
        let message = read_message(*record, *node).map_err(|fault| FormatError::Record {
            format: "openai-chat",
            at: Place::of(node.start(), document.text()),
            record: index,
            fault,
        })?;
        builder.push(&message)?;
    }
    let (mapped, conversation) = builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, ChatLens { conversation }))
}

fn read_message(record: Span, node: Node<'_>) -> Result<ReadMessage<'_>, RecordFault> {
    let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let (role, parts) = match message.string("role").as_deref() {
        Some("system" | "developer") => (Role::System, content_parts(&message)?),
        Some("user") => (Role::User, content_parts(&message)?),
        Some("assistant") => (Role::Assistant, assistant_parts(&message)?),
        Some("tool" | "function") => (Role::Tool, result_parts(&message)?),
        _ => return Err(RecordFault::Role),
    };
    let (parts, places) = parts.into_iter().map(|(span, kind, part)| (part, (span, kind))).unzip();
    Ok(ReadMessage { record, message: node.span(), content: MessageView::new(role, parts), places })
}

/// A part with its place and kind.
type Placed<'a> = (Span, SlotKind, PartView<'a>);

/// Content: a string, a list of parts, or nothing.
fn content_parts<'a>(message: &Object<'a>) -> Result<Vec<Placed<'a>>, RecordFault> {
    let Some(content) = message.get("content").filter(|content| !content.is_null()) else {
        return Ok(Vec::new());
    };
    if let Some(text) = content.string() {
        return Ok(alloc::vec![(content.span(), SlotKind::Text, PartView::Text(text))]);
    }
    let Ok(Some(elements)) = content.array() else { return Err(RecordFault::Field("content")) };
    elements.into_iter().map(content_part).collect()
}

fn content_part(node: Node<'_>) -> Result<Placed<'_>, RecordFault> {
    if let Some(text) = node.string() {
        return Ok((node.span(), SlotKind::Text, PartView::Text(text)));
    }
    let part = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let kind = part.string("type").ok_or(RecordFault::Field("type"))?;
    let (slot, read) = match kind.as_ref() {
        "text" => (SlotKind::Text, PartView::Text(part.string("text").ok_or(RecordFault::Field("text"))?)),
        "tool_use" | "tool_result" => return Err(RecordFault::ForeignBlock),
        "thinking" => {
            (SlotKind::Opaque, PartView::OpaqueReasoning { text: thinking(&part)?, hidden_bytes: 0 })
        }
        _ => (SlotKind::Media, PartView::Media(medium(&part, kind, node))),
    };
    Ok((node.span(), slot, read))
}

/// Mistral's reasoning: a list of text parts.
fn thinking<'a>(part: &Object<'a>) -> Result<Cow<'a, str>, RecordFault> {
    let field = part.get("thinking").ok_or(RecordFault::Field("thinking"))?;
    let pieces = field.array().ok().flatten().ok_or(RecordFault::Field("thinking"))?;
    let texts = pieces.iter().filter_map(|piece| piece.object().ok()??.string("text"));
    Ok(Cow::Owned(texts.collect::<Vec<_>>().concat()))
}

fn medium<'a>(part: &Object<'a>, kind: Cow<'a, str>, node: Node<'a>) -> Media<'a> {
    let inner = |key: &str| part.get(key).and_then(|value| value.object().ok().flatten()).unwrap_or_default();
    match kind.as_ref() {
        "image_url" => {
            let url = inner("image_url").get("url").or_else(|| part.get("image_url"));
            by_url(Media::new(MediaKind::Image), url)
        }
        "input_audio" => sized(Media::new(MediaKind::Audio), inner("input_audio").get("data")),
        "file" => by_url(Media::new(MediaKind::Document), inner("file").get("file_data")),
        "document_url" => by_url(Media::new(MediaKind::Document), part.get("document_url")),
        _ => {
            let bytes = u64::try_from(node.span().len()).unwrap_or(u64::MAX);
            Media::new(MediaKind::Other).with_label(kind).with_bytes(bytes)
        }
    }
}

/// A link, or the data itself as `data:<type>;base64,<data>`.
fn by_url<'a>(medium: Media<'a>, url: Option<Node<'a>>) -> Media<'a> {
    let Some(rest) = url.and_then(|url| url.text().strip_prefix("\"data:")) else { return medium };
    let Some((head, data)) = rest.split_once(',') else { return medium };
    let label = head.split(';').next().filter(|label| label.len() < 100 && !label.is_empty());
    let medium = match label {
        Some(label) => medium.with_label(label),
        None => medium,
    };
    medium.with_base64(data.len().saturating_sub(1))
}

fn sized<'a>(medium: Media<'a>, data: Option<Node<'a>>) -> Media<'a> {
    match data {
        Some(data) => medium.with_base64(data.span().len().saturating_sub(2)),
        None => medium,
    }
}

fn assistant_parts<'a>(message: &Object<'a>) -> Result<Vec<Placed<'a>>, RecordFault> {
    let mut parts = Vec::new();
    for key in ["reasoning_content", "reasoning"] {
        let text = message.get(key).and_then(|field| Some((field.span(), field.string()?)));
        parts.extend(text.map(|(span, text)| (span, SlotKind::Reasoning, PartView::Reasoning(text))));
    }
    parts.extend(content_parts(message)?);
    if let Some((span, text)) = message.get("refusal").and_then(|field| Some((field.span(), field.string()?)))
    {
        parts.push((span, SlotKind::Text, PartView::Text(text)));
    }
    for call in calls_of(message)? {
        parts.push((call.span(), SlotKind::Call, PartView::ToolCall(read_call(call)?)));
    }
    if let Some(call) = message.get("function_call").filter(|call| !call.is_null()) {
        parts.push((
            call.span(),
            SlotKind::Call,
            PartView::ToolCall(read_function(call, Cow::Borrowed(""))?),
        ));
    }
    Ok(parts)
}

fn calls_of<'a>(message: &Object<'a>) -> Result<Vec<Node<'a>>, RecordFault> {
    match message.get("tool_calls").filter(|calls| !calls.is_null()) {
        None => Ok(Vec::new()),
        Some(calls) => calls.array().ok().flatten().ok_or(RecordFault::Field("tool_calls")),
    }
}

fn read_call(node: Node<'_>) -> Result<CallView<'_>, RecordFault> {
    let call = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let id = call.string("id").unwrap_or_default();
    match call.get("function") {
        Some(function) => read_function(function, id),
        None => Ok(CallView::new(id, call.string("type").unwrap_or_default(), Cow::Borrowed(""))),
    }
}

fn read_function<'a>(node: Node<'a>, id: Cow<'a, str>) -> Result<CallView<'a>, RecordFault> {
    let function = node.object().ok().flatten().ok_or(RecordFault::Field("function"))?;
    let name = function.string("name").unwrap_or_default();
    let arguments = function.get("arguments").map_or(Cow::Borrowed(""), |arguments| {
        arguments.string().unwrap_or_else(|| Cow::Owned(compact(arguments.text())))
    });
    Ok(CallView::new(id, name, arguments))
}

/// A tool message is one result, whose parts are those of its content.
fn result_parts<'a>(message: &Object<'a>) -> Result<Vec<Placed<'a>>, RecordFault> {
    let id = message.string("tool_call_id").unwrap_or_default();
    let parts = content_parts(message)?.into_iter().map(|(_, _, part)| part).collect();
    let result = ResultView::with_parts(id, parts).with_name(message.owned("name"));
    Ok(alloc::vec![(message.span(), SlotKind::Result, PartView::ToolResult(result))])
}
