//! The index over a file: its lists, and the messages with the places of their parts.

use alloc::vec::Vec;
use core::ops::Range;

use cutctx_types::Role;

use super::container::Container;
use super::place::{Adding, List, Place, Unit};
use super::spots::{Spot, Spots};
use crate::outcome::SlotKind;
use crate::raw::Span;
use crate::standing::Standing;

/// The index over a file. Holds places and numbers, no text.
#[derive(Debug)]
pub struct Layout {
    pub(super) format: &'static str,
    pub(super) lists: Vec<ListPlace>,
    pub(super) spots: Spots,
    pub(super) entries: Vec<Entry>,
    /// Elements that never go.
    pub(super) anchors: Vec<Unit>,
    /// The values that say messages outside of all lists.
    pub(super) outside: Vec<Span>,
    /// The element of the list of messages that stays and before which nothing new goes.
    pub(super) start: Option<usize>,
    /// Whether messages of one side that come to touch are made one.
    pub(super) joins: bool,
}

/// A list of the file.
#[derive(Debug)]
pub(super) struct ListPlace {
    pub(super) container: Container,
    pub(super) elements: Vec<Span>,
    /// The element that the list stands in.
    pub(super) parent: Option<Unit>,
    /// What takes the place of a list of which nothing is left.
    pub(super) empty: Option<&'static str>,
}

/// A message.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) role: Role,
    pub(super) spots: Range<usize>,
    pub(super) turns: Range<usize>,
    /// The elements of the list of messages from its first record to its last; `None` for one outside of the list.
    pub(super) records: Option<(usize, usize)>,
    pub(super) adding: Option<Adding>,
    /// Whether the provider insists on its signed reasoning.
    pub(super) holds_reasoning: bool,
}

impl Layout {
    /// The list of messages: the first one that was declared.
    #[must_use]
    pub const fn spine(&self) -> List {
        List(0)
    }

    /// The places of a list's elements.
    #[must_use]
    pub fn elements(&self, list: List) -> &[Span] {
        self.lists.get(list.0).map(|list| list.elements.as_slice()).unwrap_or_default()
    }

    /// The message that a turn came from.
    #[must_use]
    pub fn message_of(&self, turn: usize) -> Option<usize> {
        let index = self.entries.partition_point(|entry| entry.turns.end <= turn);
        self.entries.get(index).filter(|entry| entry.turns.contains(&turn)).map(|_| index)
    }

    /// The turns of a message.
    #[must_use]
    pub fn turns_of(&self, message: usize) -> Range<usize> {
        self.entries.get(message).map(|entry| entry.turns.clone()).unwrap_or_default()
    }

    /// The first and the last element of the list of messages in which this message stands.
    #[must_use]
    pub fn records_of(&self, message: usize) -> Option<(usize, usize)> {
        self.entries.get(message)?.records
    }

    /// Whether signed reasoning stands anywhere.
    #[must_use]
    pub fn has_opaque_reasoning(&self) -> bool {
        self.all_spots().any(|spot| spot.place.kind == SlotKind::Opaque)
    }

    /// The signed reasoning of every message after this one is held: a masked or trimmed turn keeps it. `None` holds
    /// that of all.
    pub fn hold_reasoning_after(&mut self, message: Option<usize>) {
        let first = message.map_or(0, |message| message.saturating_add(1));
        for entry in self.entries.iter_mut().skip(first) {
            entry.holds_reasoning = true;
        }
    }

    /// Where the parts of all turns stand.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let outside = self.outside.iter().map(|value| Standing::whole(*value));
        outside.chain(self.all_spots().filter_map(|spot| self.standing(&spot.place))).collect()
    }

    fn standing(&self, place: &Place) -> Option<Standing> {
        let element = self.elements(place.unit.list).get(place.unit.element).copied()?;
        if let Some(value) = place.value() {
            return Some(Standing::new(element, value));
        }
        let says_nothing = matches!(place.kind, SlotKind::Text | SlotKind::Call);
        Some(if says_nothing { Standing::new(element, Span::default()) } else { Standing::whole(element) })
    }

    pub(super) fn spots_of(&self, entry: &Entry) -> impl Iterator<Item = Spot> {
        self.spots.range(entry.spots.clone())
    }

    fn all_spots(&self) -> impl Iterator<Item = Spot> {
        self.spots.range(0..self.spots.len())
    }

    /// The element of the list of messages that an element of any list stands in.
    pub(super) fn record_of(&self, unit: Unit) -> Option<usize> {
        let mut unit = unit;
        while unit.list != self.spine() {
            unit = self.lists.get(unit.list.0)?.parent?;
        }
        Some(unit.element)
    }
}
