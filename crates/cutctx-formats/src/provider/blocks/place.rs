//! Where the blocks of a message stand in its layout.

use super::read::{read_blocks, read_content};
use crate::error::RecordFault;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, List, Place, Unit};
use crate::outcome::SlotKind;
use crate::raw::{Node, Object, Span};
use cutctx_types::Role;

/// A result without content gets some.
const NEW_CONTENT: Frame = Frame { before: r#","content":"#, after: "" };

/// A message whose content was read.
pub(crate) struct Drafted<'a> {
    pub(crate) draft: Draft<'a>,
    /// Whether a block stands for everything before it, as the provider's own compaction does.
    pub(crate) has_compaction: bool,
    /// The list of its blocks; none where the content is one string.
    pub(crate) blocks: Option<List>,
}

/// Reads a message's content and says where each block stands. The blocks are a list of their own in the record.
pub(crate) fn draft_content<'a>(
    content: Node<'a>,
    role: Role,
    record: Unit,
    builder: &mut LayoutBuilder<'_>,
) -> Result<Drafted<'a>, RecordFault> {
    let mut draft = Draft::new(role, record);
    let Ok(Some(blocks)) = content.objects() else {
        draft = draft.adding(Adding::Value(content.span(), Frame::BARE));
        for part in read_content(content, role)?.parts {
            draft.add(part, Place::text(record, content.span()));
        }
        return Ok(Drafted { draft, has_compaction: false, blocks: None });
    };
    let read = read_blocks(&blocks, role)?;
    let has_compaction = read.has_compaction;
    let spans = read.places.iter().map(|(span, _)| *span).collect();
    let list = builder.list_in(record, Container::Array(content.span()), spans, None);
    draft = draft.adding(Adding::Element(list, Frame::TEXT_BLOCK));
    let places = blocks.iter().flatten().zip(&read.places).enumerate();
    for ((index, (block, (_, kind))), part) in places.zip(read.parts) {
        draft.add(part, place(block, *kind, list.unit(index)));
    }
    Ok(Drafted { draft, has_compaction, blocks: Some(list) })
}

fn place(block: &Object<'_>, kind: SlotKind, unit: Unit) -> Place {
    let span = |key: &str| block.get(key).map(|value| value.span());
    match kind {
        SlotKind::Text => Place::text(unit, span("text").unwrap_or_default()),
        SlotKind::Reasoning => Place::reasoning(unit, span("thinking").unwrap_or_default()),
        SlotKind::Opaque => Place::opaque(unit),
        SlotKind::Call => Place::call(unit, span("input"), "{}"),
        SlotKind::Server => Place::server(unit),
        SlotKind::Result => result_place(block, unit),
        SlotKind::Media => Place::media(unit),
    }
}

fn result_place(block: &Object<'_>, unit: Unit) -> Place {
    if let Some(content) = block.get("content") {
        return Place::result(unit, content.span(), Frame::BARE).made_of(content.span(), Frame::TEXT_BLOCK);
    }
    let end = block.members().last().map_or(block.span().start, |last| last.value.end());
    Place::result(unit, Span::at(end), NEW_CONTENT)
}
