//! Numbers for names, and what is known of each.

use crate::cover::names::Name;
use crate::cover::worth::of_name;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// How many slots are looked at for a name. Hashes that would need more, as only someone thinks them up who means harm, are
/// kept in a tree.
const REACH: usize = 32;

/// The fewest slots, as a power of two.
const LEAST_BITS: u32 = 10;

/// All names met so far: a table of slots by hash, never more than half full.
#[derive(Debug, Default)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// The number of an entry and one, or nothing.
    slots: Vec<u32>,
    /// The numbers of entries for which there was no slot in reach.
    crowded: BTreeMap<u64, u32>,
}

/// A name, as far as it was met.
#[derive(Debug)]
struct Entry {
    hash: u64,
    /// The unit that it was last met in.
    unit: u32,
    /// The turns that count as naming it.
    naming: Turns,
    /// The turns that show it.
    showing: Turns,
    /// Whether it was a plain word wherever it was met.
    is_plain: bool,
}

/// How many turns there were, and which was the last one.
#[derive(Debug, Default)]
struct Turns {
    count: u32,
    last: u32,
}

impl Turns {
    /// Counts a turn, unless it was the last one.
    fn note(&mut self, turn: u32) {
        if self.count == 0 || self.last != turn {
            (self.last, self.count) = (turn, self.count.saturating_add(1));
        }
    }
}

/// Where a name is met.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) unit: u32,
    pub(super) turn: u32,
    /// Whether the turn counts as naming it, or else as showing it.
    pub(super) is_naming: bool,
}

impl Index {
    /// Notes where a name was met; gives its number when it is the first time in this unit. Units come in order.
    pub(super) fn note(&mut self, name: Name, place: Place) -> Option<u32> {
        let number = self.number_of(name.hash)?;
        let entry = self.entries.get_mut(usize::try_from(number).ok()?)?;
        entry.is_plain &= name.is_plain;
        if entry.unit == place.unit {
            return None;
        }
        entry.unit = place.unit;
        let turns = if place.is_naming { &mut entry.naming } else { &mut entry.showing };
        turns.note(place.turn);
        Some(number)
    }

    /// What each name is worth.
    pub(super) fn values(self) -> Vec<u32> {
        let value = |entry: Entry| {
            let worth = of_name(entry.naming.count.into(), entry.showing.count.into(), entry.is_plain);
            u32::try_from(worth).unwrap_or(u32::MAX)
        };
        self.entries.into_iter().map(value).collect()
    }

    /// The number of a name, a new one if it has none; `None` once numbers are used up.
    fn number_of(&mut self, hash: u64) -> Option<u32> {
        if self.entries.len().saturating_mul(2) >= self.slots.len() {
            self.grow();
        }
        match self.find(hash) {
            Found::Number(number) => Some(number),
            Found::Slot(slot) => {
                let number = self.add(hash)?;
                self.fill(slot, number);
                Some(number)
            }
            Found::Crowded => {
                let number = self.add(hash)?;
                self.crowded.insert(hash, number);
                Some(number)
            }
        }
    }

    /// Looks for a name from the slot on that its hash names.
    fn find(&self, hash: u64) -> Found {
        let home = self.home(hash);
        for slot in home..home.saturating_add(REACH) {
            let Some(taken) = self.slots.get(slot) else { break };
            let Some(number) = taken.checked_sub(1) else { return Found::Slot(slot) };
            let entry = usize::try_from(number).ok().and_then(|number| self.entries.get(number));
            if entry.is_some_and(|entry| entry.hash == hash) {
                return Found::Number(number);
            }
        }
        self.crowded.get(&hash).map_or(Found::Crowded, |number| Found::Number(*number))
    }

    /// The slot that a hash names: its upper bits.
    fn home(&self, hash: u64) -> usize {
        let bits = self.slots.len().trailing_zeros();
        usize::try_from(hash >> 64_u32.saturating_sub(bits).min(63)).unwrap_or(0)
    }

    fn add(&mut self, hash: u64) -> Option<u32> {
        let number = u32::try_from(self.entries.len()).ok().filter(|number| *number < u32::MAX)?;
        let (naming, showing) = (Turns::default(), Turns::default());
        self.entries.push(Entry { hash, unit: u32::MAX, naming, showing, is_plain: true });
        Some(number)
    }

    fn fill(&mut self, slot: usize, number: u32) {
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = number.saturating_add(1);
        }
    }

    /// Doubles the slots.
    fn grow(&mut self) {
        let bits = self.slots.len().max(1).trailing_zeros().saturating_add(1).max(LEAST_BITS);
        self.slots.clear();
        self.slots.resize(1_usize.checked_shl(bits).unwrap_or(usize::MAX), 0);
        self.crowded.clear();
        for number in 0..self.entries.len() {
            let Some(hash) = self.entries.get(number).map(|entry| entry.hash) else { continue };
            let Ok(number) = u32::try_from(number) else { continue };
            match self.find(hash) {
                Found::Slot(slot) => self.fill(slot, number),
                Found::Number(_) | Found::Crowded => {
                    self.crowded.insert(hash, number);
                }
            }
        }
    }
}

/// What a search came upon.
enum Found {
    /// The name has this number.
    Number(u32),
    /// The name is new, and would be found in this slot.
    Slot(usize),
    /// There is no slot for it in reach.
    Crowded,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(hash: u64) -> Name {
        Name { hash, is_plain: false }
    }

    fn at(unit: u32, turn: u32) -> Place {
        Place { unit, turn, is_naming: true }
    }

    #[test]
    fn a_name_has_one_number_and_is_told_once_a_unit() {
        let mut index = Index::default();
        assert_eq!(index.note(name(7), at(0, 0)), Some(0));
        assert_eq!(index.note(name(7), at(0, 0)), None);
        assert_eq!(index.note(name(8), at(0, 0)), Some(1));
        assert_eq!(index.note(name(7), at(1, 0)), Some(0));
    }

    #[test]
    fn hashes_that_crowd_are_told_apart_all_the_same() {
        let mut index = Index::default();
        for round in 0..2 {
            for hash in 0..5_000 {
                assert_eq!(index.note(name(hash), at(round, round)), u32::try_from(hash).ok());
            }
        }
        assert!(index.crowded.len() > 4_000);
    }

    #[test]
    fn scattered_hashes_find_their_slots() {
        let mut index = Index::default();
        for hash in 0..50_000_u64 {
            index.note(name(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)), at(0, 0));
        }
        assert!(index.crowded.len() < 50, "{}", index.crowded.len());
    }

    #[test]
    fn the_worth_of_a_name_follows_from_all_places() {
        let mut index = Index::default();
        for (unit, turn) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3)] {
            index.note(name(7), Place { unit, turn, is_naming: turn < 2 });
        }
        let expected = of_name(2, 2, false);
        assert_eq!(index.values(), [u32::try_from(expected).unwrap()]);
    }
}
