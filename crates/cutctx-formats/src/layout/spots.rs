//! The parts of all messages and where they stand, in few bytes each: a large file has a million of them.

use alloc::vec::Vec;
use core::ops::Range;

use cutctx_messages::Placement;

use super::place::{Frame, List, Place, Unit};
use crate::outcome::{Slot, SlotKind};
use crate::raw::Span;

/// A part of a message: its place, and the turn parts that it became.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) place: Place,
    pub(super) slot: Slot,
}

impl Spot {
    /// A part at this place that became so many parts of a turn.
    pub(super) fn new(place: Place, placement: Placement, parts: usize) -> Self {
        let span = place.text.map_or_else(Span::default, |(span, _)| span);
        let slot = Slot { span, kind: place.kind, turn: placement.turn, part: placement.part, parts };
        Self { place, slot }
    }
}

/// The parts of all messages, in order.
#[derive(Debug, Default)]
pub(super) struct Spots {
    packed: Vec<Packed>,
    /// What the places of many parts have in common.
    shapes: Vec<Shape>,
    /// Those that are not packed.
    whole: Vec<Spot>,
}

/// A part whose place has one value at most and one of the known shapes.
#[derive(Debug, Clone, Copy, Default)]
struct Packed {
    list: u32,
    element: u32,
    turn: u32,
    part: u32,
    parts: u32,
    /// The value, or the index of a spot that is not packed.
    start: u32,
    end: u32,
    shape: u32,
}

/// A place without what tells one from the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    kind: SlotKind,
    text: Option<Frame>,
    arguments: Option<&'static str>,
    gone: Option<&'static str>,
    inner: Option<Frame>,
}

/// The shape of what is not packed.
const WHOLE: u32 = u32::MAX;

/// How many shapes are told apart. Formats have about ten.
const SHAPES: usize = 32;

impl Spots {
    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.packed.len()
    }

    /// Adds the next one.
    pub(super) fn push(&mut self, spot: &Spot) {
        let packed = self.pack(spot).unwrap_or_else(|| {
            let start = u32::try_from(self.whole.len()).unwrap_or(u32::MAX);
            self.whole.push(*spot);
            Packed { start, shape: WHOLE, ..Packed::default() }
        });
        self.packed.push(packed);
    }

    /// The one with this index.
    pub(super) fn get(&self, index: usize) -> Option<Spot> {
        self.unpack(*self.packed.get(index)?)
    }

    /// Those with these indexes.
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = Spot> {
        self.packed.get(range).unwrap_or_default().iter().filter_map(|packed| self.unpack(*packed))
    }

    /// What stands where, of those with these indexes.
    pub(super) fn kinds(&self, range: Range<usize>) -> impl Iterator<Item = (SlotKind, Unit)> {
        self.packed.get(range).unwrap_or_default().iter().filter_map(|packed| {
            let wide = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
            if let Some(shape) = self.shapes.get(wide(packed.shape)) {
                return Some((shape.kind, List(wide(packed.list)).unit(wide(packed.element))));
            }
            let spot = self.whole.get(wide(packed.start))?;
            Some((spot.place.kind, spot.place.unit))
        })
    }

    fn pack(&mut self, spot: &Spot) -> Option<Packed> {
        let (Spot { place, slot }, narrow) = (spot, |number: usize| u32::try_from(number).ok());
        let value = place.only_value()?;
        Some(Packed {
            list: narrow(place.unit.list.0)?,
            element: narrow(place.unit.element)?,
            turn: narrow(slot.turn)?,
            part: narrow(slot.part)?,
            parts: narrow(slot.parts)?,
            start: narrow(value.start)?,
            end: narrow(value.end)?,
            shape: self.known(Shape::of(place))?,
        })
    }

    fn known(&mut self, shape: Shape) -> Option<u32> {
        let known = self.shapes.iter().position(|known| *known == shape);
        let index = known.or_else(|| {
            let next = self.shapes.len();
            (next < SHAPES).then(|| self.shapes.push(shape)).map(|()| next)
        });
        index.and_then(|index| u32::try_from(index).ok())
    }

    fn unpack(&self, packed: Packed) -> Option<Spot> {
        let Packed { list, element, turn, part, parts, start, end, shape } = packed;
        let wide = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        if shape == WHOLE {
            return self.whole.get(wide(start)).copied();
        }
        let unit = Unit { list: List(wide(list)), element: wide(element) };
        let place = self.shapes.get(wide(shape))?.place(unit, Span { start: wide(start), end: wide(end) });
        Some(Spot::new(place, Placement::at(wide(turn), wide(part)), wide(parts)))
    }
}

impl Shape {
    fn of(place: &Place) -> Self {
        let Place { kind, text, arguments, gone, inner, .. } = *place;
        Self {
            kind,
            text: text.map(|(_, frame)| frame),
            arguments: arguments.map(|(_, none)| none),
            gone: gone.map(|(_, spelling)| spelling),
            inner: inner.map(|(_, frame)| frame),
        }
    }

    /// The place of this shape with this value.
    fn place(self, unit: Unit, value: Span) -> Place {
        Place {
            kind: self.kind,
            unit,
            text: self.text.map(|frame| (value, frame)),
            arguments: self.arguments.map(|none| (value, none)),
            gone: self.gone.map(|spelling| (value, spelling)),
            inner: self.inner.map(|frame| (value, frame)),
            media: None,
        }
    }
}

impl Place {
    /// The one value that all about this place is said of; `None` where there are several, or media beside it.
    fn only_value(&self) -> Option<Span> {
        let values = [
            self.text.map(|(span, _)| span),
            self.arguments.map(|(span, _)| span),
            self.gone.map(|(span, _)| span),
            self.inner.map(|(span, _)| span),
        ];
        let first = values.iter().flatten().next().copied().unwrap_or_default();
        let is_one = self.media.is_none() && values.iter().flatten().all(|span| *span == first);
        is_one.then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn span(start: usize) -> Span {
        Span { start, end: start.saturating_add(9) }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let unit = List(3).unit(4);
        let places = [
            Place::text(unit, span(10)).blanked(span(10), "null"),
            Place::call(unit, Some(span(20)), "{}"),
            Place::call(unit, None, "{}"),
            Place::result(unit, span(30), Frame::BARE).made_of(span(30), Frame::TEXT_BLOCK),
            Place::result(unit, span(30), Frame::BARE).made_of(span(31), Frame::TEXT_BLOCK),
            Place::result(unit, span(40), Frame::BARE).with_media(List(1), 2, 3),
            Place::opaque(unit),
            Place::text(unit, Span { start: usize::MAX, end: usize::MAX }),
        ];
        let mut spots = Spots::default();
        let made: Vec<Spot> =
            (0..).zip(places).map(|(turn, place)| Spot::new(place, Placement::at(turn, 1), 2)).collect();
        for spot in &made {
            spots.push(spot);
        }
        let found: Vec<Spot> = (0..spots.len()).filter_map(|index| spots.get(index)).collect();
        assert_eq!(format!("{found:?}"), format!("{made:?}"));
        assert_eq!(format!("{:?}", spots.range(0..8).collect::<Vec<_>>()), format!("{made:?}"));
        let kinds: Vec<_> = made.iter().map(|spot| (spot.place.kind, spot.place.unit)).collect();
        assert_eq!(spots.kinds(0..8).collect::<Vec<_>>(), kinds);
        assert_eq!(spots.whole.len(), 3);
    }

    #[test]
    fn shapes_without_end_are_not_packed() {
        let mut spots = Spots::default();
        for index in 0..3 * SHAPES {
            let before: &'static str = "x".repeat(index).leak();
            let place = Place::result(List(0).unit(0), span(1), Frame { before, after: "" });
            spots.push(&Spot::new(place, Placement::at(index, 0), 1));
            assert_eq!(spots.get(index).unwrap().place.text.unwrap().1.before, before);
        }
        assert_eq!(spots.shapes.len(), SHAPES);
    }
}
