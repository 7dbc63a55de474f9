//! Who names what, and what is visible already.

use super::field::{Field, FieldPart, Unit};
use super::names::each_name;
use super::worth::of_name;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::TranscriptTurn;

/// The names of all units, with what each unit's names are still worth.
///
/// When a name becomes visible, its worth is taken from every unit that has it. Each pair of a name and a unit is
/// looked at once for that, so that all choices together cost as much as reading the text.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// By unit: what those of its names are worth together that are not visible yet, in fixed point.
    worths: Vec<u64>,
    /// By name: what it is worth; nothing once it is visible.
    values: Vec<u64>,
    /// The units by name, for names that several units have.
    units: Lists,
    /// The names by unit, for names that several units have.
    names: Lists,
}

/// A name in a unit.
#[derive(Debug, Clone, Copy)]
struct Sighting {
    hash: u64,
    unit: u32,
    is_plain: bool,
}

impl Lexicon {
    /// Reads the units; `recency` says by position how recent a turn is.
    pub(super) fn of(field: &Field, turns: &[TranscriptTurn], recency: &[u64]) -> Self {
        let sightings = sightings(field, turns);
        let mut lexicon = Self { worths: alloc::vec![0; field.units.len()], ..Self::default() };
        let mut shared: Vec<(u32, u32)> = Vec::new();
        for same in sightings.chunk_by(|left, right| left.hash == right.hash) {
            let value = value_of(same, field, recency);
            let number = u32::try_from(lexicon.values.len()).unwrap_or(u32::MAX);
            for sighting in same {
                lexicon.add(sighting.unit, value);
                if same.len() > 1 {
                    shared.push((number, sighting.unit));
                }
            }
            if same.len() > 1 {
                lexicon.values.push(value);
            }
        }
        lexicon.names = Lists::of(field.units.len(), shared.iter().map(|(name, unit)| (*unit, *name)));
        lexicon.units = Lists::of(lexicon.values.len(), shared.iter().copied());
        lexicon
    }

    /// What the names of a unit that are not visible yet are worth together.
    pub(super) fn worth(&self, unit: usize) -> u64 {
        self.worths.get(unit).copied().unwrap_or(0)
    }

    /// Makes the names of a unit visible.
    pub(super) fn show(&mut self, unit: usize) {
        for name in self.names.range(unit) {
            let Some(name) = self.names.items.get(name).and_then(|name| usize::try_from(*name).ok()) else {
                continue;
            };
            let Some(value @ 1..) = self.values.get_mut(name).map(core::mem::take) else { continue };
            for other in self.units.range(name) {
                let other = self.units.items.get(other).and_then(|unit| usize::try_from(*unit).ok());
                if let Some(worth) = other.and_then(|other| self.worths.get_mut(other)) {
                    *worth = worth.saturating_sub(value);
                }
            }
        }
    }

    fn add(&mut self, unit: u32, value: u64) {
        let unit = usize::try_from(unit).unwrap_or(usize::MAX);
        if let Some(worth) = self.worths.get_mut(unit) {
            *worth = worth.saturating_add(value);
        }
    }
}

/// All names of all units, those of one spelling together and in order of units, each once a unit.
fn sightings(field: &Field, turns: &[TranscriptTurn]) -> Vec<Sighting> {
    let mut sightings: Vec<Sighting> = Vec::new();
    for (number, unit) in (0_u32..).zip(&field.units) {
        let part = field.parts.get(unit.part);
        let text = part.and_then(|part| text_of(part, unit, turns)).unwrap_or_default();
        each_name(text, |name| {
            sightings.push(Sighting { hash: name.hash, unit: number, is_plain: name.is_plain });
        });
    }
    // Of equal sightings those that are more than a plain word come first, and stay.
    sightings.sort_unstable_by_key(|sighting| (sighting.hash, sighting.unit, sighting.is_plain));
    sightings.dedup_by_key(|sighting| (sighting.hash, sighting.unit));
    sightings
}

fn text_of<'t>(part: &FieldPart, unit: &Unit, turns: &'t [TranscriptTurn]) -> Option<&'t str> {
    turns.get(part.turn)?.content().get(unit.range.clone())
}

/// What a name is worth, by all its sightings.
fn value_of(same: &[Sighting], field: &Field, recency: &[u64]) -> u64 {
    let part = |sighting: &Sighting| field.part_of(usize::try_from(sighting.unit).unwrap_or(usize::MAX));
    let last = same.last().and_then(part).and_then(|part| recency.get(part.turn)).copied().unwrap_or(0);
    let mut counted = None;
    let mut turns = 0_u64;
    for part in same.iter().filter_map(part).filter(|part| part.names_count) {
        if counted.replace(part.turn) != Some(part.turn) {
            turns = turns.saturating_add(1);
        }
    }
    of_name(last, turns, same.iter().all(|sighting| sighting.is_plain))
}

/// Lists of numbers, one behind the other.
#[derive(Debug, Default)]
struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    /// So many lists of the second numbers of some pairs, by their first ones.
    fn of(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let mut starts = alloc::vec![0_usize; count.saturating_add(1)];
        for (list, _) in pairs.clone() {
            if let Some(size) = starts.get_mut(index(list).saturating_add(1)) {
                *size = size.saturating_add(1);
            }
        }
        let mut sum = 0_usize;
        for start in &mut starts {
            sum = sum.saturating_add(*start);
            *start = sum;
        }
        let mut next = starts.clone();
        let mut items = alloc::vec![0; sum];
        for (list, item) in pairs {
            let Some(slot) = next.get_mut(index(list)) else { continue };
            if let Some(place) = items.get_mut(*slot) {
                *place = item;
            }
            *slot = slot.saturating_add(1);
        }
        Self { starts, items }
    }

    /// Where a list stands.
    fn range(&self, list: usize) -> Range<usize> {
        let bounds = self.starts.get(list).zip(self.starts.get(list.saturating_add(1)));
        bounds.map_or(0..0, |(start, end)| *start..*end)
    }
}
