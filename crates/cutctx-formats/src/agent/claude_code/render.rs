//! Fates to edits of lines.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_types::Role;

use super::index::{Entry, EntryLine, Index};
use super::links;
use super::record::Record;
use super::summary::{self, Added};
use crate::error::FormatError;
use crate::note::NoteKind;
use crate::outcome::{Outcome, Slot, outcomes};
use crate::provider::{edit_block, text_block};
use crate::raw::{ArrayEdit, Node, Span, Splices, quoted};
use crate::unsigning::Unsigning;
use crate::view::View;

/// What the fates come to.
pub(super) fn render(index: &Index, view: &View<'_>) -> Result<Splices, FormatError> {
    let added = summary::records(index, view)?;
    Ok(written(index, view, &added))
}

/// What the fates come to, with these new records.
pub(super) fn written(index: &Index, view: &View<'_>, added: &[Added]) -> Splices {
    let reasoning = unsigning(index, view);
    let removed = vec![false; index.records.len()];
    let mut edit = Edit { index, view, reasoning, splices: Splices::new(), removed };
    for (number, entry) in index.entries.iter().enumerate() {
        if entry.turns.clone().all(|turn| view.is_gone(turn)) {
            entry.lines.iter().for_each(|line| edit.remove(line.record));
        } else if !entry.turns.clone().all(|turn| view.is_kept(turn)) || edit.unsigns(number, entry) {
            edit.entry(number, entry);
        }
    }
    edit.remove_namesakes();
    let Edit { mut splices, removed, .. } = edit;
    links::rewrite(index, view.text(), &removed, added, &mut splices);
    for (record, _) in index.records.iter().zip(&removed).filter(|(_, gone)| **gone) {
        splices.remove(record.line);
    }
    splices
}

/// Which messages lose their signed reasoning.
fn unsigning(index: &Index, view: &View<'_>) -> Unsigning {
    let is_users = |turn: usize| view.turn(turn).is_some_and(|turn| turn.role() == Role::User);
    let said: Vec<bool> = index.entries.iter().map(|entry| entry.turns.clone().any(is_users)).collect();
    Unsigning::new(view, &said, index.entry_of(view.first_change()))
}

struct Edit<'e, 'v> {
    index: &'e Index,
    view: &'e View<'v>,
    reasoning: Unsigning,
    splices: Splices,
    removed: Vec<bool>,
}

/// What happens to the blocks of one message.
struct Change<'v> {
    /// One outcome a slot.
    outcomes: Vec<Outcome<'v>>,
    /// New texts with the slot before which, or else after which, they go.
    added: Vec<(usize, Side, Cow<'v, str>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl<'v> Edit<'_, 'v> {
    /// A line goes with its copies.
    fn remove(&mut self, record: usize) {
        for copy in self.index.copies_of(record).iter().filter_map(|copy| self.index.record(*copy)) {
            self.splices.note(NoteKind::RecordsRemoved, copy.line.start);
        }
        for line in self.index.copies_of(record).iter().chain([&record]) {
            if let Some(gone) = self.removed.get_mut(*line) {
                *gone = true;
            }
        }
    }

    /// A line that goes takes the other lines of its id with it: one of them would stand for it.
    fn remove_namesakes(&mut self) {
        let index = self.index;
        for (line, record) in index.records.iter().enumerate() {
            let original = index.tree.original(line);
            let goes = original != line && self.removed.get(original) == Some(&true);
            if let Some(gone) = self.removed.get_mut(line).filter(|gone| goes && !**gone) {
                self.splices.note(NoteKind::RecordsRemoved, record.line.start);
                *gone = true;
            }
        }
    }

    /// Whether the signed reasoning of a message is to be looked at.
    fn unsigns(&self, number: usize, entry: &Entry) -> bool {
        self.reasoning.concerns(number, self.index.slots_of(entry), self.view)
    }

    /// Edits a message of which something stays.
    fn entry(&mut self, number: usize, entry: &Entry) {
        let slots = self.index.slots_of(entry);
        let holds_reasoning = self.index.loop_start.is_none_or(|start| number > start);
        let change = self.change(number, slots, holds_reasoning);
        let first = entry.slot_range().start;
        let within =
            |range: &Range<usize>| range.start.saturating_sub(first)..range.end.saturating_sub(first);
        let ranges: Vec<Range<usize>> = entry.lines.iter().map(|line| within(&line.slots)).collect();
        let gone: Vec<bool> = ranges.iter().map(|range| change.leaves_nothing(range)).collect();
        let spared = self.spared(entry, &gone);
        for (at, ((line, range), gone)) in entry.lines.iter().zip(&ranges).zip(gone).enumerate() {
            if !gone {
                self.line(line, slots, &change, range);
            } else if spared != Some(at) {
                self.remove(line.record);
            }
        }
    }

    /// A line that stays although nothing of it should: the branch would not pass the message any more.
    fn spared(&self, entry: &Entry, gone: &[bool]) -> Option<usize> {
        let passed = |line: &EntryLine| self.index.tree.is_on_chain(line.record);
        let mut on_chain = entry.lines.iter().zip(gone).filter(|(line, _)| passed(line));
        let all_gone = on_chain.all(|(_, gone)| *gone);
        entry.lines.iter().position(passed).filter(|_| all_gone)
    }

    /// The outcomes of all turns of a message, each computed over all of its lines.
    fn change(&mut self, number: usize, slots: &[Slot], holds_reasoning: bool) -> Change<'v> {
        let mut change = Change { outcomes: vec![Outcome::Keep; slots.len()], added: Vec::new() };
        let mut turns: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, slot) in slots.iter().enumerate() {
            turns.entry(slot.turn).or_default().push(place);
        }
        for places in turns.into_values() {
            let own: Vec<Slot> = places.iter().filter_map(|place| slots.get(*place).copied()).collect();
            let mut edit = outcomes(self.view, &own, holds_reasoning);
            let place = |slot: usize| own.get(slot).map_or(0, |slot| slot.span.start);
            let target = (self.view, &mut self.splices);
            self.reasoning.apply(number, &own, &mut edit.outcomes, target, &place);
            for (place, outcome) in places.iter().zip(edit.outcomes) {
                if let Some(stands) = change.outcomes.get_mut(*place) {
                    *stands = outcome;
                }
            }
            if let Some((before, text)) = edit.added {
                let after = places.last().map_or((0, Side::After), |last| (*last, Side::After));
                let (place, side) = places.get(before).map_or(after, |place| (*place, Side::Before));
                change.added.push((place, side, text));
            }
        }
        change
    }

    fn line(&mut self, line: &EntryLine, slots: &[Slot], change: &Change<'v>, range: &Range<usize>) {
        let own = slots.get(range.clone()).unwrap_or_default();
        let outcomes = change.outcomes.get(range.clone()).unwrap_or_default();
        let added: Vec<(usize, String)> = change.added_to(range);
        if outcomes.iter().all(|outcome| *outcome == Outcome::Keep) && added.is_empty() {
            return;
        }
        let Some(original) = self.index.record(line.record) else { return };
        let lines = self.index.copies_of(line.record).iter().chain([&line.record]);
        for record in lines.filter_map(|line| self.index.record(*line)) {
            let moved: Vec<Slot> = own.iter().map(|slot| shifted(slot, original, record)).collect();
            edit_line(self.view.text(), record.content(), &moved, outcomes, &added, &mut self.splices);
        }
    }
}

impl Change<'_> {
    /// Whether all blocks of a line go and none comes.
    fn leaves_nothing(&self, range: &Range<usize>) -> bool {
        let outcomes = self.outcomes.get(range.clone()).unwrap_or_default();
        let gone = outcomes.iter().all(|outcome| *outcome == Outcome::Remove);
        gone && !outcomes.is_empty() && !self.added.iter().any(|(place, ..)| range.contains(place))
    }

    /// The new blocks of a line, with their place among the line's blocks.
    fn added_to(&self, range: &Range<usize>) -> Vec<(usize, String)> {
        let own = self.added.iter().filter(|(place, ..)| range.contains(place));
        own.map(|(place, side, text)| {
            let place = place.saturating_sub(range.start).saturating_add(usize::from(*side == Side::After));
            (place, text_block(text))
        })
        .collect()
    }
}

/// The same block in a line with the same content.
fn shifted(slot: &Slot, original: &Record, copy: &Record) -> Slot {
    let moved =
        |place: usize| place.saturating_sub(original.content().start).saturating_add(copy.content().start);
    Slot { span: Span { start: moved(slot.span.start), end: moved(slot.span.end) }, ..*slot }
}

fn edit_line(
    text: &str,
    content: Span,
    slots: &[Slot],
    outcomes: &[Outcome<'_>],
    added: &[(usize, String)],
    splices: &mut Splices,
) {
    let node = Node::trusted(content.of(text), content.start);
    let Ok(Some(blocks)) = node.array() else {
        if let Some(Outcome::Text(said)) = outcomes.first() {
            splices.replace(content, quoted(said));
        }
        return;
    };
    let mut array = ArrayEdit::new(text, content, blocks.iter().map(Node::span).collect());
    for (place, (slot, outcome)) in slots.iter().zip(outcomes).enumerate() {
        if *outcome == Outcome::Remove {
            array.remove(place);
        } else {
            edit_block(text, slot, outcome, splices);
        }
    }
    for (place, block) in added {
        array.insert(*place, block.clone());
    }
    array.finish(splices);
}
