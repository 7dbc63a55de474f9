//! A list of messages inside a file: what the formats that are such a list share.
//!
//! The index holds spans and numbers, no text. Removing a message is removing an element of the array, or a line;
//! editing one is the format's own affair ([`MessageEditor`]).

mod insertion;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_messages::{Mapped, MessageView, PartView, TurnMapper};
use cutctx_types::TurnError;

use crate::error::FormatError;
use crate::layout::{Container, splice_records};
use crate::outcome::{Slot, SlotKind};
use crate::raw::{Span, Splices};
use crate::request::ReadRequest;
use crate::view::View;

use insertion::Insertions;

/// One message of the list.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The element or line, with its line feed.
    pub(crate) record: Span,
    /// The message object.
    pub(crate) message: Span,
    slots: Range<usize>,
    /// The turns that it became.
    pub(crate) turns: Range<usize>,
}

/// The index over the messages of a file.
#[derive(Debug)]
pub(crate) struct Conversation {
    container: Container,
    entries: Vec<Entry>,
    slots: Vec<Slot>,
}

/// How a format spells the changes of a message.
pub(crate) trait MessageEditor {
    /// Edits a message that stays and of which some turn is touched.
    fn edit(
        &self,
        view: &View<'_>,
        entry: &Entry,
        slots: &[Slot],
        splices: &mut Splices,
    ) -> Result<(), FormatError>;

    /// A new message that says a summary, as JSON text.
    fn summary(&self, text: &str) -> String;
}

impl Conversation {
    /// The messages in order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The slots of a message.
    pub(crate) fn slots_of(&self, entry: &Entry) -> &[Slot] {
        self.slots.get(entry.slots.clone()).unwrap_or_default()
    }

    /// The index of the message that a turn came from.
    pub(crate) fn message_of(&self, turn: usize) -> Option<usize> {
        let index = self.entries.partition_point(|entry| entry.turns.end <= turn);
        self.entries.get(index).filter(|entry| entry.turns.contains(&turn)).map(|_| index)
    }

    /// The edits that make the list say what the view says.
    pub(crate) fn render(&self, view: &View<'_>, editor: &dyn MessageEditor) -> Result<Splices, FormatError> {
        let mut splices = Splices::new();
        let mut gone = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.turns.clone().all(|turn| view.is_gone(turn)) {
                gone.push(index);
            } else if !entry.turns.clone().all(|turn| view.is_kept(turn)) {
                editor.edit(view, entry, self.slots_of(entry), &mut splices)?;
            }
        }
        let added = self.summaries(view, editor)?;
        let records = self.entries.iter().map(|entry| entry.record).collect();
        splice_records(view.text(), self.container, records, &gone, added, &mut splices);
        Ok(splices)
    }

    /// The new messages with the index of the message before which each goes. Blank summaries leave none.
    fn summaries(
        &self,
        view: &View<'_>,
        editor: &dyn MessageEditor,
    ) -> Result<Vec<(usize, String)>, FormatError> {
        let groups = view.groups();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let insertions = Insertions::new(self, view);
        let mut added = Vec::with_capacity(groups.len());
        for (turn, group) in groups {
            let text = view.summary(group)?;
            if let Some(wanted) = self.wanted_place(turn, view).filter(|_| !text.trim().is_empty()) {
                added.push((insertions.place(wanted), editor.summary(text)));
            }
        }
        Ok(added)
    }

    /// The message before which the summary of a group that begins with this turn belongs: its own, or the next one
    /// when of its message only turns before it stay.
    fn wanted_place(&self, turn: usize, view: &View<'_>) -> Option<usize> {
        let message = self.message_of(turn)?;
        let turns = self.entries.get(message)?.turns.clone();
        let stays = |mut turns: Range<usize>| turns.any(|turn| !view.is_gone(turn));
        let last = stays(turns.start..turn) && !stays(turn..turns.end);
        Some(if last { message.saturating_add(1) } else { message })
    }
}

/// A message as a format read it: where it stands, what it says, and where each of its parts stands.
#[derive(Debug)]
pub(crate) struct ReadMessage<'a> {
    pub(crate) record: Span,
    pub(crate) message: Span,
    pub(crate) content: MessageView<'a>,
    /// One place a part.
    pub(crate) places: Vec<(Span, SlotKind)>,
}

/// Collects messages into turns and their index.
#[derive(Debug)]
pub(crate) struct ConversationBuilder<'e> {
    mapper: TurnMapper<'e>,
    request: &'e ReadRequest<'e>,
    conversation: Conversation,
}

impl<'e> ConversationBuilder<'e> {
    /// The first turn of a person is pinned: many servers want a user's message first, and it is the task.
    pub(crate) fn new(container: Container, request: &'e ReadRequest<'e>) -> Self {
        let conversation = Conversation { container, entries: Vec::new(), slots: Vec::new() };
        Self { mapper: TurnMapper::new(request.estimator).pinning_first_user(), request, conversation }
    }

    /// Adds a message that stands outside the list, such as a system prompt; its turns have no slots.
    pub(crate) fn push_outside(&mut self, message: &MessageView<'_>) -> Result<(), TurnError> {
        self.request.observe(message, Span::default(), self.mapper.turn_count());
        self.mapper.push(message).map(|_| ())
    }

    /// Adds the next message of the list.
    pub(crate) fn push(&mut self, read: &ReadMessage<'_>) -> Result<(), TurnError> {
        let (first_turn, first_slot) = (self.mapper.turn_count(), self.conversation.slots.len());
        self.request.observe(&read.content, read.record, first_turn);
        let placements = self.mapper.push(&read.content)?;
        for ((placement, (span, kind)), part) in placements.iter().zip(&read.places).zip(&read.content.parts)
        {
            let parts = if let PartView::ToolResult(result) = part { result.parts.len() } else { 1 };
            let slot = Slot { span: *span, kind: *kind, turn: placement.turn, part: placement.part, parts };
            self.conversation.slots.push(slot);
        }
        self.conversation.entries.push(Entry {
            record: read.record,
            message: read.message,
            slots: first_slot..self.conversation.slots.len(),
            turns: first_turn..self.mapper.turn_count(),
        });
        Ok(())
    }

    /// The turns and the index.
    pub(crate) fn finish(self) -> (Mapped, Conversation) {
        (self.mapper.finish(), self.conversation)
    }
}
