//! Fates to edits of chat messages.

use alloc::string::String;
use alloc::vec::Vec;

use super::ChatLens;
use crate::error::FormatError;
use crate::outcome::{Outcome, Slot, outcomes};
use crate::provider::blocks::inner_blocks;
use crate::provider::conversation::{Entry, MessageEditor};
use crate::raw::{ArrayEdit, Member, Node, Object, Span, Splices, quoted};
use crate::view::View;

impl MessageEditor for ChatLens {
    fn edit(
        &self,
        view: &View<'_>,
        entry: &Entry,
        slots: &[Slot],
        splices: &mut Splices,
    ) -> Result<(), FormatError> {
        let message = Object::parse(entry.message.of(view.text()), entry.message.start)
            .map_err(|error| FormatError::syntax(error, view.text()))?;
        let edit = outcomes(view, slots, false);
        let mut editing = Editing::new(&message, view.text());
        for (slot, outcome) in slots.iter().zip(&edit.outcomes) {
            editing.apply(slot, outcome, splices);
        }
        if let Some((_, text)) = &edit.added {
            editing.content = Some(quoted(text));
        }
        if slots.is_empty() {
            editing.content = view.replacement(entry.turns.start).map(quoted);
        }
        editing.finish(splices);
        Ok(())
    }

    /// The model's own words: what a summary turn is everywhere else, too.
    fn summary(&self, text: &str) -> String {
        [r#"{"role":"assistant","content":"#, &quoted(text), "}"].concat()
    }
}

/// A message being edited: members that go, parts of its content that go, and a content that takes the old one's place.
struct Editing<'m, 'a> {
    text: &'a str,
    message: &'m Object<'a>,
    members: ArrayEdit<'a>,
    parts: Vec<Span>,
    part_edit: ArrayEdit<'a>,
    removed_parts: usize,
    content: Option<String>,
}

impl<'m, 'a> Editing<'m, 'a> {
    fn new(message: &'m Object<'a>, text: &'a str) -> Self {
        let spans = message.members().iter().map(Member::span);
        let members = ArrayEdit::new(text, message.span(), spans.collect());
        let content = message.get("content");
        let nodes = content.and_then(|content| content.array().ok().flatten()).unwrap_or_default();
        let parts: Vec<Span> = nodes.iter().map(Node::span).collect();
        let place = content.map_or_else(Span::default, |content| content.span());
        let part_edit = ArrayEdit::new(text, place, parts.clone());
        Self { text, message, members, parts, part_edit, removed_parts: 0, content: None }
    }

    fn apply(&mut self, slot: &Slot, outcome: &Outcome<'_>, splices: &mut Splices) {
        match outcome {
            Outcome::Keep => {}
            Outcome::EmptyArguments => empty_arguments(self.text, slot, splices),
            Outcome::Remove => self.remove(slot),
            Outcome::Text(text) if self.is_whole(slot) => self.content = Some(quoted(text)),
            Outcome::Text(text) => self.replace(slot, text, splices),
            Outcome::Inner(kept) => self.content = Some(inner_blocks(self.message.get("content"), kept)),
        }
    }

    /// Whether the slot is the message's whole content: a string, or everything a result says.
    fn is_whole(&self, slot: &Slot) -> bool {
        slot.span == self.message.span()
            || self.message.get("content").is_some_and(|content| content.span() == slot.span)
    }

    /// A part of the content, the content itself, or a member of the message.
    fn remove(&mut self, slot: &Slot) {
        if let Ok(index) = self.parts.binary_search(&slot.span) {
            self.part_edit.remove(index);
            self.removed_parts = self.removed_parts.saturating_add(1);
        } else if self.is_whole(slot) {
            self.content = Some(String::from(r#""""#));
        } else if let Some(index) =
            self.message.members().iter().position(|member| member.value.span() == slot.span)
        {
            self.members.remove(index);
        }
    }

    /// A part is an object with a text, or the text itself.
    fn replace(&self, slot: &Slot, text: &str, splices: &mut Splices) {
        let place = slot.object(self.text).and_then(|part| part.get("text"));
        splices.replace(place.map_or(slot.span, |text| text.span()), quoted(text));
    }

    /// Writes the new content, or takes the removed parts out of the old one.
    fn finish(mut self, splices: &mut Splices) {
        let all_gone = self.removed_parts > 0 && self.removed_parts == self.parts.len();
        if all_gone && self.content.is_none() {
            self.content = Some(String::from(r#""""#));
        }
        match (self.content.take(), self.message.get("content")) {
            (Some(new), Some(old)) => splices.replace(old.span(), new),
            (Some(new), None) => self.add_content(&new),
            (None, Some(_)) if self.removed_parts > 0 => self.part_edit.finish(splices),
            (None, _) => {}
        }
        self.members.finish(splices);
    }

    fn add_content(&mut self, new: &str) {
        let end = self.message.members().len();
        self.members.insert(end, [r#""content":"#, new].concat());
    }
}

/// The call keeps its id and name; its arguments become an empty object, as the string that they were.
fn empty_arguments(text: &str, slot: &Slot, splices: &mut Splices) {
    let Some(call) = slot.object(text) else { return };
    let function = call.get("function").and_then(|function| function.object().ok().flatten());
    if let Some(arguments) = function.unwrap_or(call).get("arguments") {
        let empty = if arguments.string().is_some() { r#""{}""# } else { "{}" };
        splices.replace(arguments.span(), empty);
    }
}
