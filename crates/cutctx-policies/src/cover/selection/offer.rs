//! What choosing a unit would bring, and what it would cost.

use super::Selection;
use crate::cover::field::{FieldPart, MILLI};
use core::ops::Range;

/// A unit with what it brings along, at the moment.
pub(super) struct Offer {
    /// The units that would be in; some may be already.
    pub(super) units: Range<usize>,
    /// Those that the part needs beside them.
    pub(super) frame: Range<usize>,
    /// What those are worth that are not in yet, in fixed point.
    pub(super) value: u64,
    /// What they cost, with all that this entails, in thousandths of a token.
    pub(super) cost: u64,
}

impl Offer {
    /// Worth for cost, in a scale of its own.
    pub(super) fn density(&self) -> u64 {
        let cost = self.cost.max(1);
        match self.value.checked_mul(1 << 20) {
            Some(value) => value.checked_div(cost).unwrap_or(u64::MAX),
            None => self.value.checked_div(cost).unwrap_or(u64::MAX).saturating_mul(1 << 20),
        }
    }
}

impl Selection<'_> {
    /// What choosing a unit would bring. What it brings along is worth half, so that a unit of worth comes to stand in
    /// the middle.
    pub(super) fn offer(&self, number: usize) -> Offer {
        let Some((unit, part)) = self.field.units.get(number).zip(self.field.part_of(number)) else {
            return Offer { units: 0..0, frame: 0..0, value: 0, cost: 0 };
        };
        let start = number.saturating_sub(part.context).max(part.units.start);
        let end = number.saturating_add(part.context).saturating_add(1).min(part.units.end);
        let frame = part.units.start..part.units.start.saturating_add(part.frame);
        let (mut value, mut cost) = (0_u64, 0_u64);
        let around = frame.clone().filter(|brought| !(start..end).contains(brought));
        for brought in (start..end).chain(around).filter(|brought| !self.is_in(*brought)) {
            let Some(unit) = self.field.units.get(brought) else { continue };
            let worth = self.value(brought, part, unit.base);
            value = value.saturating_add(if brought == number { worth } else { worth / 2 });
            cost = cost.saturating_add(unit.cost);
        }
        cost = cost.saturating_add(self.marks(&(start..end), part, unit.part));
        let cost = self.with_entry(cost, part, unit.part);
        Offer { units: start..end, frame, value, cost }
    }

    fn value(&self, unit: usize, part: &FieldPart, base: u64) -> u64 {
        let worth = self.lexicon.worth(unit);
        let weighed = worth.checked_mul(part.weight).map_or(u64::MAX, |product| product >> 16);
        weighed.saturating_add(base)
    }

    /// What the marks cost that come to those of the part.
    fn marks(&self, units: &Range<usize>, part: &FieldPart, number: usize) -> u64 {
        let left = units.start > part.units.start && !self.is_in(units.start.saturating_sub(1));
        let right = units.end < part.units.end && !self.is_in(units.end);
        let after = u64::from(left).saturating_add(u64::from(right));
        let is_in = self.parts_in.get(number).copied().unwrap_or(false);
        let before = if is_in { self.gaps(units) } else { 0 };
        part.mark.saturating_mul(after.saturating_sub(before))
    }

    /// How many stretches of units that are not in there are among some.
    fn gaps(&self, units: &Range<usize>) -> u64 {
        let mut before = true;
        let mut gaps = 0_u64;
        for unit in units.clone() {
            let is_in = self.is_in(unit);
            gaps = gaps.saturating_add(u64::from(before && !is_in));
            before = is_in;
        }
        gaps
    }

    /// The cost with that of being the first of its part, of its turn and of its exchange.
    fn with_entry(&self, cost: u64, part: &FieldPart, number: usize) -> u64 {
        let is_in = |list: &[bool], place: usize| list.get(place).copied().unwrap_or(true);
        let Some(turn) = self.field.turns.get(part.turn) else { return cost };
        let mut cost = cost;
        if !is_in(&self.parts_in, number) && part.units.len() > 1 {
            cost = cost.saturating_add(MILLI);
        }
        if !is_in(&self.exchanges_in, turn.exchange) {
            cost = cost.saturating_add(self.least.get(turn.exchange).copied().unwrap_or(0));
        }
        if !is_in(&self.turns_in, part.turn) {
            cost = cost.saturating_add(turn.framing).saturating_sub(turn.least);
        }
        cost
    }
}
