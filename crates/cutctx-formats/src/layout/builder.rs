//! Collecting messages into turns and their layout.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use cutctx_messages::{Mapped, MessageView, PartView, Placement, ResultView, TurnMapper};
use cutctx_types::{Role, TurnError};

use super::container::Container;
use super::entry::{Entry, Layout, ListPlace};
use super::place::{Adding, List, Place, Unit};
use super::spots::{Spot, Spots};
use crate::marker::Marker;
use crate::provider::active_turn::tell_held;
use crate::raw::Span;
use crate::request::ReadRequest;
use crate::usage::Usage;

/// A message while its parts are read.
#[derive(Debug)]
pub struct Draft<'a> {
    /// What it says; its id, pins and origin may be set.
    pub message: MessageView<'a>,
    places: Vec<Place>,
    record: Option<Unit>,
    adding: Option<Adding>,
    holds_reasoning: bool,
    usage: Option<Usage>,
    /// Where a message outside of all lists stands.
    outside: Option<Span>,
}

impl<'a> Draft<'a> {
    /// A message that stands in this element, and in those in which its parts are placed.
    #[must_use]
    pub const fn new(role: Role, record: Unit) -> Self {
        let message = MessageView::new(role, Vec::new());
        Self {
            message,
            places: Vec::new(),
            record: Some(record),
            adding: None,
            holds_reasoning: false,
            usage: None,
            outside: None,
        }
    }

    /// A message that stands outside of all lists, such as a system prompt: its turns can only be kept.
    #[must_use]
    pub const fn fixed(message: MessageView<'a>) -> Self {
        Self {
            message,
            places: Vec::new(),
            record: None,
            adding: None,
            holds_reasoning: false,
            usage: None,
            outside: None,
        }
    }

    /// As [`Draft::fixed`], of a message that this value says.
    #[must_use]
    pub(crate) const fn fixed_at(message: MessageView<'a>, value: Span) -> Self {
        let mut draft = Self::fixed(message);
        draft.outside = Some(value);
        draft
    }

    /// The next part of the message and where it stands.
    pub fn add(&mut self, part: PartView<'a>, place: Place) {
        self.message.parts.push(part);
        self.places.push(place);
    }

    /// Adds the parts of another draft of the same message, which stand in other records.
    pub fn append(&mut self, other: Self) {
        self.message.parts.extend(other.message.parts);
        self.places.extend(other.places);
    }

    /// Puts the parts of another draft of the same message before its own.
    pub fn prepend(&mut self, other: Self) {
        self.message.parts.splice(..0, other.message.parts);
        self.places.splice(..0, other.places);
    }

    /// Takes texts for results, those for which `answers` gives the id of a call.
    pub fn texts_to_results(&mut self, mut answers: impl FnMut(&str) -> Option<String>) {
        for (part, place) in self.message.parts.iter_mut().zip(&mut self.places) {
            let PartView::Text(text) = part else { continue };
            let Some((id, (span, frame))) = answers(text).zip(place.text) else { continue };
            *part = PartView::ToolResult(ResultView::new(id, core::mem::take(text)));
            *place = Place::result(place.unit, span, frame);
        }
    }

    /// Says that the provider insists on the signed reasoning of this message: a masked or trimmed turn keeps it.
    pub const fn hold_reasoning(&mut self) {
        self.holds_reasoning = true;
    }

    /// Says what the provider counted for the request that produced this message.
    pub const fn cost(&mut self, usage: Option<Usage>) {
        if usage.is_some() {
            self.usage = usage;
        }
    }

    /// Says where a text goes for which there is no place yet. Without it such a text is left out.
    #[must_use]
    pub const fn adding(mut self, adding: Adding) -> Self {
        self.adding = Some(adding);
        self
    }
}

/// Collects messages into turns and their layout.
///
/// The first and the newest turn of a person are pinned: the task, and what the model is asked for now.
pub struct LayoutBuilder<'b> {
    request: &'b ReadRequest<'b>,
    mapper: TurnMapper<'b>,
    layout: Layout,
    /// Where all of it stands, when that is one value of the file.
    within: Option<Span>,
    /// The last marker, until the message that says its summary comes.
    marked: Option<(Span, Option<Unit>)>,
}

impl fmt::Debug for LayoutBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayoutBuilder").field("messages", &self.layout.entries.len()).finish_non_exhaustive()
    }
}

impl<'b> LayoutBuilder<'b> {
    /// A builder for a file of this format.
    #[must_use]
    pub fn new(format: &'static str, request: &'b ReadRequest<'b>) -> Self {
        let mapper = TurnMapper::new(request.estimator).pinning_first_user().pinning_last_user();
        let layout = Layout {
            format,
            lists: Vec::new(),
            spots: Spots::default(),
            entries: Vec::new(),
            anchors: Vec::new(),
            outside: Vec::new(),
            start: None,
            joins: false,
        };
        Self { request, mapper, layout, within: None, marked: None }
    }

    /// For a text that is one value of the file, such as JSON inside of a string: observers are told that messages
    /// stand there.
    #[must_use]
    pub const fn inside_of(mut self, value: Span) -> Self {
        self.within = Some(value);
        self
    }

    /// Does not pin the first turn of a person: in a session that was compacted before, the first words are no task.
    #[must_use]
    pub fn without_first_user(mut self) -> Self {
        self.mapper = TurnMapper::new(self.request.estimator).pinning_last_user();
        self
    }

    /// Says that user and model must take turns: messages of one side between which others stood, and which would touch
    /// after an edit, become one, and so does a summary with the message of the user's that it would touch. Holds for
    /// messages of one record whose parts are the elements of the list that they are
    /// [`adding`](Draft::adding) to.
    #[must_use]
    pub const fn joining_neighbours(mut self) -> Self {
        self.layout.joins = true;
        self
    }

    /// Declares a list with the places of its elements. The first one is the list of messages.
    pub fn list(&mut self, container: Container, elements: Vec<Span>) -> List {
        self.add_list(ListPlace { container, elements, parent: None, empty: None })
    }

    /// Declares a list that stands in an element of another one. When all its elements go and that element does not,
    /// `empty` takes the place of the whole list; without one an empty list stays. Lines belong to their element and
    /// stand elsewhere in the file; the element goes when all of them do.
    pub fn list_in(
        &mut self,
        parent: Unit,
        container: Container,
        elements: Vec<Span>,
        empty: Option<&'static str>,
    ) -> List {
        self.add_list(ListPlace { container, elements, parent: Some(parent), empty })
    }

    fn add_list(&mut self, list: ListPlace) -> List {
        self.layout.lists.push(list);
        List(self.layout.lists.len().saturating_sub(1))
    }

    /// Says that this element of the list of messages begins the context, such as the marker of an earlier compaction:
    /// it stays whatever becomes of what it says, and nothing new goes before it.
    pub const fn start_at(&mut self, element: usize) {
        self.layout.start = Some(element);
    }

    /// Says that an element stays, also when all parts of messages in it go: a record that marks a place for its tool.
    pub fn anchor(&mut self, unit: Unit) {
        self.layout.anchors.push(unit);
    }

    /// As [`LayoutBuilder::anchor`], for the record of an earlier compaction: observers hear of it, and that the next
    /// message of this record is its summary.
    pub fn mark(&mut self, unit: Unit) {
        self.anchor(unit);
        let span = self.within.or_else(|| self.span_of(unit)).unwrap_or_default();
        self.mark_at(span, Some(unit));
    }

    /// Tells observers of an earlier compaction, and that the next message of the record `summary` is its summary.
    pub(crate) fn mark_at(&mut self, span: Span, summary: Option<Unit>) {
        self.tell_mark(None);
        self.marked = Some((span, summary));
    }

    fn tell_mark(&mut self, summary: Option<usize>) {
        if let Some((span, _)) = self.marked.take() {
            self.request.marked(&Marker::new(span, summary));
        }
    }

    fn says_summary(&self, record: Option<Unit>) -> bool {
        let summary = self.marked.and_then(|(_, summary)| summary);
        let records = summary.zip(record).map(|(summary, record)| [summary, record]);
        records
            .is_some_and(|[summary, record]| self.layout.record_of(summary) == self.layout.record_of(record))
    }

    /// How many turns there are so far.
    #[must_use]
    pub const fn turn_count(&self) -> usize {
        self.mapper.turn_count()
    }

    /// Adds the next message.
    ///
    /// # Errors
    ///
    /// [`TurnError`] when a turn is refused.
    pub fn push(&mut self, draft: Draft<'_>) -> Result<(), TurnError> {
        let (first_turn, first_spot) = (self.mapper.turn_count(), self.layout.spots.len());
        let Draft { message, places, record, adding, holds_reasoning, usage, outside } = draft;
        self.layout.outside.extend(outside);
        let span = self.within.or_else(|| self.span_of(record?)).unwrap_or_default();
        if self.says_summary(record) {
            self.tell_mark(Some(first_turn));
        }
        self.request.observe(&message, span, first_turn);
        if let Some(usage) = usage {
            self.request.spent(&usage.of_turn(first_turn));
        }
        let placements = self.mapper.push(&message)?;
        for ((placement, place), part) in placements.iter().zip(&places).zip(&message.parts) {
            self.layout.spots.push(&spot(*place, *placement, part));
        }
        if let Some(unit) = record.filter(|_| message.parts.is_empty()) {
            let nothing = Placement::at(first_turn, 0);
            self.layout.spots.push(&spot(Place::media(unit).saying_nothing(), nothing, &PartView::text("")));
        }
        let spots = first_spot..self.layout.spots.len();
        let records = self.records(record, first_spot);
        let turns = first_turn..self.mapper.turn_count();
        let role = message.role;
        self.layout.entries.push(Entry { role, spots, turns, records, adding, holds_reasoning });
        Ok(())
    }

    fn span_of(&self, unit: Unit) -> Option<Span> {
        self.layout.elements(unit.list).get(unit.element).copied()
    }

    /// The first and last record of a message.
    fn records(&self, record: Option<Unit>, first_spot: usize) -> Option<(usize, usize)> {
        let spots = self.layout.spots.kinds(first_spot..self.layout.spots.len()).map(|(_, unit)| unit);
        let units = record.into_iter().chain(spots);
        let records = units.filter_map(|unit| self.layout.record_of(unit));
        records.fold(None, |range: Option<(usize, usize)>, record| {
            Some(range.map_or((record, record), |(first, last)| (first.min(record), last.max(record))))
        })
    }

    /// The turns and the layout.
    #[must_use]
    pub fn finish(mut self) -> (Mapped, Layout) {
        self.tell_mark(None);
        let mut mapped = self.mapper.finish();
        for entry in self.layout.entries.iter().filter(|entry| entry.holds_reasoning) {
            tell_held(mapped.turns.get_mut(entry.turns.clone()).unwrap_or_default());
        }
        (mapped, self.layout)
    }
}

fn spot(place: Place, placement: Placement, part: &PartView<'_>) -> Spot {
    let parts = if let PartView::ToolResult(result) = part { result.parts.len() } else { 1 };
    Spot::new(place, placement, parts)
}
