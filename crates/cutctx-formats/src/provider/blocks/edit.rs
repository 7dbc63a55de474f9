//! Edits of Anthropic content.

use alloc::string::String;
use alloc::vec::Vec;

use crate::outcome::{Outcome, Slot, SlotKind, spelled_arguments};
use crate::raw::{Node, Object, Splices, quoted};
use crate::view::Kept;

/// Edits one block in place; its other fields stay.
pub(crate) fn edit_block(text: &str, slot: &Slot, outcome: &Outcome<'_>, splices: &mut Splices) {
    let Ok(block) = Object::parse(slot.span.of(text), slot.span.start) else { return };
    match outcome {
        Outcome::Keep | Outcome::Remove => {}
        Outcome::EmptyArguments => set(&block, "input", "{}", splices),
        Outcome::Arguments(left) => set(&block, "input", &spelled_arguments(left, "{}"), splices),
        Outcome::Text(new) => set(&block, text_key(slot.kind), &quoted(new), splices),
        Outcome::Inner(kept) => {
            set(&block, "content", &inner_blocks(block.get("content"), kept), splices);
        }
    }
}

const fn text_key(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Result => "content",
        SlotKind::Reasoning | SlotKind::Opaque => "thinking",
        SlotKind::Text | SlotKind::Call | SlotKind::Server | SlotKind::Media => "text",
    }
}

/// Replaces a member's value, or adds the member at the end.
fn set(block: &Object<'_>, key: &str, value: &str, splices: &mut Splices) {
    if let Some(old) = block.get(key) {
        splices.replace(old.span(), value);
    } else if let Some(last) = block.members().last() {
        splices.insert(last.value.end(), [",", &quoted(key), ":", value].concat());
    }
}

/// A trimmed result: whole blocks as they were, cut texts as text blocks.
fn inner_blocks(content: Option<Node<'_>>, kept: &[(usize, Kept)]) -> String {
    let blocks = content.and_then(|content| content.array().ok().flatten()).unwrap_or_default();
    let block = |(part, kept): &(usize, Kept)| match kept {
        Kept::Pieces(text) => Some(text_block(text)),
        Kept::Whole => blocks.get(*part).map(|node| String::from(node.text())),
    };
    ["[", &kept.iter().filter_map(block).collect::<Vec<_>>().join(","), "]"].concat()
}

/// A text block as JSON.
pub(crate) fn text_block(text: &str) -> String {
    [r#"{"type":"text","text":"#, &quoted(text), "}"].concat()
}
