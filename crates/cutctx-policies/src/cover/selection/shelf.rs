//! The units on offer, the best one first.

use alloc::vec::Vec;
use core::ops::Range;

/// How many units are looked through at once.
const BLOCK: usize = 64;

/// A unit that is neither chosen nor on offer.
const ASIDE: u64 = 0;

/// What a chosen unit's state begins from: its step comes on top. Offers are below.
const CHOSEN: u64 = 1 << 63;

/// Every unit's state: chosen at a step, on offer at a density, or put aside.
///
/// Units stand in blocks, and a tree over the blocks knows the best offer of each, so that a change costs looking through
/// one block and the way up the tree, and only eight bytes a unit are held.
#[derive(Debug)]
pub(super) struct Shelf {
    /// By unit.
    states: Vec<u64>,
    /// The best offers: those of the blocks in the second half, and at `i` the better one of `2i` and `2i + 1`.
    best: Vec<u64>,
}

impl Shelf {
    /// So many units, none of them on offer.
    pub(super) fn of(units: usize) -> Self {
        let blocks = units.div_ceil(BLOCK).max(1).next_power_of_two();
        Self { states: alloc::vec![ASIDE; units], best: alloc::vec![ASIDE; blocks.saturating_mul(2)] }
    }

    /// The step that chose a unit.
    pub(super) fn step_of(&self, unit: usize) -> Option<usize> {
        let step = self.states.get(unit)?.checked_sub(CHOSEN)?;
        usize::try_from(step).ok()
    }

    pub(super) fn is_chosen(&self, unit: usize) -> bool {
        self.states.get(unit).is_some_and(|state| *state >= CHOSEN)
    }

    pub(super) fn is_offered(&self, unit: usize) -> bool {
        self.states.get(unit).is_some_and(|state| (ASIDE.saturating_add(1)..CHOSEN).contains(state))
    }

    /// Notes that a step chose a unit. [`Self::mend`] has to follow, as after the next two.
    pub(super) fn choose(&mut self, unit: usize, step: usize) {
        self.set(unit, CHOSEN.saturating_add(u64::try_from(step).unwrap_or(CHOSEN)));
    }

    /// Offers a unit at a density.
    pub(super) fn offer(&mut self, unit: usize, density: u64) {
        self.set(unit, density.saturating_add(1).min(CHOSEN.saturating_sub(1)));
    }

    /// Offers a unit no longer.
    pub(super) fn put_aside(&mut self, unit: usize) {
        self.set(unit, ASIDE);
    }

    fn set(&mut self, unit: usize, state: u64) {
        if let Some(slot) = self.states.get_mut(unit) {
            *slot = state;
        }
    }

    /// Finds the best offers among some units anew.
    pub(super) fn mend(&mut self, units: &Range<usize>) {
        if units.is_empty() {
            return;
        }
        for block in units.start / BLOCK..=units.end.saturating_sub(1) / BLOCK {
            self.mend_block(block);
        }
    }

    fn mend_block(&mut self, block: usize) {
        let mut node = (self.best.len() / 2).saturating_add(block);
        let mut best = best_of(self.block(block));
        while node > 0 {
            let Some(slot) = self.best.get_mut(node).filter(|slot| **slot != best) else { return };
            *slot = best;
            best = best.max(self.best.get(node ^ 1).copied().unwrap_or(ASIDE));
            node /= 2;
        }
    }

    fn block(&self, block: usize) -> &[u64] {
        let start = block.saturating_mul(BLOCK);
        let end = start.saturating_add(BLOCK).min(self.states.len());
        self.states.get(start..end).unwrap_or_default()
    }

    /// The best offer: its unit and its density. Of equal ones it is the last in the transcript.
    pub(super) fn best(&self) -> Option<(usize, u64)> {
        let best = *self.best.get(1)?;
        let density = best.checked_sub(1)?;
        let blocks = self.best.len() / 2;
        let mut node = 1_usize;
        while node < blocks {
            let right = node.saturating_mul(2).saturating_add(1);
            node = if self.best.get(right) == Some(&best) { right } else { right.saturating_sub(1) };
        }
        let block = node.saturating_sub(blocks);
        let within = self.block(block).iter().rposition(|state| *state == best)?;
        Some((block.saturating_mul(BLOCK).saturating_add(within), density))
    }
}

/// The best offer of a block.
fn best_of(states: &[u64]) -> u64 {
    states.iter().fold(ASIDE, |best, state| if *state < CHOSEN { best.max(*state) } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_offer_is_that_of_a_sorted_list(
            changes in proptest::collection::vec((0_usize..300, 0_u64..5, 0_u64..9), 1..200),
        ) {
            let mut shelf = Shelf::of(300);
            let mut list = BTreeMap::new();
            for (unit, what, density) in changes {
                if shelf.is_chosen(unit) {
                    continue;
                }
                match what {
                    0 => shelf.choose(unit, 7),
                    1 => shelf.put_aside(unit),
                    _ => shelf.offer(unit, density),
                }
                list.remove(&unit);
                if what > 1 {
                    list.insert(unit, density);
                }
                shelf.mend(&(unit..unit.saturating_add(1)));
                let best = list.iter().map(|(unit, density)| (*density, *unit)).max();
                prop_assert_eq!(shelf.best(), best.map(|(density, unit)| (unit, density)));
            }
        }
    }

    #[test]
    fn states_are_told_apart() {
        let mut shelf = Shelf::of(3);
        assert!(!shelf.is_offered(0) && !shelf.is_chosen(0));
        shelf.offer(0, 0);
        assert!(shelf.is_offered(0) && !shelf.is_chosen(0));
        shelf.choose(1, 5);
        assert_eq!((shelf.step_of(1), shelf.step_of(0), shelf.step_of(9)), (Some(5), None, None));
        assert!(shelf.best().is_none(), "not before it is mended");
        shelf.mend(&(0..3));
        assert_eq!(shelf.best(), Some((0, 0)));
        assert!(Shelf::of(0).best().is_none());
    }
}
