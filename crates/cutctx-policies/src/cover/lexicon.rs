//! Who names what, and what is visible already.

mod index;
mod numbers;

use super::field::{Field, FieldPart};
use super::names::each_name;
use crate::trimming::parts_of;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::TranscriptTurn;
use index::{Index, Place};
use numbers::Numbers;

/// The names of all units, with what they are still worth.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// By name: what it is worth, in fixed point; nothing once it is visible.
    values: Vec<u32>,
    /// The names of the units, one unit's behind the other's.
    names: Numbers,
    /// By unit: where its names end.
    ends: Vec<u32>,
}

impl Lexicon {
    /// Reads the units.
    pub(super) fn of(field: &Field, turns: &[TranscriptTurn]) -> Self {
        let text = turns.iter().fold(0_usize, |sum, turn| sum.saturating_add(turn.content().len()));
        let (names, ends) = (Numbers::for_text(text), Vec::with_capacity(field.len()));
        let mut reader = Reader { index: Index::default(), names, ends };
        for (turn, known) in turns.iter().zip(&field.turns) {
            let parts = parts_of(turn);
            for part in field.parts.get(known.parts.clone()).unwrap_or_default() {
                match parts.get(part.index()) {
                    Some(of) => reader.read(field.ranges(part, of), part, turn.content()),
                    None => reader.read(core::iter::empty(), part, ""),
                }
            }
        }
        Self { values: reader.index.values(), names: reader.names, ends: reader.ends }
    }

    /// What the names of a unit that are not visible yet are worth together.
    pub(super) fn worth(&self, unit: usize) -> u64 {
        let names = self.names.within(self.bounds(unit));
        let values = names.filter_map(|name| self.values.get(place_of(name)));
        values.fold(0, |sum, value| sum.saturating_add(u64::from(*value)))
    }

    /// Makes the names of a unit visible.
    pub(super) fn show(&mut self, unit: usize) {
        for name in self.names.within(self.bounds(unit)) {
            if let Some(value) = self.values.get_mut(place_of(name)) {
                *value = 0;
            }
        }
    }

    fn bounds(&self, unit: usize) -> Range<usize> {
        let end = |unit: usize| self.ends.get(unit).copied().map_or(0, place_of);
        unit.checked_sub(1).map_or(0, end)..end(unit)
    }
}

fn place_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Reads the units in their order.
struct Reader {
    index: Index,
    names: Numbers,
    ends: Vec<u32>,
}

impl Reader {
    /// Reads the units of a part, which stand in these ranges of a text.
    fn read(&mut self, ranges: impl Iterator<Item = Range<usize>>, part: &FieldPart, text: &str) {
        let turn = u32::try_from(part.turn()).unwrap_or(u32::MAX);
        for (unit, range) in part.units().zip(ranges) {
            let unit = u32::try_from(unit).unwrap_or(u32::MAX);
            let place = Place { unit, turn, is_naming: part.names_count() };
            let (index, names) = (&mut self.index, &mut self.names);
            each_name(text.get(range).unwrap_or_default(), |name| {
                if let Some(number) = index.note(name, place) {
                    names.push(number);
                }
            });
            self.end_unit();
        }
        while self.ends.len() < part.units().end {
            self.end_unit();
        }
    }

    fn end_unit(&mut self) {
        self.ends.push(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
    }
}
