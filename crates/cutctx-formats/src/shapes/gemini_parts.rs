//! Contents made of Gemini parts, as tools of the Gemini CLI's family write them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, PartView, ResultView};
use cutctx_types::Role;

use super::blocks::{Placed, call_at, with_source};
use super::made_ids::MadeIds;
use super::records::{array_in, object_in};
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Place, Unit};
use crate::raw::{Node, Object, Span, compact};
use crate::source::Worth;

/// A response that is no text becomes one with an output.
const OUTPUT: Frame = Frame { before: r#"{"output":"#, after: "}" };

/// A response that is missing comes with an output.
const NEW_MEMBER: Frame = Frame { before: r#","response":{"output":"#, after: "}" };
/// The same where there is nothing else.
const NEW_OBJECT: Frame = Frame { before: r#"{"response":{"output":"#, after: "}}" };

/// What of parts [`Parts`] reads.
pub(crate) const WORTH: Worth = Worth::Blocks(&[
    ("text", Worth::Said),
    ("functionCall", CALL),
    ("function_call", CALL),
    ("functionResponse", RESPONSE),
    ("function_response", RESPONSE),
    ("inlineData", Worth::Data),
    ("inline_data", Worth::Data),
    ("thoughtSignature", Worth::Text),
    ("thought_signature", Worth::Text),
]);

const CALL: Worth = Worth::All(&[("args", Worth::Arguments)]);

const RESPONSE: Worth = Worth::All(&[
    ("response", Worth::Single(&["output", "result", "error"])),
    ("parts", Worth::Blocks(&[("inlineData", Worth::Data), ("inline_data", Worth::Data)])),
]);

/// Reads contents into drafts.
pub(crate) struct Parts<'b, 'r> {
    pub(crate) builder: &'b mut LayoutBuilder<'r>,
    pub(crate) ids: &'b mut MadeIds,
}

impl Parts<'_, '_> {
    /// The draft of a message with these parts: a list, one part, or a text. When all of a list goes and its message
    /// does not, `empty` takes its place.
    pub(crate) fn draft<'a>(
        &mut self,
        role: Role,
        content: Option<Node<'a>>,
        record: Unit,
        empty: Option<&'static str>,
    ) -> Draft<'a> {
        let draft = Draft::new(role, record);
        let Some(content) = content else { return draft };
        let Ok(Some(parts)) = content.array() else { return self.single(draft, content, record) };
        let spans = parts.iter().map(Node::span).collect();
        let list = self.builder.list_in(record, Container::Array(content.span()), spans, empty);
        let mut draft = draft.adding(Adding::Element(list, Frame::TEXT_MEMBER));
        for (index, node) in parts.into_iter().enumerate() {
            let (part, place) = self.part(node, list.unit(index));
            draft.add(part, place);
        }
        draft
    }

    /// A text, or one part without a list around it.
    fn single<'a>(&mut self, draft: Draft<'a>, content: Node<'a>, record: Unit) -> Draft<'a> {
        if let Some(text) = content.string() {
            let mut draft = draft.adding(Adding::Value(content.span(), Frame::BARE));
            if !text.is_empty() {
                let place = Place::text(record, content.span()).blanked(content.span(), r#""""#);
                draft.add(PartView::Text(text), place);
            }
            return draft;
        }
        let mut draft = draft.adding(Adding::Value(content.span(), Frame::TEXT_MEMBER));
        if content.object().is_ok_and(|object| object.is_some()) {
            let (part, place) = self.part(content, record);
            draft.add(part, place.blanked(content.span(), r#"{"text":""}"#));
        }
        draft
    }

    /// One part.
    fn part<'a>(&mut self, node: Node<'a>, unit: Unit) -> Placed<'a> {
        if let Some(text) = node.string() {
            return (PartView::Text(text), Place::text(unit, node.span()));
        }
        let part = node.object().ok().flatten().unwrap_or_default();
        if let Some(call) = either(&part, "functionCall", "function_call") {
            let name = call.string("name").unwrap_or_default();
            let id = self.ids.call(call.string("id"), &name);
            return call_at(id, name, call.get("args"), unit);
        }
        if let Some(response) = either(&part, "functionResponse", "function_response") {
            let id = self.ids.result(response.string("id"), response.string("name").as_deref());
            return self.response(&response, id, unit);
        }
        text_or_medium(&part, node, unit)
    }

    /// The response to a call.
    pub(crate) fn response<'a>(&mut self, response: &Object<'a>, id: Cow<'a, str>, unit: Unit) -> Placed<'a> {
        let Said { text, place: (span, frame), failed } = said_by(response);
        let mut place = Place::result(unit, span, frame);
        let mut parts: Vec<PartView<'a>> = text.into_iter().map(PartView::Text).collect();
        let media = array_in(response, "parts").unwrap_or_default();
        if let Some(list) = response.get("parts").filter(|_| !media.is_empty()) {
            let spans = media.iter().map(Node::span).collect();
            let list = self.builder.list_in(unit, Container::Array(list.span()), spans, None);
            place = place.with_media(list, 0, parts.len());
        }
        parts.extend(media.into_iter().map(|node| PartView::Media(medium_of(node))));
        let result = ResultView::with_parts(id, parts).with_name(response.owned("name")).with_error(failed);
        (PartView::ToolResult(result), place)
    }
}

/// What a response says, where, and whether it is an error.
pub(crate) struct Said<'a> {
    pub(crate) text: Option<Cow<'a, str>>,
    pub(crate) place: (Span, Frame),
    pub(crate) failed: bool,
}

/// What a response says. One that says nothing yet takes a text as a new member.
pub(crate) fn said_by<'a>(response: &Object<'a>) -> Said<'a> {
    let Some(value) = response.get("response") else {
        return Said { text: None, place: unsaid(response), failed: false };
    };
    let object = value.object().ok().flatten().unwrap_or_default();
    let single = |key: &str| {
        let only = object.get(key).filter(|_| object.members().len() == 1)?;
        Some((only.string()?, only.span()))
    };
    if let Some((text, span)) = single("output").or_else(|| single("result")) {
        return Said { text: Some(text), place: (span, Frame::BARE), failed: false };
    }
    if let Some((text, span)) = single("error") {
        return Said { text: Some(text), place: (span, Frame::BARE), failed: true };
    }
    Said { text: Some(Cow::Owned(compact(value.text()))), place: (value.span(), OUTPUT), failed: false }
}

/// The place for a response that is missing: behind the other members.
fn unsaid(response: &Object<'_>) -> (Span, Frame) {
    match response.members().last() {
        Some(last) => (Span::at(last.value.end()), NEW_MEMBER),
        None => (response.span(), NEW_OBJECT),
    }
}

fn either<'a>(part: &Object<'a>, camel: &str, snake: &str) -> Option<Object<'a>> {
    object_in(part, camel).or_else(|| object_in(part, snake))
}

fn text_or_medium<'a>(part: &Object<'a>, node: Node<'a>, unit: Unit) -> Placed<'a> {
    let Some((text, span)) = part.get("text").and_then(|text| Some((text.string()?, text.span()))) else {
        return (PartView::Media(medium_of(node)), Place::media(unit));
    };
    let signed = part.has("thoughtSignature") || part.has("thought_signature");
    match part.get("thought").is_some_and(|thought| thought.is_true()) {
        true if signed => (PartView::OpaqueReasoning { text, hidden_bytes: 0 }, Place::opaque(unit)),
        true => (PartView::Reasoning(text), Place::reasoning(unit, span)),
        false => (PartView::Text(text), Place::text(unit, span)),
    }
}

/// Data in the file or behind a link; anything else is a block.
pub(crate) fn medium_of(node: Node<'_>) -> Media<'_> {
    let part = node.object().ok().flatten().unwrap_or_default();
    let data = either(&part, "inlineData", "inline_data");
    let file = either(&part, "fileData", "file_data");
    let Some(source) = data.or(file) else {
        let bytes = u64::try_from(node.length_in_file()).unwrap_or(u64::MAX);
        return Media::new(MediaKind::Other).with_bytes(bytes);
    };
    let label = source.string("mimeType").or_else(|| source.string("mime_type")).unwrap_or_default();
    let kind = match label.split('/').next() {
        Some("image") => MediaKind::Image,
        Some("audio") => MediaKind::Audio,
        _ => MediaKind::Document,
    };
    let url = source.string("fileUri").or_else(|| source.string("file_uri"));
    with_source(Media::new(kind).with_label(label), source.string("data"), url)
}
