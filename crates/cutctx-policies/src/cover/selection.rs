//! Choosing units by what they are worth for their cost.

mod offer;

use super::field::{Field, FieldTurn};
use super::lexicon::Lexicon;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::Exchanges;
use offer::Offer;

/// What was chosen, in order, and what may still be.
///
/// Lazy greedy: the heap holds each unit at what it was worth for its cost when it was last looked at. The best one is
/// looked at again; if it is not that good any more, it goes back. A unit can also become cheaper, when one beside it or
/// of its turn is chosen; then it is looked at at once. Equal offers are taken from the end of the transcript first.
pub(super) struct Selection<'f> {
    field: &'f Field,
    exchanges: &'f Exchanges,
    lexicon: Lexicon,
    heap: BinaryHeap<(u64, usize)>,
    /// Units that were too dear for what was left.
    passed_over: Vec<usize>,
    /// By unit: the number of the step that chose it.
    steps: Vec<u32>,
    /// After each step: what is spent, in thousandths of a token.
    spent_after: Vec<u64>,
    spent: u64,
    /// By part, by turn and by exchange: whether something of it stays.
    parts_in: Vec<bool>,
    turns_in: Vec<bool>,
    exchanges_in: Vec<bool>,
    /// By exchange: what its turns cost when none of their units is chosen, in thousandths of a token.
    least: Vec<u64>,
}

/// The step of a unit that was not chosen.
const NOT_CHOSEN: u32 = u32::MAX;

impl<'f> Selection<'f> {
    /// What must stay is in; nothing is chosen yet.
    pub(super) fn of(field: &'f Field, exchanges: &'f Exchanges, lexicon: Lexicon) -> Self {
        let mut selection = Self {
            field,
            exchanges,
            lexicon,
            heap: BinaryHeap::new(),
            passed_over: Vec::new(),
            steps: alloc::vec![NOT_CHOSEN; field.units.len()],
            spent_after: Vec::new(),
            spent: 0,
            parts_in: alloc::vec![false; field.parts.len()],
            turns_in: alloc::vec![false; field.turns.len()],
            exchanges_in: field.may_go.iter().map(|may_go| !may_go).collect(),
            least: alloc::vec![0; field.may_go.len()],
        };
        selection.count_what_stays();
        selection
    }

    fn count_what_stays(&mut self) {
        for (position, turn) in self.field.turns.iter().enumerate() {
            if let Some(least) = self.least.get_mut(turn.exchange) {
                *least = least.saturating_add(turn.least);
            }
            if turn.is_fixed || self.exchanges_in.get(turn.exchange).copied().unwrap_or(false) {
                self.spent = self.spent.saturating_add(turn.least);
            }
            if turn.is_fixed {
                self.field.units_of(position).for_each(|unit| self.lexicon.show(unit));
            }
        }
    }

    /// How many steps there were.
    pub(super) fn len(&self) -> usize {
        self.spent_after.len()
    }

    /// With how many of the first so many steps `saved` less is spent, in thousandths of a token; fewer than all.
    pub(super) fn steps_saving(&self, steps: usize, saved: u64) -> usize {
        let Some(before) = steps.checked_sub(1) else { return 0 };
        let limit = self.spent_after.get(before).map_or(0, |spent| spent.saturating_sub(saved));
        self.spent_after.partition_point(|spent| *spent <= limit).min(before)
    }

    /// The exchanges of which something was chosen in these steps, in order.
    pub(super) fn exchanges_of(&self, steps: &Range<usize>) -> Vec<usize> {
        let chosen = (0..self.field.units.len()).filter(|unit| {
            let step = self.steps.get(*unit).and_then(|step| usize::try_from(*step).ok());
            step.is_some_and(|step| steps.contains(&step))
        });
        let turn = |unit| self.field.part_of(unit).and_then(|part| self.field.turns.get(part.turn));
        let mut exchanges: Vec<usize> = chosen.filter_map(turn).map(|turn| turn.exchange).collect();
        exchanges.sort_unstable();
        exchanges.dedup();
        exchanges
    }

    /// Whether a unit was chosen within the first so many steps.
    pub(super) fn has(&self, unit: usize, steps: usize) -> bool {
        self.steps.get(unit).and_then(|step| usize::try_from(*step).ok()).is_some_and(|step| step < steps)
    }

    /// Chooses all talk, the newest first.
    pub(super) fn take_talk(&mut self) {
        for unit in (0..self.field.units.len()).rev() {
            let is_talk = self.field.part_of(unit).is_some_and(|part| part.is_talk);
            if is_talk && self.may_choose(unit) {
                self.choose(unit, &self.offer(unit));
            }
        }
    }

    /// Offers every unit that may be chosen.
    pub(super) fn open(&mut self) {
        let units = 0..self.field.units.len();
        let offers =
            units.filter(|unit| self.may_choose(*unit)).map(|unit| (self.offer(unit).density(), unit));
        self.heap = offers.collect::<Vec<_>>().into();
    }

    /// Chooses as long as no more than this is spent, in thousandths of a token.
    pub(super) fn spend(&mut self, limit: u64) {
        let again: Vec<usize> = core::mem::take(&mut self.passed_over);
        for unit in again {
            self.look_at(unit);
        }
        while let Some((density, unit)) = self.heap.pop() {
            if !self.may_choose(unit) {
                continue;
            }
            let offer = self.offer(unit);
            if offer.density() < density {
                self.heap.push((offer.density(), unit));
            } else if self.spent.saturating_add(offer.cost) > limit {
                self.passed_over.push(unit);
            } else {
                self.choose(unit, &offer);
            }
        }
    }

    fn look_at(&mut self, unit: usize) {
        if self.may_choose(unit) {
            self.heap.push((self.offer(unit).density(), unit));
        }
    }

    fn may_choose(&self, unit: usize) -> bool {
        let is_free = self.steps.get(unit).is_some_and(|step| *step == NOT_CHOSEN);
        let turn = self.field.part_of(unit).and_then(|part| self.field.turns.get(part.turn));
        is_free && turn.is_some_and(|turn| !turn.is_fixed)
    }

    fn is_in(&self, unit: usize) -> bool {
        self.steps.get(unit).is_some_and(|step| *step != NOT_CHOSEN)
    }

    /// Chooses a unit with what it brings along.
    fn choose(&mut self, unit: usize, offer: &Offer) {
        let step = u32::try_from(self.spent_after.len()).unwrap_or(NOT_CHOSEN.saturating_sub(1));
        for brought in offer.units.clone().chain(offer.frame.clone()) {
            if let Some(slot) = self.steps.get_mut(brought).filter(|slot| **slot == NOT_CHOSEN) {
                *slot = step;
                self.lexicon.show(brought);
            }
        }
        self.spent = self.spent.saturating_add(offer.cost);
        self.spent_after.push(self.spent);
        for cheaper in self.note_inside(unit, &offer.units) {
            self.look_at(cheaper);
        }
    }

    /// Notes that part, turn and exchange of a unit are in; gives the units that are cheaper by that.
    fn note_inside(&mut self, unit: usize, chosen: &Range<usize>) -> Vec<usize> {
        let Some(part) = self.field.part_of(unit) else { return Vec::new() };
        let number = self.field.units.get(unit).map_or(usize::MAX, |unit| unit.part);
        let turn = part.turn;
        let exchange = self.field.turns.get(turn).map_or(usize::MAX, |turn| turn.exchange);
        let is_new = |list: &mut Vec<bool>, place: usize| {
            list.get_mut(place).is_some_and(|is_in| !core::mem::replace(is_in, true))
        };
        let new_part = is_new(&mut self.parts_in, number);
        let new_turn = is_new(&mut self.turns_in, turn);
        if is_new(&mut self.exchanges_in, exchange) {
            let members = self.exchanges.members(exchange);
            return members.iter().flat_map(|member| self.field.units_of(*member)).collect();
        }
        if new_turn {
            return self.field.units_of(turn).collect();
        }
        if new_part {
            return part.units.clone().collect();
        }
        let reach = part.context.saturating_mul(2).saturating_add(1);
        let near = chosen.start.saturating_sub(reach)..chosen.end.saturating_add(reach);
        (near.start.max(part.units.start)..near.end.min(part.units.end)).collect()
    }

    /// What all talk that may be chosen would cost, with all that this entails, in thousandths of a token.
    pub(super) fn cost_of_talk(&self) -> u64 {
        let turns = self.field.turns.iter().enumerate().filter(|(_, turn)| !turn.is_fixed);
        let cost = |(position, turn): (usize, &FieldTurn)| {
            let units = self.field.units_of(position);
            let talk = units.filter(|unit| self.field.part_of(*unit).is_some_and(|part| part.is_talk));
            let costs = talk.filter_map(|unit| self.field.units.get(unit)).map(|unit| unit.cost);
            costs.reduce(u64::saturating_add).map_or(turn.least, |talk| talk.saturating_add(turn.framing))
        };
        turns.map(cost).fold(0, u64::saturating_add)
    }

    /// What the turns that stay as they are cost, in thousandths of a token.
    pub(super) fn cost_of_fixed(&self) -> u64 {
        let fixed = self.field.turns.iter().filter(|turn| turn.is_fixed).map(|turn| turn.least);
        fixed.fold(0, u64::saturating_add)
    }
}
