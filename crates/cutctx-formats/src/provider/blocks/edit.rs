//! Edits of Anthropic content.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::outcome::{Outcome, Slot, SlotKind, TurnEdit, outcomes};
use crate::raw::{ArrayEdit, Node, Object, Span, Splices, quoted};
use crate::view::{Kept, View};

/// Edits the content at `content` so that it says what the view says of its slots. `holds_reasoning`: the provider
/// insists on the signed reasoning of this message.
pub(crate) fn edit_content(
    view: &View<'_>,
    content: Span,
    slots: &[Slot],
    holds_reasoning: bool,
    splices: &mut Splices,
) {
    let node = Node::trusted(content.of(view.text()), content.start);
    let Ok(Some(blocks)) = node.array() else { return edit_string(view, content, slots, splices) };
    let spans: Vec<Span> = blocks.iter().map(Node::span).collect();
    let mut array = ArrayEdit::new(view.text(), content, spans);
    for own in by_turn(slots) {
        let places: Vec<Slot> = own.iter().map(|(_, slot)| *slot).collect();
        let edit = outcomes(view, &places, holds_reasoning);
        apply(view, &own, edit, &mut array, splices);
    }
    array.finish(splices);
}

/// A turn of a message whose content is a string is that whole string.
fn edit_string(view: &View<'_>, content: Span, slots: &[Slot], splices: &mut Splices) {
    let edit = outcomes(view, slots, false);
    let text = edit.outcomes.into_iter().find_map(|outcome| match outcome {
        Outcome::Text(text) => Some(text),
        Outcome::Keep | Outcome::Remove | Outcome::EmptyArguments | Outcome::Inner(_) => None,
    });
    if let Some(text) = text.or(edit.added.map(|(_, text)| text)) {
        splices.replace(content, quoted(&text));
    }
}

/// The slots with their numbers, turn by turn; the turns in order.
fn by_turn(slots: &[Slot]) -> Vec<Vec<(usize, Slot)>> {
    let mut turns: BTreeMap<usize, Vec<(usize, Slot)>> = BTreeMap::new();
    for (index, slot) in slots.iter().enumerate() {
        turns.entry(slot.turn).or_default().push((index, *slot));
    }
    turns.into_values().collect()
}

fn apply(
    view: &View<'_>,
    own: &[(usize, Slot)],
    edit: TurnEdit<'_>,
    array: &mut ArrayEdit<'_>,
    splices: &mut Splices,
) {
    for ((index, slot), outcome) in own.iter().zip(edit.outcomes) {
        if outcome == Outcome::Remove {
            array.remove(*index);
        } else {
            edit_block(view.text(), slot, &outcome, splices);
        }
    }
    if let Some((place, text)) = edit.added {
        let after_last = own.last().map_or(0, |(index, _)| index.saturating_add(1));
        array.insert(own.get(place).map_or(after_last, |(index, _)| *index), text_block(&text));
    }
}

/// Edits one block in place; its other fields stay.
pub(crate) fn edit_block(text: &str, slot: &Slot, outcome: &Outcome<'_>, splices: &mut Splices) {
    let Ok(block) = Object::parse(slot.span.of(text), slot.span.start) else { return };
    match outcome {
        Outcome::Keep | Outcome::Remove => {}
        Outcome::EmptyArguments => set(&block, "input", "{}", splices),
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
