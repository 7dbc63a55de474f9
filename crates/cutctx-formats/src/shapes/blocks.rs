//! Content as lists of typed blocks, in the spellings of several tools.
//!
//! They agree on the shape and differ in names: a call is `tool_use`, `toolCall` or `tool_call`, its arguments are its
//! `input` or `arguments`. Blocks of an unknown type say their `text` where they have one, and are media otherwise.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, PartView, ResultView};
use cutctx_types::Role;

use super::made_ids::MadeIds;
use super::records::object_in;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Place, Unit};
use crate::provider::data_link::detail;
use crate::raw::{Node, Object, compact};
use crate::source::{Worth, whole_length};

/// What of contents [`Blocks`] reads.
pub(crate) const WORTH: Worth = Worth::Blocks(BLOCK);

/// What of a block.
pub(crate) const BLOCK: &[(&str, Worth)] = &[
    ("text", Worth::Said),
    ("thinking", Worth::Text),
    ("think", Worth::Text),
    ("signature", Worth::Text),
    ("thinkingSignature", Worth::Text),
    ("textSignature", Worth::Text),
    ("encrypted", Worth::Text),
    ("data", Worth::Data),
    ("source", Worth::Data),
    ("image_url", Worth::Data),
    ("imageUrl", Worth::Data),
    ("url", Worth::Data),
    ("input", Worth::Arguments),
    ("arguments", Worth::Arguments),
    ("args", Worth::Arguments),
    ("content", RESULT),
    ("output", RESULT),
    ("result", RESULT),
];

/// What of a result [`result_content`] reads.
pub(crate) const RESULT: Worth = Worth::Result(&[
    ("text", Worth::Text),
    ("data", Worth::Data),
    ("source", Worth::Data),
    ("image_url", Worth::Data),
    ("imageUrl", Worth::Data),
    ("url", Worth::Data),
]);

/// A list of one text block around a text.
pub(crate) const TEXT_LIST: Frame = Frame { before: r#"[{"type":"text","text":"#, after: "}]" };

/// Reads contents into drafts.
pub(crate) struct Blocks<'b, 'r> {
    pub(crate) builder: &'b mut LayoutBuilder<'r>,
    pub(crate) ids: &'b mut MadeIds,
}

/// A part and where it stands.
pub(crate) type Placed<'a> = (PartView<'a>, Place);

impl Blocks<'_, '_> {
    /// The draft of a message with this content, which is a text or a list of blocks.
    pub(crate) fn draft<'a>(&mut self, role: Role, content: Option<Node<'a>>, record: Unit) -> Draft<'a> {
        let draft = Draft::new(role, record);
        let Some(content) = content else { return draft };
        let Ok(Some(blocks)) = content.array() else { return said(draft, content, record) };
        let spans = blocks.iter().map(Node::span).collect();
        let list = self.builder.list_in(record, Container::Array(content.span()), spans, None);
        let mut draft = draft.adding(Adding::Element(list, Frame::TEXT_BLOCK));
        for (index, block) in blocks.into_iter().enumerate() {
            let (part, place) = self.block(block, list.unit(index));
            draft.add(part, place);
        }
        draft
    }

    /// One block.
    pub(crate) fn block<'a>(&mut self, node: Node<'a>, unit: Unit) -> Placed<'a> {
        if let Some(text) = node.string() {
            return (PartView::Text(text), Place::text(unit, node.span()));
        }
        let block = node.object().ok().flatten().unwrap_or_default();
        let kind = block.string("type").unwrap_or_default();
        match kind.as_ref() {
            "thinking" | "reasoning" | "think" | "redacted_thinking" | "redactedThinking" => {
                thinking(&block, unit)
            }
            "toolCall" | "tool_use" | "tool_call" | "toolRequest" | "frontendToolRequest" => {
                self.call(&block, unit)
            }
            "toolResult" | "tool_result" | "tool-result" | "toolResponse" => self.result(&block, unit),
            "file" if block.get("content").is_some_and(|text| text.string().is_some()) => {
                text_at(&block, "content", unit, node)
            }
            _ => text_at(&block, "text", unit, node),
        }
    }

    fn call<'a>(&mut self, block: &Object<'a>, unit: Unit) -> Placed<'a> {
        let inner = object_in(block, "toolCall").and_then(|call| object_in(&call, "value"));
        let call = inner.as_ref().unwrap_or(block);
        let name = call.string("name").unwrap_or_default();
        let id = self.ids.call(block.string("id"), &name);
        let arguments = first_of(call, &["input", "arguments", "args"]);
        call_at(id, name, arguments, unit)
    }

    fn result<'a>(&mut self, block: &Object<'a>, unit: Unit) -> Placed<'a> {
        let outer = object_in(block, "toolResult");
        let failed = outer.as_ref().is_some_and(|outer| outer.has("error"));
        let held = outer.as_ref().and_then(|outer| outer.get("value").or_else(|| outer.get("error")));
        let within = held.and_then(|held| held.object().ok().flatten()).and_then(|held| held.get("content"));
        let content = within.or(held).or_else(|| first_of(block, &["content", "output", "result"]));
        let own = first_of(block, &["tool_use_id", "toolCallId", "tool_call_id", "id"]);
        let name = block.owned("name");
        let id = self.ids.result(own.and_then(|id| id.string()), name.as_deref());
        let (parts, place) = result_content(content, unit);
        let failed = failed || ["is_error", "isError"].iter().any(|key| is_true(block, key));
        let result = ResultView::with_parts(id, parts).with_name(name).with_error(failed);
        (PartView::ToolResult(result), place)
    }
}

fn said<'a>(draft: Draft<'a>, content: Node<'a>, record: Unit) -> Draft<'a> {
    let mut draft = draft.adding(Adding::Value(content.span(), Frame::BARE));
    if let Some(text) = content.string().filter(|text| !text.is_empty()) {
        let place = Place::text(record, content.span()).blanked(content.span(), r#""""#);
        draft.add(PartView::Text(text), place);
    }
    draft
}

fn is_true(object: &Object<'_>, key: &str) -> bool {
    object.get(key).is_some_and(|value| value.is_true())
}

fn first_of<'a>(object: &Object<'a>, keys: &[&str]) -> Option<Node<'a>> {
    keys.iter().find_map(|key| object.get(key))
}

/// A call with its arguments, which are JSON or a text.
pub(crate) fn call_at<'a>(
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    arguments: Option<Node<'a>>,
    unit: Unit,
) -> Placed<'a> {
    let text = arguments.map_or(Cow::Borrowed("{}"), |value| {
        value.string().unwrap_or_else(|| Cow::Owned(compact(value.text())))
    });
    let none = if arguments.is_some_and(|value| value.string().is_some()) { r#""{}""# } else { "{}" };
    let place = Place::call(unit, arguments.map(|value| value.span()), none);
    (PartView::ToolCall(CallView::new(id, name, text)), place)
}

/// What a result says and where: a text, or a list of blocks.
pub(crate) fn result_content(content: Option<Node<'_>>, unit: Unit) -> (Vec<PartView<'_>>, Place) {
    let Some(content) = content.filter(|content| !content.is_null()) else {
        return (Vec::new(), Place::silent_result(unit));
    };
    if let Some(text) = content.string() {
        return (alloc::vec![PartView::Text(text)], Place::result(unit, content.span(), Frame::BARE));
    }
    let Ok(Some(blocks)) = content.array() else {
        let text = Cow::Owned(compact(content.text()));
        return (alloc::vec![PartView::Text(text)], Place::result(unit, content.span(), Frame::BARE));
    };
    let place = Place::result(unit, content.span(), TEXT_LIST).made_of(content.span(), Frame::TEXT_BLOCK);
    (blocks.into_iter().map(result_part).collect(), place)
}

fn result_part(node: Node<'_>) -> PartView<'_> {
    if let Some(text) = node.string() {
        return PartView::Text(text);
    }
    let block = node.object().ok().flatten().unwrap_or_default();
    match block.string("text") {
        Some(text) => PartView::Text(text),
        None => PartView::Media(medium(&block, node)),
    }
}

fn text_at<'a>(block: &Object<'a>, key: &str, unit: Unit, node: Node<'a>) -> Placed<'a> {
    match block.get(key).and_then(|value| Some((value.string()?, value.span()))) {
        Some((text, span)) => (PartView::Text(text), Place::text(unit, span)),
        None => (PartView::Media(medium(block, node)), Place::media(unit)),
    }
}

/// Reasoning; with a signature, or hidden, it stays whole or goes.
fn thinking<'a>(block: &Object<'a>, unit: Unit) -> Placed<'a> {
    let text = first_of(block, &["thinking", "think", "text"])
        .and_then(|value| Some((value.string()?, value.span())));
    let signed = ["signature", "thinkingSignature", "encrypted", "data"]
        .iter()
        .any(|key| block.get(key).is_some_and(|value| value.string().is_some_and(|text| !text.is_empty())));
    match text {
        Some((text, span)) if !signed && !is_true(block, "redacted") => {
            (PartView::Reasoning(text), Place::reasoning(unit, span))
        }
        text => {
            let hidden = block.get("data").map_or(0, |data| data.length_in_file());
            let hidden_bytes = u64::try_from(hidden).unwrap_or(u64::MAX);
            let text = text.map(|(text, _)| text).unwrap_or_default();
            (PartView::OpaqueReasoning { text, hidden_bytes }, Place::opaque(unit))
        }
    }
}

/// An image or a document, or a block of another sort.
pub(crate) fn medium<'a>(block: &Object<'a>, node: Node<'a>) -> Media<'a> {
    let kind = block.string("type").unwrap_or_default();
    let source = ["source", "image_url", "imageUrl"].iter().find_map(|key| object_in(block, key));
    let source = source.unwrap_or_else(|| block.clone());
    let medium = match kind.as_ref() {
        "image" | "image_url" => Media::new(MediaKind::Image).with_detail(detail(&source)),
        "audio" => Media::new(MediaKind::Audio),
        "document" => Media::new(MediaKind::Document),
        _ => {
            let bytes = u64::try_from(node.length_in_file()).unwrap_or(u64::MAX);
            return Media::new(MediaKind::Other).with_label(kind).with_bytes(bytes);
        }
    };
    let label = first_of(&source, &["mimeType", "media_type", "mime"]).and_then(|label| label.string());
    let medium = match label {
        Some(label) => medium.with_label(label),
        None => medium,
    };
    with_source(medium, source.string("data"), source.string("url"))
}

/// A medium with its data, or behind a link that may hold the data itself.
pub(crate) fn with_source<'a>(
    medium: Media<'a>,
    data: Option<Cow<'a, str>>,
    url: Option<Cow<'a, str>>,
) -> Media<'a> {
    match (data, url) {
        (Some(data), _) => {
            let length = whole_length(&data);
            medium.with_base64_data(data).with_base64(length)
        }
        (None, Some(url)) => match url.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
            Some((_, data)) => medium.with_base64(whole_length(data)),
            None => medium.with_url(url),
        },
        (None, None) => medium,
    }
}
