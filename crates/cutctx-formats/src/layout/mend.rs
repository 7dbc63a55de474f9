//! Mending: parts of messages leave, move and are answered.

mod action;
mod id;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::IgnoredAny;

use super::Spelling;
use super::container::splice_records;
use super::entry::{Entry, Layout};
use super::liveness::Liveness;
use super::place::{Adding, Frame, List, Unit};
use super::spots::Spot;
use crate::raw::{ArrayEdit, Member, Node, Object, Splices, quoted};
use crate::view::View;
use id::id_of;

pub(crate) use action::Going;
pub use action::{Answer, Mend, Mended, Piece, Target};

impl Layout {
    /// The edits that carry these out.
    #[must_use]
    pub fn mend(&self, mends: &[Mend], view: &View<'_>, spelling: &dyn Spelling) -> Mended {
        let mut work = Work {
            layout: self,
            text: view.text(),
            view,
            spelling,
            leaving: BTreeSet::new(),
            gone: BTreeSet::new(),
            splices: Splices::new(),
            added: BTreeMap::new(),
        };
        let refused = mends.iter().enumerate().filter(|(_, mend)| work.carry_out(mend).is_none());
        let refused = refused.map(|(index, _)| index).collect();
        Mended { splices: work.finish(), refused }
    }

    fn spot(&self, message: usize, part: usize) -> Option<Spot> {
        let entry = self.entries.get(message)?;
        let spot = entry.spots.start.saturating_add(part);
        if spot < entry.spots.end { self.spots.get(spot) } else { None }
    }

    /// The list that the parts of a message stand in, where it has one of its own.
    fn parts_list(&self, entry: &Entry) -> Option<List> {
        let (first, end) = entry.records?;
        let record = self.spine().unit(first);
        let is_own = |list: &List| self.lists.get(list.0).is_some_and(|place| place.parent == Some(record));
        let of_parts = self.spots_of(entry).map(|spot| spot.place.unit.list).find(is_own);
        let of_new = || match entry.adding {
            Some(Adding::Element(list, _) | Adding::Said(list)) => Some(list).filter(is_own),
            _ => None,
        };
        of_parts.or_else(of_new).filter(|_| first == end)
    }

    fn element(&self, unit: Unit, text: &str) -> Option<String> {
        let span = self.elements(unit.list).get(unit.element)?;
        Some(String::from(span.of(text).trim()))
    }
}

/// Edits in the making.
struct Work<'w> {
    layout: &'w Layout,
    text: &'w str,
    view: &'w View<'w>,
    spelling: &'w dyn Spelling,
    /// The parts that go, by message.
    leaving: BTreeSet<(usize, usize)>,
    /// The elements that go whatever stands in them.
    gone: BTreeSet<Unit>,
    splices: Splices,
    added: BTreeMap<List, Vec<(usize, String)>>,
}

impl Work<'_> {
    /// `None` when it cannot be carried out; then nothing was done.
    fn carry_out(&mut self, mend: &Mend) -> Option<()> {
        match mend {
            Mend::Remove { message, part } => self.remove(*message, *part),
            Mend::RemoveMessage { message } => self.remove_message(*message),
            Mend::RemoveCopies => self.remove_copies(),
            Mend::Say { message, part, text } => self.say(*message, *part, text),
            Mend::KeepInner { message, part, inner } => self.keep_inner(*message, *part, inner),
            Mend::Frame { message, part } => self.frame(*message, *part),
            Mend::Arguments { message, part, json } => self.arguments(*message, *part, json),
            Mend::Rename { message, part, from, to } => self.rename(*message, *part, from, to),
            Mend::Deliver { pieces, to } => self.deliver(pieces, *to),
            Mend::Join { message, to } => self.join(*message, *to),
            Mend::Unmark { message, part, key } => {
                self.unmark(self.layout.spot(*message, *part)?.place.unit, key).then_some(())
            }
            Mend::UnmarkFirst { key, count } => self.unmark_first(key, *count),
            Mend::Open { text } => self.open(text),
        }
    }

    /// A part whose element holds other parts stays, unless something can stand in its place.
    fn remove(&mut self, message: usize, part: usize) -> Option<()> {
        let spot = self.layout.spot(message, part)?;
        let entry = self.layout.entries.get(message)?;
        let shares = |(index, other): (usize, Spot)| {
            index != part && other.place.unit == spot.place.unit && !self.leaving.contains(&(message, index))
        };
        if spot.place.gone.is_none() && self.layout.spots_of(entry).enumerate().any(shares) {
            return None;
        }
        self.leaving.insert((message, part));
        Some(())
    }

    fn remove_message(&mut self, message: usize) -> Option<()> {
        let entry = self.layout.entries.get(message)?;
        entry.records?;
        self.leaving.extend((0..entry.spots.len()).map(|part| (message, part)));
        Some(())
    }

    fn remove_copies(&mut self) -> Option<()> {
        let mut seen = BTreeSet::new();
        for (index, span) in self.layout.elements(self.layout.spine()).iter().enumerate() {
            let record = Object::parse(span.of(self.text).trim(), span.start).ok();
            let id = record.and_then(|record| record.owned("id")).filter(|id| !id.is_empty());
            if id.is_some_and(|id| !seen.insert(id)) {
                self.gone.insert(self.layout.spine().unit(index));
            }
        }
        (!self.gone.is_empty()).then_some(())
    }

    fn say(&mut self, message: usize, part: usize, text: &str) -> Option<()> {
        let place = self.layout.spot(message, part)?.place;
        if let Some((span, frame)) = place.text {
            self.splices.replace(span, frame.of(text));
            return Some(());
        }
        let Some(Adding::Element(list, frame)) = self.layout.entries.get(message)?.adding else {
            return None;
        };
        let end = self.layout.elements(list).len();
        self.add(list, end, frame.of(text));
        Some(())
    }

    fn keep_inner(&mut self, message: usize, part: usize, inner: &[usize]) -> Option<()> {
        let (array, _) = self.layout.spot(message, part)?.place.inner?;
        let parts = Node::trusted(array.of(self.text), array.start).array().ok()??;
        let kept: Vec<&str> = inner.iter().filter_map(|index| parts.get(*index)).map(Node::text).collect();
        self.splices.replace(array, ["[", &kept.join(","), "]"].concat());
        Some(())
    }

    fn frame(&mut self, message: usize, part: usize) -> Option<()> {
        let (span, frame) = self.layout.spot(message, part)?.place.text?;
        let framed = [frame.before, span.of(self.text), frame.after].concat();
        let wants = frame.before.starts_with('{') && !span.of(self.text).starts_with('{');
        wants.then(|| self.splices.replace(span, framed))
    }

    /// Where arguments are spelled as a string, so are the new ones.
    fn arguments(&mut self, message: usize, part: usize, json: &str) -> Option<()> {
        let (span, none) = self.layout.spot(message, part)?.place.arguments?;
        serde_json::from_str::<IgnoredAny>(json).ok()?;
        let spelled = if none.starts_with('"') { Frame::BARE.of(json) } else { String::from(json) };
        self.splices.replace(span, spelled);
        Some(())
    }

    fn rename(&mut self, message: usize, part: usize, from: &str, to: &str) -> Option<()> {
        let place = self.layout.spot(message, part)?.place;
        let element = self.layout.elements(place.unit.list).get(place.unit.element)?;
        let inside = place.arguments.map(|(span, _)| span);
        let span = id_of(element.of(self.text), element.start, from, inside)?;
        self.splices.replace(span, quoted(to));
        Some(())
    }

    fn deliver(&mut self, pieces: &[Piece], to: Target) -> Option<()> {
        let texts = pieces.iter().map(|piece| self.piece(piece)).collect::<Option<Vec<_>>>()?;
        match to {
            Target::Within(message) => {
                let entry = self.layout.entries.get(message)?;
                let (first, _) = entry.records?;
                if let Some(list) = self.layout.parts_list(entry) {
                    self.add_all(list, 0, texts);
                } else {
                    let record = self.spelling.carrier(&texts)?;
                    self.add(self.layout.spine(), first, record);
                }
            }
            Target::Behind(message) => {
                let (_, last) = self.layout.entries.get(message)?.records?;
                let records = self.spelling.carrier(&texts).map_or(texts, |record| alloc::vec![record]);
                self.add_all(self.layout.spine(), last.saturating_add(1), records);
            }
        }
        for piece in pieces {
            if let Piece::Part { message, part } = piece {
                self.leaving.insert((*message, *part));
            }
        }
        Some(())
    }

    /// The element that a result is.
    fn piece(&self, piece: &Piece) -> Option<String> {
        match piece {
            Piece::Answer(answer) => self.spelling.result(answer),
            Piece::Part { message, part } => {
                self.layout.element(self.layout.spot(*message, *part)?.place.unit, self.text)
            }
        }
    }

    fn join(&mut self, message: usize, to: usize) -> Option<()> {
        let list_of = |message: usize| self.layout.parts_list(self.layout.entries.get(message)?);
        let (from, list) = (list_of(message)?, list_of(to)?);
        let end = self.layout.elements(list).len();
        let elements = self.layout.elements(from).iter().map(|span| String::from(span.of(self.text)));
        let elements: Vec<String> = elements.collect();
        self.add_all(list, end, elements);
        self.remove_message(message)
    }

    fn unmark_first(&mut self, key: &str, count: usize) -> Option<()> {
        let mut left = count;
        for (index, place) in self.layout.lists.iter().enumerate() {
            let is_inner = place.parent.is_some_and(|parent| parent.list == self.layout.spine());
            for element in (0..place.elements.len()).filter(|_| is_inner) {
                if left == 0 {
                    return Some(());
                }
                left = left.saturating_sub(usize::from(self.unmark(List(index).unit(element), key)));
            }
        }
        (left < count).then_some(())
    }

    /// Takes a member out of an element, or the element when it has no other; whether there was one.
    fn unmark(&mut self, unit: Unit, key: &str) -> bool {
        let Some(span) = self.layout.elements(unit.list).get(unit.element) else { return false };
        let Ok(object) = Object::parse(span.of(self.text), span.start) else { return false };
        let members = object.members();
        let marks = |member: &Member<'_>| member.key.is_string(key) && !member.value.is_null();
        let Some(place) = members.iter().position(marks) else { return false };
        if members.len() == 1 {
            return self.gone.insert(unit);
        }
        let spans = members.iter().map(Member::span).collect();
        let mut edit = ArrayEdit::new(self.text, *span, spans);
        edit.remove(place);
        edit.finish(&mut self.splices);
        true
    }

    fn open(&mut self, text: &str) -> Option<()> {
        if self.layout.start.is_some() {
            return None;
        }
        let record = self.spelling.summary(text, "", 0, self.view);
        self.add(self.layout.spine(), 0, record);
        Some(())
    }

    fn add_all(&mut self, list: List, before: usize, elements: Vec<String>) {
        for element in elements {
            self.add(list, before, element);
        }
    }

    fn add(&mut self, list: List, before: usize, element: String) {
        self.added.entry(list).or_default().push((before, element));
    }

    fn finish(mut self) -> Splices {
        let liveness = self.liveness();
        self.blank(&liveness);
        for (index, place) in self.layout.lists.iter().enumerate() {
            let list = List(index);
            let within = place.container.span().is_some();
            if within && place.parent.is_some_and(|parent| liveness.is_gone(parent)) {
                continue;
            }
            let gone = self.gone_of(list, &liveness);
            let added = self.added.remove(&list).unwrap_or_default();
            let is_empty = added.is_empty() && !gone.is_empty() && gone.len() == place.elements.len();
            if let (Some(empty), Some(span)) = (place.empty.filter(|_| is_empty), place.container.span()) {
                self.splices.replace(span, empty);
            } else {
                let elements = place.elements.clone();
                splice_records(self.text, place.container, elements, &gone, added, &mut self.splices);
            }
        }
        self.splices
    }

    /// The elements of a list that go, in order.
    fn gone_of(&self, list: List, liveness: &Liveness) -> Vec<usize> {
        let mut gone: BTreeSet<usize> = liveness.gone_of(list).into_iter().collect();
        gone.extend(self.gone.range(list.unit(0)..=list.unit(usize::MAX)).map(|unit| unit.element));
        gone.into_iter().collect()
    }

    fn liveness(&self) -> Liveness {
        let mut liveness = Liveness::new(self.layout);
        for anchor in &self.layout.anchors {
            liveness.note(self.layout, *anchor, true);
        }
        for (message, entry) in self.layout.entries.iter().enumerate() {
            for (part, spot) in self.layout.spots_of(entry).enumerate() {
                let stays = !self.leaving.contains(&(message, part));
                liveness.note(self.layout, spot.place.unit, stays);
            }
        }
        for list in self.added.keys() {
            if let Some(parent) = self.layout.lists.get(list.0).and_then(|place| place.parent) {
                liveness.note(self.layout, parent, true);
            }
        }
        liveness
    }

    /// What stands in the place of parts that go while their element stays.
    fn blank(&mut self, liveness: &Liveness) {
        for (message, part) in core::mem::take(&mut self.leaving) {
            let Some(place) = self.layout.spot(message, part).map(|spot| spot.place) else { continue };
            if let Some((span, spelling)) = place.gone.filter(|_| !liveness.is_gone(place.unit)) {
                self.splices.replace(span, spelling);
            }
        }
    }
}
