//! What choosing a unit would bring, and what it would cost.

use super::Selection;
use crate::cover::field::{FieldPart, MILLI};
use alloc::vec::Vec;
use core::ops::Range;

/// What choosing a unit would cost at the moment.
pub(super) struct Outlay {
    /// The units that would be in; some may be already.
    pub(super) units: Range<usize>,
    /// Those that the part needs beside them.
    pub(super) frame: Range<usize>,
    /// What those cost that are not in yet, with all that this entails, in thousandths of a token.
    pub(super) cost: u64,
}

/// Worth for cost, in a scale of its own.
pub(super) fn density(value: u64, cost: u64) -> u64 {
    let cost = cost.max(1);
    match value.checked_mul(1 << 20) {
        Some(value) => value.checked_div(cost).unwrap_or(u64::MAX),
        None => value.checked_div(cost).unwrap_or(u64::MAX).saturating_mul(1 << 20),
    }
}

impl Selection<'_> {
    /// What choosing a unit of a part would cost.
    pub(super) fn outlay(&self, unit: usize, part: &FieldPart, number: usize) -> Outlay {
        let start = unit.saturating_sub(self.field.context(part)).max(part.units().start);
        let end = unit.saturating_add(self.field.context(part)).saturating_add(1).min(part.units().end);
        let frame = part.frame();
        let mut outlay = Outlay { units: start..end, frame, cost: 0 };
        let mut cost = 0_u64;
        self.each_new(&outlay, |unit| cost = cost.saturating_add(self.field.cost(unit, part)));
        let cost = cost.saturating_add(self.marks(&(start..end), part, number));
        outlay.cost = self.with_entry(cost, part, number);
        outlay
    }

    /// Looks at the units of an outlay that are not in yet.
    fn each_new(&self, outlay: &Outlay, mut look: impl FnMut(usize)) {
        for unit in outlay.units.clone().filter(|unit| !self.shelf.is_chosen(*unit)) {
            look(unit);
        }
        for unit in outlay.frame.clone() {
            if !outlay.units.contains(&unit) && !self.shelf.is_chosen(unit) {
                look(unit);
            }
        }
    }

    /// What choosing a unit would bring, in fixed point. What it brings along is worth half, so that a unit of worth comes
    /// to stand in the middle.
    pub(super) fn value_of(&self, unit: usize, part: &FieldPart, outlay: &Outlay) -> u64 {
        let mut sum = 0_u64;
        self.each_new(outlay, |brought| {
            let value = self.value(brought, part);
            sum = sum.saturating_add(if brought == unit { value } else { value / 2 });
        });
        sum
    }

    /// The same, with values that neighbours have asked for already, from the first one on.
    pub(super) fn value_beside(
        &self,
        unit: usize,
        part: &FieldPart,
        outlay: &Outlay,
        (first, known): (usize, &mut Vec<Option<u64>>),
    ) -> u64 {
        let mut sum = 0_u64;
        self.each_new(outlay, |brought| {
            let place = brought.checked_sub(first).filter(|_| outlay.units.contains(&brought));
            let value = match place {
                Some(place) => {
                    if known.len() <= place {
                        known.resize(place.saturating_add(1), None);
                    }
                    let slot = known.get_mut(place);
                    slot.map_or(0, |slot| *slot.get_or_insert_with(|| self.value(brought, part)))
                }
                None => self.value(brought, part),
            };
            sum = sum.saturating_add(if brought == unit { value } else { value / 2 });
        });
        sum
    }

    fn value(&self, unit: usize, part: &FieldPart) -> u64 {
        let base = self.field.base(unit, part);
        let worth = self.lexicon.worth(unit);
        let weighed = worth.checked_mul(part.weight()).map_or(u64::MAX, |product| product >> 16);
        weighed.saturating_add(base)
    }

    /// What the marks cost that come to those of the part.
    fn marks(&self, units: &Range<usize>, part: &FieldPart, number: usize) -> u64 {
        let left = units.start > part.units().start && !self.shelf.is_chosen(units.start.saturating_sub(1));
        let right = units.end < part.units().end && !self.shelf.is_chosen(units.end);
        let after = u64::from(left).saturating_add(u64::from(right));
        let is_in = self.parts_in.get(number).copied().unwrap_or(false);
        let before = if is_in { self.gaps(units) } else { 0 };
        part.mark().saturating_mul(after.saturating_sub(before))
    }

    /// How many stretches of units that are not in there are among some.
    fn gaps(&self, units: &Range<usize>) -> u64 {
        let mut before = true;
        let mut gaps = 0_u64;
        for unit in units.clone() {
            let is_in = self.shelf.is_chosen(unit);
            gaps = gaps.saturating_add(u64::from(before && !is_in));
            before = is_in;
        }
        gaps
    }

    /// The cost with that of being the first of its part, of its turn and of its exchange.
    fn with_entry(&self, cost: u64, part: &FieldPart, number: usize) -> u64 {
        let is_in = |list: &[bool], place: usize| list.get(place).copied().unwrap_or(true);
        let Some(turn) = self.field.turns.get(part.turn()) else { return cost };
        let mut cost = cost;
        if !is_in(&self.parts_in, number) && part.units().len() > 1 {
            cost = cost.saturating_add(MILLI);
        }
        if !is_in(&self.exchanges_in, turn.exchange) {
            cost = cost.saturating_add(self.least.get(turn.exchange).copied().unwrap_or(0));
        }
        if !is_in(&self.turns_in, part.turn()) {
            cost = cost.saturating_add(turn.framing).saturating_sub(turn.least);
        }
        cost
    }
}
