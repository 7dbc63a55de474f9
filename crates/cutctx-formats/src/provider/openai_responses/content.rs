//! What messages and outputs are made of.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, PartView};

use crate::error::RecordFault;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Place, Unit};
use crate::provider::data_link::{by_link, detail, sized};
use crate::raw::{Node, Object, compact};

/// A text of a user.
pub(super) const INPUT: Frame = Frame { before: r#"{"type":"input_text","text":"#, after: "}" };

/// A text of the model.
pub(super) const OUTPUT: Frame =
    Frame { before: r#"{"type":"output_text","text":"#, after: r#","annotations":[]}"# };

/// Adds what a message says to a draft, and says where else a text would go.
pub(super) fn add_content<'a>(
    item: &Object<'a>,
    unit: Unit,
    frame: Frame,
    builder: &mut LayoutBuilder<'_>,
    draft: &mut Draft<'a>,
) -> Result<Adding, RecordFault> {
    let content = item.get("content").ok_or(RecordFault::Field("content"))?;
    if let Some(text) = content.string() {
        draft.add(PartView::Text(text), Place::text(unit, content.span()));
        return Ok(Adding::Value(content.span(), Frame::BARE));
    }
    let parts = content.array().ok().flatten().ok_or(RecordFault::Field("content"))?;
    let spans = parts.iter().map(Node::span).collect();
    let list = builder.list_in(unit, Container::Array(content.span()), spans, None);
    for (index, node) in parts.into_iter().enumerate() {
        let (part, place) = read_part(node, list.unit(index))?;
        draft.add(part, place);
    }
    Ok(Adding::Element(list, frame))
}

/// A part of a message or of an output.
pub(super) fn read_part(node: Node<'_>, unit: Unit) -> Result<(PartView<'_>, Place), RecordFault> {
    if let Some(text) = node.string() {
        return Ok((PartView::Text(text), Place::text(unit, node.span())));
    }
    let part = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let kind = part.string("type").ok_or(RecordFault::Field("type"))?;
    let text = match kind.as_ref() {
        "input_text" | "output_text" | "text" | "summary_text" | "reasoning_text" => part.get("text"),
        "refusal" => part.get("refusal"),
        _ => return Ok((PartView::Media(medium(&part, kind, node)), Place::media(unit))),
    };
    let text = text.ok_or(RecordFault::Field("text"))?;
    let said = text.string().ok_or(RecordFault::Field("text"))?;
    Ok((PartView::Text(said), Place::text(unit, text.span())))
}

fn medium<'a>(part: &Object<'a>, kind: Cow<'a, str>, node: Node<'a>) -> Media<'a> {
    let filed = |medium: Media<'a>| match part.string("file_id") {
        Some(id) => medium.with_file_id(id),
        None => medium,
    };
    match kind.as_ref() {
        "input_image" | "computer_screenshot" => {
            let image = Media::new(MediaKind::Image).with_detail(detail(part));
            by_link(filed(image), part.get("image_url"))
        }
        "input_file" => {
            let link = part.get("file_data").or_else(|| part.get("file_url"));
            by_link(filed(Media::new(MediaKind::Document)), link)
        }
        "input_audio" => {
            let audio = part.get("input_audio").and_then(|audio| audio.object().ok().flatten());
            sized(Media::new(MediaKind::Audio), audio.unwrap_or_default().get("data"))
        }
        _ => block(kind, node),
    }
}

/// Something without readable text.
pub(super) fn block<'a>(label: impl Into<Cow<'a, str>>, node: Node<'a>) -> Media<'a> {
    let bytes = u64::try_from(node.length_in_file()).unwrap_or(u64::MAX);
    Media::new(MediaKind::Other).with_label(label).with_bytes(bytes)
}

/// The readable texts of a list of parts, one after the other.
pub(super) fn joined_texts<'a>(list: Option<Node<'a>>) -> Cow<'a, str> {
    let parts = list.and_then(|list| list.array().ok().flatten()).unwrap_or_default();
    let mut texts: Vec<Cow<'a, str>> =
        parts.iter().filter_map(|part| part.object().ok()??.string("text")).collect();
    if texts.len() == 1 {
        return texts.pop().unwrap_or_default();
    }
    Cow::Owned(texts.join("\n"))
}

/// JSON as it is read by a person: the text of a string, anything else without white space.
pub(super) fn as_text(node: Node<'_>) -> Cow<'_, str> {
    node.string().unwrap_or_else(|| Cow::Owned(compact(node.text())))
}
