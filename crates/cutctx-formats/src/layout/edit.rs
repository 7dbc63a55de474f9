//! Fates to edits.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use cutctx_types::Role;

use super::Spelling;
use super::container::splice_records;
use super::entry::{Entry, Layout};
use super::insertion::Insertions;
use super::joining::{Joined, Joints, Neighbours};
use super::liveness::Liveness;
use super::place::{Adding, Frame, List, Media, Place, Unit};
use super::spots::Spot;
use crate::error::FormatError;
use crate::note::NoteKind;
use crate::outcome::{Outcome, Slot, SlotKind, TurnEdit, outcomes, spelled_arguments};
use crate::raw::{Node, Span, Splices};
use crate::unsigning::Unsigning;
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
    /// The messages that are made one.
    pub(super) joints: Joints,
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
            joints: Joints::default(),
        };
        if let Some(start) = self.start {
            edited.liveness.note(self, self.spine().unit(start), true);
        }
        for anchor in &self.anchors {
            edited.liveness.note(self, *anchor, true);
        }
        let mut changes = Vec::new();
        let reasoning = self.unsigning(view);
        for (number, entry) in self.entries.iter().enumerate() {
            changes.extend(self.change((number, entry), &reasoning, view, spelling, &mut edited)?);
        }
        for (place, outcome) in changes {
            edited.apply(&place, outcome, view.text());
        }
        edited.gone = self.gone_records(&edited.liveness);
        let neighbours = Neighbours::new(self, &edited.gone, &edited.liveness);
        self.place_summaries(&neighbours, view, spelling, &mut edited)?;
        edited.added.sort_by_key(|(record, _)| *record);
        edited.joints = neighbours.joints(&edited.added);
        for record in edited.joints.joined() {
            let place = self.elements(self.spine()).get(record).map_or(0, |record| record.start);
            edited.splices.note(NoteKind::MessagesJoined, place);
        }
        Ok(edited)
    }

    /// Which messages lose their signed reasoning. What a provider insists on stays in any case.
    fn unsigning(&self, view: &View<'_>) -> Unsigning {
        let says = |entry: &Entry| {
            let says = |(kind, _)| matches!(kind, SlotKind::Text | SlotKind::Media);
            entry.role == Role::User && self.spots.kinds(entry.spots.clone()).any(says)
        };
        let said: Vec<bool> = self.entries.iter().map(says).collect();
        Unsigning::new(view, &said, self.message_of(view.first_change()))
    }

    fn start_of(&self, unit: Unit) -> usize {
        self.elements(unit.list).get(unit.element).map_or(0, |element| element.start)
    }

    /// Notes the records that go only since `gone` was known.
    pub(super) fn note_removed(&self, gone: &[bool], edited: &mut Edited) {
        let records = self.elements(self.spine()).iter().zip(gone.iter().zip(&edited.gone));
        for (record, _) in records.filter(|(_, (before, now))| **now && !**before) {
            edited.splices.note(NoteKind::RecordsRemoved, record.start);
        }
    }

    /// What happens at the places of a message. Texts without a place are added at once.
    fn change<'v>(
        &self,
        (number, entry): (usize, &Entry),
        reasoning: &Unsigning,
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
        if self.stays_as_it_is(entry, view) {
            for (_, unit) in self.spots.kinds(entry.spots.clone()) {
                edited.liveness.note(self, unit, true);
            }
            return Ok(Vec::new());
        }
        let mut turns: BTreeMap<usize, Vec<Spot>> = BTreeMap::new();
        for spot in self.spots_of(entry) {
            turns.entry(spot.slot.turn).or_default().push(spot);
        }
        let mut changes = Vec::new();
        for (turn, spots) in turns {
            let slots: Vec<Slot> = spots.iter().map(|spot| spot.slot).collect();
            let mut edit = outcomes(view, &slots, entry.holds_reasoning);
            let place = |spot: usize| spots.get(spot).map_or(0, |spot| self.start_of(spot.place.unit));
            reasoning.apply(number, &slots, &mut edit.outcomes, (view, &mut edited.splices), &place);
            let (outcomes, added) = placed(&spots, edit);
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

    /// Whether nothing can happen to a message: its turns are kept, and it has no signed reasoning to lose.
    fn stays_as_it_is(&self, entry: &Entry, view: &View<'_>) -> bool {
        let is_signed = |(kind, _)| kind == SlotKind::Opaque;
        entry.turns.clone().all(|turn| view.is_kept(turn))
            && !self.spots.kinds(entry.spots.clone()).any(is_signed)
    }

    /// Puts a text where the message takes one.
    fn add(
        &self,
        entry: &Entry,
        spots: &[Spot],
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
    fn record_for(&self, entry: &Entry, spots: &[Spot], at: usize) -> usize {
        let opaque = |spot: &Spot| spot.place.kind == SlotKind::Opaque;
        let parts = entry.holds_reasoning && spots.iter().take(at).any(opaque);
        let own = spots.get(at).filter(|_| !parts).and_then(|spot| self.record_of(spot.place.unit));
        own.unwrap_or_else(|| entry.records.map_or(0, |(_, last)| last.saturating_add(1)))
    }

    /// The element before which a text goes that belongs before the part `at` of a turn.
    fn element_for(&self, list: List, spots: &[Spot], at: usize) -> usize {
        let own = |spot: &&Spot| spot.place.unit.list == list;
        let next = spots.iter().skip(at).find(own).map(|spot| spot.place.unit.element);
        let behind =
            || spots.iter().take(at).rfind(own).map(|spot| spot.place.unit.element.saturating_add(1));
        next.or_else(behind).unwrap_or_else(|| self.elements(list).len())
    }

    /// Puts the summaries into the messages that they join, or into records of their own: one record for all that
    /// stand between the same two messages, where these must take turns.
    fn place_summaries(
        &self,
        neighbours: &Neighbours<'_>,
        view: &View<'_>,
        spelling: &dyn Spelling,
        edited: &mut Edited,
    ) -> Result<(), FormatError> {
        let mut last: Option<Gathered<'_>> = None;
        for summary in self.summaries(view)? {
            let parts_users =
                neighbours.is_between_users(summary.before) && spelling.models_summaries(&[]).is_some();
            if let Some((list, element, frame)) = neighbours.seat(summary.before).filter(|_| !parts_users) {
                edited.elements.entry(list).or_default().push((element, frame.of(summary.text)));
                continue;
            }
            let gap = neighbours.gap(summary.before);
            match &mut last {
                Some(gathered) if self.joins && gathered.gap == gap => gathered.summaries.push(summary),
                _ => {
                    let new = Gathered { gap, parts_users, summaries: vec![summary] };
                    edited.added.extend(spelled(last.replace(new), spelling, view));
                }
            }
        }
        edited.added.extend(spelled(last, spelling, view));
        Ok(())
    }

    /// The summaries with the record before which each goes. Blank ones are left out.
    fn summaries<'v>(&self, view: &View<'v>) -> Result<Vec<Summary<'v>>, FormatError> {
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
                added.push(Summary { text, group, before });
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

/// The summary of a group and the record before which it goes.
#[derive(Clone, Copy)]
struct Summary<'v> {
    text: &'v str,
    group: &'v str,
    before: usize,
}

/// Summaries that stand together.
struct Gathered<'v> {
    /// Their place among the records that stay.
    gap: usize,
    /// Whether that is between two messages of the user's.
    parts_users: bool,
    summaries: Vec<Summary<'v>>,
}

/// The record of summaries that stand together.
fn spelled(
    gathered: Option<Gathered<'_>>,
    spelling: &dyn Spelling,
    view: &View<'_>,
) -> Option<(usize, String)> {
    let Gathered { parts_users, summaries, .. } = gathered?;
    let Summary { group, before, .. } = *summaries.first()?;
    let texts = || summaries.iter().map(|summary| summary.text).collect::<Vec<_>>();
    let models = parts_users.then(|| spelling.models_summaries(&texts())).flatten();
    let record = models.unwrap_or_else(|| match summaries.as_slice() {
        [only] => spelling.summary(only.text, group, before, view),
        _ => spelling.summaries(&texts()),
    });
    Some((before, record))
}

/// A text for which a turn has no place, and the part before which it belongs.
type Added<'v> = Option<(usize, Cow<'v, str>)>;

/// A text whose part has no value to say it becomes one that is added.
fn placed<'v>(spots: &[Spot], edit: TurnEdit<'v>) -> (Vec<Outcome<'v>>, Added<'v>) {
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
            Outcome::Arguments(left) => {
                if let Some((span, none)) = place.arguments {
                    self.splices.replace(span, spelled_arguments(&left, none));
                }
            }
            Outcome::Text(new) => {
                self.say(place, &new);
                if let Some(media) = place.media {
                    self.keep_media(media, &[]);
                }
            }
            Outcome::Inner(kept) => match (place.media, place.inner) {
                (Some(media), _) => self.keep_parts(place, media, &kept),
                (None, Some((span, frame))) => self.splices.replace(span, inner(text, span, frame, &kept)),
                (None, None) => {}
            },
        }
    }

    fn say(&mut self, place: &Place, new: &str) {
        if let Some((span, frame)) = place.text {
            self.splices.replace(span, frame.of(new));
        }
    }

    /// What stays of a result whose text and whose media stand apart.
    fn keep_parts(&mut self, place: &Place, media: Media, kept: &[(usize, Kept)]) {
        let texts = kept.partition_point(|(part, _)| *part < media.part);
        let (texts, kept) = kept.split_at_checked(texts).unwrap_or_default();
        match texts {
            [] if media.part == 0 => {}
            [] => self.say(place, ""),
            [(_, Kept::Whole), ..] => {}
            [(_, Kept::Pieces(new)), ..] => self.say(place, new),
        }
        self.keep_media(media, kept);
    }

    /// Takes the media out that do not stay.
    fn keep_media(&mut self, media: Media, kept: &[(usize, Kept)]) {
        let Media { list, element, part } = media;
        for index in element..self.liveness.count(list) {
            let part = part.saturating_add(index.saturating_sub(element));
            if kept.binary_search_by_key(&part, |(part, _)| *part).is_err() {
                self.liveness.take_out(list.unit(index));
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
                    let joints = if is_spine { core::mem::take(&mut self.joints) } else { Joints::default() };
                    let Joined { elements, gone, added } =
                        joints.join(layout, Joined { elements, gone, added }, text, &mut self.splices);
                    splice_records(text, list.container, elements, &gone, added, &mut self.splices);
                }
            }
        }
        self.splices
    }

    /// Takes an element out in which no part of a message stands.
    pub fn take_out(&mut self, unit: Unit) {
        self.liveness.take_out(unit);
    }

    /// Puts a new element, as JSON text, into a list that is not that of the messages, before the element with this
    /// index.
    pub fn put_in(&mut self, list: List, before: usize, element: String) {
        self.elements.entry(list).or_default().push((before, element));
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
