//! The index over a session file: what reading leaves for writing.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::record::{Kind, Record};
use super::tree::{Link, Tree};
use super::{mend, render};
use crate::error::FormatError;
use crate::format::Lens;
use crate::layout::{Mend, Mended};
use crate::outcome::Slot;
use crate::raw::{Span, Splices};
use crate::standing::Standing;
use crate::view::View;

/// The lines, the tree that they form, and the turns that the messages on the live branch became.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) records: Vec<Record>,
    pub(super) tree: Tree,
    /// The links besides those to parents.
    pub(super) links: Vec<Link>,
    /// The messages in the order in which they are sent.
    pub(super) entries: Vec<Entry>,
    pub(super) slots: Vec<Slot>,
    /// The lines that say the same as a line of an entry.
    pub(super) copies: BTreeMap<usize, Vec<usize>>,
    /// The last entry in which something is said to the model: what follows is the turn that is still going on.
    pub(super) loop_start: Option<usize>,
}

/// A message of the context.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) lines: Vec<EntryLine>,
    pub(super) turns: Range<usize>,
}

/// A line of a message: its record and the slots of its blocks.
#[derive(Debug, Clone)]
pub(super) struct EntryLine {
    pub(super) record: usize,
    pub(super) slots: Range<usize>,
}

impl Index {
    /// The number of the message that a turn came from.
    pub(super) fn entry_of(&self, turn: usize) -> Option<usize> {
        let entry = self.entries.partition_point(|entry| entry.turns.end <= turn);
        self.entries.get(entry).filter(|entry| entry.turns.contains(&turn)).map(|_| entry)
    }

    /// The slots of all lines of a message.
    pub(super) fn slots_of(&self, entry: &Entry) -> &[Slot] {
        self.slots.get(entry.slot_range()).unwrap_or_default()
    }

    /// The lines that repeat a line.
    pub(super) fn copies_of(&self, record: usize) -> &[usize] {
        self.copies.get(&record).map(Vec::as_slice).unwrap_or_default()
    }

    /// The line that a line repeats, or the line itself.
    pub(super) fn stated_first(&self, record: usize) -> usize {
        let first = self.copies.iter().find(|(_, copies)| copies.contains(&record));
        first.map_or(record, |(first, _)| *first)
    }

    /// The links to parents.
    pub(super) fn parent_links(&self) -> impl Iterator<Item = Link> {
        let links = self.records.iter().enumerate();
        links.filter_map(|(owner, record)| {
            Some(Link { owner, place: record.parent(), target: self.tree.parent(owner)? })
        })
    }

    /// Where the blocks of a line stand; a line without any stands there itself.
    fn standings_of(&self, line: &EntryLine) -> Vec<Standing> {
        let element = self.record(line.record).map(|record| record.line).unwrap_or_default();
        let slots = self.slots.get(line.slots.clone()).unwrap_or_default();
        if slots.is_empty() {
            return alloc::vec![Standing::new(element, Span::default())];
        }
        slots.iter().map(|slot| Standing::new(element, slot.span)).collect()
    }

    pub(super) fn record(&self, record: usize) -> Option<&Record> {
        self.records.get(record)
    }
}

impl Entry {
    /// The slots of a message stand in one row.
    pub(super) fn slot_range(&self) -> Range<usize> {
        let start = self.lines.first().map_or(0, |line| line.slots.start);
        start..self.lines.last().map_or(start, |line| line.slots.end)
    }
}

impl Lens for Index {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        render::render(self, view)
    }

    fn mend(&self, mends: &[Mend], view: &View<'_>) -> Option<Mended> {
        Some(mend::mend(self, mends, view))
    }

    fn standings(&self) -> Vec<Standing> {
        let lines = self.entries.iter().flat_map(|entry| &entry.lines);
        lines.flat_map(|line| self.standings_of(line)).collect()
    }
}
