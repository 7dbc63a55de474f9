//! Fates to edits.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Spelling;
use super::container::splice_records;
use super::entry::{Entry, Layout, Spot};
use super::insertion::Insertions;
use super::liveness::Liveness;
use super::place::{Adding, Frame, List, Place, Unit};
use crate::error::FormatError;
use crate::outcome::{Outcome, Slot, SlotKind, TurnEdit, outcomes};
use crate::raw::{Node, Span, Splices};
use crate::view::{Kept, View};

/// What becomes of a file: edits of values, and the elements that leave and enter lists.
#[derive(Debug)]
pub struct Edited {
    /// Edits of single values. More may be added, away from what goes.
    pub splices: Splices,
    /// For every element of the list of messages whether it goes.
    pub gone: Vec<bool>,
    /// The new records of the list of messages, each with the element before which it goes.
    pub added: Vec<(usize, String)>,
    liveness: Liveness,
    /// New elements of other lists.
    elements: BTreeMap<List, Vec<(usize, String)>>,
}

impl Layout {
    /// What becomes of the file when the turns have these fates.
    ///
    /// # Errors
    ///
    /// When a summary's text is missing, or a turn outside of all lists is not kept.
    pub fn edit(&self, view: &View<'_>, spelling: &dyn Spelling) -> Result<Edited, FormatError> {
        let mut edited = Edited {
            splices: Splices::new(),
            gone: Vec::new(),
            added: Vec::new(),
            liveness: Liveness::new(self),
            elements: BTreeMap::new(),
        };
        if let Some(start) = self.start {
            edited.liveness.note(self, self.spine().unit(start), true);
        }
        for anchor in &self.anchors {
            edited.liveness.note(self, *anchor, true);
        }
        let mut changes = Vec::new();
        for entry in &self.entries {
            changes.extend(self.change(entry, view, spelling, &mut edited)?);
        }
        for (place, outcome) in changes {
            edited.apply(&place, outcome, view.text());
        }
        edited.added.extend(self.summaries(view, spelling)?);
        edited.added.sort_by_key(|(record, _)| *record);
        edited.gone = self.gone_records(&edited.liveness);
        Ok(edited)
    }

    /// What happens at the places of a message. Texts without a place are added at once.
    fn change<'v>(
        &self,
        entry: &Entry,
        view: &View<'v>,
        spelling: &dyn Spelling,
        edited: &mut Edited,
    ) -> Result<Vec<(Place, Outcome<'v>)>, FormatError> {
        if entry.records.is_none() {
            let changed = entry.turns.clone().find(|turn| !view.is_kept(*turn));
            return match changed {
                Some(turn) => Err(FormatError::Unchangeable { format: self.format, turn }),
                None => Ok(Vec::new()),
            };
        }
        let mut turns: BTreeMap<usize, Vec<&Spot>> = BTreeMap::new();
        for spot in self.spots_of(entry) {
            turns.entry(spot.slot.turn).or_default().push(spot);
        }
        let mut changes = Vec::new();
        for (turn, spots) in turns {
            let slots: Vec<Slot> = spots.iter().map(|spot| spot.slot).collect();
            let (outcomes, added) = placed(&spots, outcomes(view, &slots, entry.holds_reasoning));
            for (spot, outcome) in spots.iter().zip(outcomes) {
                edited.liveness.note(self, spot.place.unit, outcome != Outcome::Remove);
                if outcome != Outcome::Keep {
                    changes.push((spot.place, outcome));
                }
            }
            if let Some((at, text)) = added {
                self.add(entry, &spots, Addition { turn, at, text }, view, spelling, edited);
            }
        }
        Ok(changes)
    }

    /// Puts a text where the message takes one.
    fn add(
        &self,
        entry: &Entry,
        spots: &[&Spot],
        addition: Addition<'_>,
        view: &View<'_>,
        spelling: &dyn Spelling,
        edited: &mut Edited,
    ) {
        let Addition { turn, at, text } = addition;
        match entry.adding {
            None => {}
            Some(Adding::Value(span, frame)) => {
                if let Some((record, _)) = entry.records {
                    edited.liveness.note(self, self.spine().unit(record), true);
                }
                edited.splices.replace(span, frame.of(&text));
            }
            Some(Adding::Element(list, frame)) => {
                if let Some(parent) = self.lists.get(list.0).and_then(|list| list.parent) {
                    edited.liveness.note(self, parent, true);
                }
                let element = self.element_for(list, spots, at);
                edited.elements.entry(list).or_default().push((element, frame.of(&text)));
            }
            Some(Adding::Said(list)) => {
                if let Some(parent) = self.lists.get(list.0).and_then(|list| list.parent) {
                    edited.liveness.note(self, parent, true);
                }
                let element = self.element_for(list, spots, at);
                let said = spelling.said(&text, turn, element, view);
                edited.elements.entry(list).or_default().push((element, said));
            }
            Some(Adding::Record) => {
                let before = self.record_for(entry, spots, at);
                edited.added.push((before, spelling.said(&text, turn, before, view)));
            }
        }
    }

    /// The record before which one goes that belongs before the part `at` of a turn; behind the message where it would
    /// part signed reasoning that is held from what follows it.
    fn record_for(&self, entry: &Entry, spots: &[&Spot], at: usize) -> usize {
        let opaque = |spot: &&Spot| spot.place.kind == SlotKind::Opaque;
        let parts = entry.holds_reasoning && spots.iter().take(at).any(opaque);
        let own = spots.get(at).filter(|_| !parts).and_then(|spot| self.record_of(spot.place.unit));
        own.unwrap_or_else(|| entry.records.map_or(0, |(_, last)| last.saturating_add(1)))
    }

    /// The element before which a text goes that belongs before the part `at` of a turn.
    fn element_for(&self, list: List, spots: &[&Spot], at: usize) -> usize {
        let own = |spot: &&&Spot| spot.place.unit.list == list;
        let next = spots.iter().skip(at).find(own).map(|spot| spot.place.unit.element);
        let behind =
            || spots.iter().take(at).rfind(own).map(|spot| spot.place.unit.element.saturating_add(1));
        next.or_else(behind).unwrap_or_else(|| self.elements(list).len())
    }

    /// The new records with the record before which each goes. Blank summaries leave none.
    fn summaries(
        &self,
        view: &View<'_>,
        spelling: &dyn Spelling,
    ) -> Result<Vec<(usize, String)>, FormatError> {
        let groups = view.groups();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let insertions = Insertions::new(self, view);
        let mut added = Vec::with_capacity(groups.len());
        for (turn, group) in groups {
            let text = view.summary(group)?;
            if let Some(wanted) = self.wanted_record(turn, view).filter(|_| !text.trim().is_empty()) {
                let first = self.start.map_or(0, |start| start.saturating_add(1));
                let before = insertions.place(wanted).max(first);
                added.push((before, spelling.summary(text, group, before, view)));
            }
        }
        Ok(added)
    }

    /// The record before which the summary of a group that begins with this turn belongs: the first one of the
    /// turn's message, or the one after it when of the message only turns before this one stay.
    fn wanted_record(&self, turn: usize, view: &View<'_>) -> Option<usize> {
        let entry = self.entries.get(self.message_of(turn)?)?;
        let (first, last) = entry.records?;
        let before = (entry.turns.start..turn).any(|turn| !view.is_gone(turn));
        let after = (turn..entry.turns.end).any(|turn| !view.is_gone(turn));
        Some(if before && !after { last.saturating_add(1) } else { first })
    }

    fn gone_records(&self, liveness: &Liveness) -> Vec<bool> {
        let mut gone = vec![false; self.elements(self.spine()).len()];
        for index in liveness.gone_of(self.spine()) {
            if let Some(flag) = gone.get_mut(index) {
                *flag = true;
            }
        }
        gone
    }
}

/// A text for which a turn has no place, and the part before which it belongs.
type Added<'v> = Option<(usize, Cow<'v, str>)>;

/// A text whose part has no value to say it becomes one that is added.
fn placed<'v>(spots: &[&Spot], edit: TurnEdit<'v>) -> (Vec<Outcome<'v>>, Added<'v>) {
    let TurnEdit { mut outcomes, mut added } = edit;
    for (at, (spot, outcome)) in spots.iter().zip(&mut outcomes).enumerate() {
        if !spot.place.wants_text() {
            continue;
        }
        if let Outcome::Text(text) = outcome {
            added = Some((at, core::mem::take(text)));
            *outcome = Outcome::Keep;
        }
    }
    (outcomes, added)
}

/// A text that a turn has no place for: it belongs before the part `at` of the turn.
struct Addition<'t> {
    turn: usize,
    at: usize,
    text: Cow<'t, str>,
}

impl Edited {
    /// Carries out what happens at a place, unless the place goes as a whole.
    fn apply(&mut self, place: &Place, outcome: Outcome<'_>, text: &str) {
        if self.liveness.is_gone(place.unit) {
            return;
        }
        match outcome {
            Outcome::Keep => {}
            Outcome::Remove => {
                if let Some((span, spelling)) = place.gone {
                    self.splices.replace(span, spelling);
                }
            }
            Outcome::EmptyArguments => {
                if let Some((span, none)) = place.arguments {
                    self.splices.replace(span, none);
                }
            }
            Outcome::Text(new) => {
                if let Some((span, frame)) = place.text {
                    self.splices.replace(span, frame.of(&new));
                }
            }
            Outcome::Inner(kept) => {
                if let Some((span, frame)) = place.inner {
                    self.splices.replace(span, inner(text, span, frame, &kept));
                }
            }
        }
    }

    /// All edits of the file.
    #[must_use]
    pub fn into_splices(mut self, layout: &Layout, text: &str) -> Splices {
        for (index, list) in layout.lists.iter().enumerate() {
            let handle = List(index);
            let lies_within = list.container.span().is_some();
            if lies_within && list.parent.is_some_and(|parent| self.liveness.is_gone(parent)) {
                continue;
            }
            let is_spine = handle == layout.spine();
            let gone = if is_spine { marked(&self.gone) } else { self.liveness.gone_of(handle) };
            let mut added = self.elements.remove(&handle).unwrap_or_default();
            if is_spine {
                added.append(&mut self.added);
            }
            match (list.empty, list.container.span()) {
                (Some(empty), Some(span))
                    if added.is_empty() && !gone.is_empty() && gone.len() == list.elements.len() =>
                {
                    self.splices.replace(span, empty);
                }
                _ => {
                    let elements = list.elements.clone();
                    splice_records(text, list.container, elements, &gone, added, &mut self.splices);
                }
            }
        }
        self.splices
    }

    /// Whether an element of any list goes.
    #[must_use]
    pub fn is_gone(&self, unit: Unit) -> bool {
        self.liveness.is_gone(unit)
    }
}

fn marked(flags: &[bool]) -> Vec<usize> {
    flags.iter().enumerate().filter(|(_, flag)| **flag).map(|(index, _)| index).collect()
}

/// A trimmed result: whole parts as they were, cut texts in the frame of a text.
fn inner(text: &str, array: Span, frame: Frame, kept: &[(usize, Kept)]) -> String {
    let parts = Node::trusted(array.of(text), array.start).array().ok().flatten().unwrap_or_default();
    let part = |(part, kept): &(usize, Kept)| match kept {
        Kept::Pieces(text) => Some(frame.of(text)),
        Kept::Whole => parts.get(*part).map(|node| String::from(node.text())),
    };
    ["[", &kept.iter().filter_map(part).collect::<Vec<_>>().join(","), "]"].concat()
}
