//! Messages of one side that come to touch, for providers that want user and model to take turns.
//!
//! Between two messages of the user's stood one of the model's. When it goes, the blocks of the second one follow those
//! of the first one in its list, and the record of the second one goes. Messages that touched before are left alone.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use cutctx_types::Role;

use super::entry::{Entry, Layout};
use super::liveness::Liveness;
use super::place::{Adding, Frame, List};
use crate::outcome::SlotKind;
use crate::raw::{Span, Splices};

/// The records that stay, each with its message and the list of its blocks.
#[derive(Debug)]
pub(super) struct Neighbours<'l> {
    layout: &'l Layout,
    /// In order. Empty where messages are never made one.
    staying: Vec<Staying>,
}

#[derive(Debug, Clone, Copy)]
struct Staying {
    record: usize,
    is_model: bool,
    /// The list of its blocks, and how a text is spelled in it.
    blocks: Option<(List, Frame)>,
    /// Whether the first part of it that stays is a tool result.
    answers: bool,
    /// Whether reasoning of it stays, which is to come first.
    reasons: bool,
}

/// Pairs of records, each the second of one message and the first of the next, that are made one.
#[derive(Debug, Default)]
pub(super) struct Joints(Vec<(Part, Part)>);

/// A record and the list of its blocks.
#[derive(Debug, Clone, Copy)]
struct Part {
    record: usize,
    blocks: List,
}

/// A list of records, those of them that go, and new ones with the record before which each goes.
pub(super) struct Joined {
    pub(super) elements: Vec<Span>,
    pub(super) gone: Vec<usize>,
    pub(super) added: Vec<(usize, String)>,
}

impl<'l> Neighbours<'l> {
    pub(super) fn new(layout: &'l Layout, gone: &[bool], liveness: &Liveness) -> Self {
        let entries = layout.entries.iter().filter(|_| layout.joins);
        let staying = entries.filter_map(|entry| Staying::of(layout, entry, gone, liveness));
        Self { layout, staying: staying.collect() }
    }

    /// Where in a message beside it a text goes that belongs before this record.
    ///
    /// Between a message of the user's and one of the model's that is in front of the model's: what the user said is a
    /// turn of its own when the document is read again, and may be one that is never to change. Where reasoning of the
    /// model's is to come first it is behind the user's message. Between a message of the model's and one of the user's
    /// it is in front of the user's, unless that begins with results.
    pub(super) fn seat(&self, before: usize) -> Option<(List, usize, Frame)> {
        let next = self.gap(before);
        let above = next.checked_sub(1).and_then(|above| self.staying.get(above));
        let above = above.filter(|above| !above.is_model);
        let below = self.staying.get(next);
        let models = below.filter(|below| above.is_some() && below.is_model && !below.reasons);
        let users = below.filter(|below| !below.is_model && !below.answers);
        let in_front = |staying: &Staying| staying.blocks.map(|(list, frame)| (list, 0, frame));
        let behind = |staying: &Staying| {
            staying.blocks.map(|(list, frame)| (list, self.layout.elements(list).len(), frame))
        };
        models.and_then(in_front).or_else(|| above.and_then(behind)).or_else(|| users.and_then(in_front))
    }

    /// Whether what comes before this record stands between two messages of the user's.
    pub(super) fn is_between_users(&self, before: usize) -> bool {
        let next = self.gap(before);
        let above = next.checked_sub(1).and_then(|above| self.staying.get(above));
        let sides = above.zip(self.staying.get(next));
        sides.is_some_and(|(above, below)| !above.is_model && !below.is_model)
    }

    /// The place among the records that stay to which something before this record belongs.
    pub(super) fn gap(&self, before: usize) -> usize {
        self.staying.partition_point(|staying| staying.record < before)
    }

    /// The records of one side that come to touch.
    pub(super) fn joints(&self, added: &[(usize, String)]) -> Joints {
        let pairs = self.staying.windows(2).filter_map(|pair| {
            let [one, next] = pair else { return None };
            let apart = one.record.saturating_add(1) < next.record;
            let between = added.partition_point(|(before, _)| *before <= one.record)
                < added.partition_point(|(before, _)| *before <= next.record);
            let touch = apart && !between && one.is_model == next.is_model;
            Some((one.part()?, next.part()?)).filter(|_| touch)
        });
        Joints(pairs.collect())
    }
}

impl Staying {
    fn of(layout: &Layout, entry: &Entry, gone: &[bool], liveness: &Liveness) -> Option<Self> {
        let (record, last) = entry.records?;
        if gone.get(record) != Some(&false) {
            return None;
        }
        let blocks = match entry.adding {
            Some(Adding::Element(own, frame)) if !layout.elements(own).is_empty() => Some((own, frame)),
            _ => None,
        };
        let mut staying = layout.spots_of(entry).filter(|spot| !liveness.is_gone(spot.place.unit));
        let is_reasoning = |kind| matches!(kind, SlotKind::Reasoning | SlotKind::Opaque);
        let first = staying.next();
        let reasons = first.into_iter().chain(staying).any(|spot| is_reasoning(spot.place.kind));
        Some(Self {
            record,
            is_model: entry.role == Role::Assistant,
            blocks: blocks.filter(|_| record == last && entry.role != Role::System),
            answers: first.is_some_and(|spot| spot.place.kind == SlotKind::Result),
            reasons,
        })
    }

    fn part(&self) -> Option<Part> {
        self.blocks.map(|(blocks, _)| Part { record: self.record, blocks })
    }
}

impl Joints {
    /// The records that are joined to the one before them.
    pub(super) fn joined(&self) -> Vec<usize> {
        self.0.iter().map(|(_, next)| next.record).collect()
    }

    /// Joins the records in the text, and in the list that they are elements of.
    pub(super) fn join(self, layout: &Layout, list: Joined, text: &str, splices: &mut Splices) -> Joined {
        if self.0.is_empty() {
            return list;
        }
        let mut first: Option<Part> = None;
        for (at, (one, next)) in self.0.iter().enumerate() {
            let head = *first.get_or_insert(*one);
            let (above, below) = (layout.span_of(one.blocks), layout.span_of(next.blocks));
            splices.replace(
                Span { start: above.end.saturating_sub(1), end: below.start.saturating_add(1) },
                ",",
            );
            let goes_on = self
                .0
                .get(at.saturating_add(1))
                .is_some_and(|(following, _)| following.record == next.record);
            if !goes_on {
                let tail = |part: &Part| Span {
                    start: layout.span_of(part.blocks).end,
                    end: list.elements.get(part.record).map_or(0, |record| record.end),
                };
                splices.replace(tail(next), tail(&head).of(text));
                first = None;
            }
        }
        self.collapsed(list)
    }

    /// The list with one element for the records that are made one.
    fn collapsed(&self, list: Joined) -> Joined {
        let Joined { elements, gone, added } = list;
        let mut inside = vec![false; elements.len()];
        for (one, next) in &self.0 {
            let joined = inside.get_mut(one.record.saturating_add(1)..=next.record);
            joined.into_iter().flatten().for_each(|flag| *flag = true);
        }
        let mut places = Vec::with_capacity(elements.len());
        let mut kept: Vec<Span> = Vec::with_capacity(elements.len());
        for (element, inside) in elements.into_iter().zip(&inside) {
            match kept.last_mut() {
                Some(joined) if *inside => joined.end = element.end,
                _ => kept.push(element),
            }
            places.push(kept.len().saturating_sub(1));
        }
        let place = |record: usize| places.get(record).copied().unwrap_or(kept.len());
        let gone = gone.into_iter().filter(|record| inside.get(*record) == Some(&false)).map(place).collect();
        let added = added.into_iter().map(|(before, record)| (place(before), record)).collect();
        Joined { gone, added, elements: kept }
    }
}

impl Layout {
    /// The place of an array of blocks.
    fn span_of(&self, list: List) -> Span {
        self.lists.get(list.0).and_then(|list| list.container.span()).unwrap_or_default()
    }
}
