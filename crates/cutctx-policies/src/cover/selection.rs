//! Choosing units by what they are worth for their cost.

mod offer;
mod shelf;

use super::field::{Field, FieldPart, FieldTurn};
use super::lexicon::Lexicon;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;
use cutctx_invariants::Exchanges;
use offer::{Outlay, density};
use shelf::Shelf;

/// What was chosen, in order, and what may still be.
///
/// Lazy greedy: each unit is on offer at what it was worth for its cost when it was last looked at. The best one is looked
/// at again; if it is not that good any more, it goes back. A unit can also become cheaper, when one beside it or of its
/// turn is chosen; then it is looked at at once. Equal offers are taken from the end of the transcript first. What costs
/// more than is left is not on offer, until it becomes cheaper or there is more to spend.
pub(super) struct Selection<'f> {
    field: &'f Field,
    exchanges: &'f Exchanges,
    lexicon: Lexicon,
    shelf: Shelf,
    /// After each step: what is spent, in thousandths of a token.
    spent_after: Vec<u64>,
    spent: u64,
    /// The most that may be spent at the moment, in thousandths of a token.
    limit: u64,
    /// By part, by turn and by exchange: whether something of it stays.
    parts_in: Vec<bool>,
    turns_in: Vec<bool>,
    exchanges_in: Vec<bool>,
    /// By exchange: what its turns cost when none of their units is chosen, in thousandths of a token.
    least: Vec<u64>,
    /// Room for the values of neighbours.
    values: Vec<Option<u64>>,
}

/// After how many units that were too dear all others are looked at for that: at least so many.
const FEW: usize = 64;

impl<'f> Selection<'f> {
    /// What must stay is in; nothing is chosen yet.
    pub(super) fn of(field: &'f Field, exchanges: &'f Exchanges, lexicon: Lexicon) -> Self {
        let mut selection = Self {
            field,
            exchanges,
            lexicon,
            shelf: Shelf::of(field.len()),
            spent_after: Vec::new(),
            spent: 0,
            limit: 0,
            parts_in: alloc::vec![false; field.parts.len()],
            turns_in: alloc::vec![false; field.turns.len()],
            exchanges_in: field.may_go.iter().map(|may_go| !may_go).collect(),
            least: alloc::vec![0; field.may_go.len()],
            values: Vec::new(),
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
        let is_new = |unit| self.shelf.step_of(unit).is_some_and(|step| steps.contains(&step));
        let parts = self.field.parts.iter().filter(|part| part.units().any(is_new));
        let turns = parts.filter_map(|part| self.field.turns.get(part.turn()));
        let mut exchanges: Vec<usize> = turns.map(|turn| turn.exchange).collect();
        exchanges.sort_unstable();
        exchanges.dedup();
        exchanges
    }

    /// Whether a unit was chosen within the first so many steps.
    pub(super) fn has(&self, unit: usize, steps: usize) -> bool {
        self.shelf.step_of(unit).is_some_and(|step| step < steps)
    }

    /// Chooses all talk, the newest first.
    pub(super) fn take_talk(&mut self) {
        let field = self.field;
        for (number, part) in field.parts.iter().enumerate().rev().filter(|(_, part)| part.is_talk()) {
            for unit in self.open_units(part).rev() {
                if !self.shelf.is_chosen(unit) {
                    let outlay = self.outlay(unit, part, number);
                    self.choose(&outlay);
                    self.enter(part, number);
                }
            }
        }
    }

    /// Chooses as long as no more than this is spent, in thousandths of a token.
    pub(super) fn spend(&mut self, limit: u64) {
        let field = self.field;
        self.limit = limit;
        self.offer_all();
        let (mut passed_over, mut many) = (0_usize, FEW);
        while let Some((unit, known)) = self.shelf.best() {
            let number = field.part_number(unit);
            let Some(part) = field.parts.get(number) else { return };
            let outlay = self.outlay(unit, part, number);
            if self.is_too_dear(&outlay) {
                self.shelf.put_aside(unit);
                passed_over = passed_over.saturating_add(1);
            } else {
                let density = density(self.value_of(unit, part, &outlay), outlay.cost);
                if density >= known {
                    self.choose(&outlay);
                    self.offer_cheaper(part, number, &outlay.units);
                    continue;
                }
                self.shelf.offer(unit, density);
            }
            self.shelf.mend(&(unit..unit.saturating_add(1)));
            if passed_over >= many {
                (passed_over, many) = (0, self.put_dear_aside());
            }
        }
    }

    /// Offers every unit that may be chosen and is not too dear.
    fn offer_all(&mut self) {
        let field = self.field;
        for (number, part) in field.parts.iter().enumerate() {
            self.offer_anew(part, number, self.open_units(part));
        }
        self.shelf.mend(&(0..field.len()));
    }

    /// Puts aside all that is too dear by now, which can be done in any order; says after how many more of that kind it is
    /// worth while again.
    fn put_dear_aside(&mut self) -> usize {
        let field = self.field;
        let mut left = 0_usize;
        for (number, part) in field.parts.iter().enumerate() {
            for unit in self.open_units(part) {
                if self.shelf.is_offered(unit) {
                    let is_too_dear = self.is_too_dear(&self.outlay(unit, part, number));
                    if is_too_dear {
                        self.shelf.put_aside(unit);
                    } else {
                        left = left.saturating_add(1);
                    }
                }
            }
        }
        self.shelf.mend(&(0..field.len()));
        FEW.max(left / 8).max(field.len() / 32)
    }

    fn is_too_dear(&self, outlay: &Outlay) -> bool {
        self.spent.saturating_add(outlay.cost) > self.limit
    }

    /// The units of a part that may be chosen, or were.
    fn open_units(&self, part: &FieldPart) -> Range<usize> {
        let is_open = self.field.turns.get(part.turn()).is_some_and(|turn| !turn.is_fixed);
        if is_open { part.units() } else { 0..0 }
    }

    /// Offers some units of a part at what they are worth now, unless they are too dear. The shelf has to be mended then.
    fn offer_anew(&mut self, part: &FieldPart, number: usize, units: Range<usize>) {
        let mut values = mem::take(&mut self.values);
        values.clear();
        let first = units.start.saturating_sub(self.field.context(part));
        for unit in units {
            if self.shelf.is_chosen(unit) {
                continue;
            }
            let outlay = self.outlay(unit, part, number);
            if self.is_too_dear(&outlay) {
                self.shelf.put_aside(unit);
            } else {
                let value = self.value_beside(unit, part, &outlay, (first, &mut values));
                self.shelf.offer(unit, density(value, outlay.cost));
            }
        }
        self.values = values;
    }

    /// Chooses a unit with what it brings along.
    fn choose(&mut self, outlay: &Outlay) {
        let step = self.spent_after.len();
        for brought in outlay.units.clone().chain(outlay.frame.clone()) {
            if !self.shelf.is_chosen(brought) {
                self.shelf.choose(brought, step);
                self.lexicon.show(brought);
            }
        }
        self.spent = self.spent.saturating_add(outlay.cost);
        self.spent_after.push(self.spent);
    }

    /// Offers anew what is cheaper now that some units of a part were chosen.
    fn offer_cheaper(&mut self, part: &FieldPart, number: usize, chosen: &Range<usize>) {
        let field = self.field;
        let parts = match self.enter(part, number) {
            Entered::Exchange(exchange) => {
                for member in self.exchanges.members(exchange) {
                    let parts = field.turns.get(*member).map_or(0..0, |turn| turn.parts.clone());
                    parts.for_each(|part| self.offer_part(part));
                }
                return;
            }
            Entered::Turn => field.turns.get(part.turn()).map_or(0..0, |turn| turn.parts.clone()),
            Entered::Part => number..number.saturating_add(1),
            Entered::Nothing => {
                let reach = self.field.context(part).saturating_mul(2).saturating_add(1);
                let near = chosen.start.saturating_sub(reach).max(part.units().start)
                    ..chosen.end.saturating_add(reach).min(part.units().end);
                self.offer_anew(part, number, near.clone());
                self.shelf.mend(&near);
                return;
            }
        };
        parts.for_each(|part| self.offer_part(part));
    }

    fn offer_part(&mut self, number: usize) {
        let Some(part) = self.field.parts.get(number) else { return };
        let units = self.open_units(part);
        self.offer_anew(part, number, units.clone());
        self.shelf.mend(&units);
    }

    /// Notes that a part, its turn and its exchange are in; says the largest of these that is in for the first time.
    fn enter(&mut self, part: &FieldPart, number: usize) -> Entered {
        let exchange = self.field.turns.get(part.turn()).map_or(usize::MAX, |turn| turn.exchange);
        let is_new = |list: &mut Vec<bool>, place: usize| {
            list.get_mut(place).is_some_and(|is_in| !mem::replace(is_in, true))
        };
        let new_part = is_new(&mut self.parts_in, number);
        let new_turn = is_new(&mut self.turns_in, part.turn());
        if is_new(&mut self.exchanges_in, exchange) {
            Entered::Exchange(exchange)
        } else if new_turn {
            Entered::Turn
        } else if new_part {
            Entered::Part
        } else {
            Entered::Nothing
        }
    }

    /// What all talk that may be chosen would cost, with all that this entails, in thousandths of a token.
    pub(super) fn cost_of_talk(&self) -> u64 {
        let turns = self.field.turns.iter().enumerate().filter(|(_, turn)| !turn.is_fixed);
        let cost = |(_, turn): (usize, &FieldTurn)| {
            let parts = self.field.parts.get(turn.parts.clone()).unwrap_or_default();
            let talk = parts.iter().filter(|part| part.is_talk());
            let costs = talk.flat_map(|part| part.units().map(|unit| self.field.cost(unit, part)));
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

/// What is in for the first time.
enum Entered {
    Exchange(usize),
    Turn,
    Part,
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cover::CoverPolicy;
    use crate::cover::least::Least;
    use crate::masking::Estimator;
    use cutctx_invariants::Survey;
    use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
    use proptest::prelude::*;

    const LINES: [&str; 7] = [
        "ok",
        "read src/main.rs:12 of max_len",
        "error[E0308] in lexer_state",
        "a much longer line about the budgets of the transcripts, which names lexer_state and max_len again",
        "",
        "see https://ex.org/a/b and os.path",
        "4711",
    ];

    fn turns(said: &[(usize, Vec<usize>)]) -> Vec<TranscriptTurn> {
        let roles = [Role::User, Role::Assistant, Role::Tool, Role::Tool];
        let turn = |(number, (role, lines)): (usize, &(usize, Vec<usize>))| {
            let lines = lines.iter().filter_map(|line| LINES.get(*line)).copied();
            let text = lines.collect::<Vec<&str>>().join("\n");
            let tokens = u64::try_from(text.len() / 4).unwrap().saturating_add(1);
            let turn =
                TranscriptTurn::new(number.to_string(), *roles.get(*role).unwrap(), text, tokens).unwrap();
            if *role == 0 { turn } else { turn.with_tool_call_id((number / 4).to_string()) }
        };
        said.iter().enumerate().map(turn).collect()
    }

    /// Chooses the best of all offers, each looked at anew for every step.
    fn spend_slowly(selection: &mut Selection<'_>, limit: u64) {
        let field = selection.field;
        selection.limit = limit;
        loop {
            let mut best = None;
            for (number, part) in field.parts.iter().enumerate() {
                for unit in selection.open_units(part).filter(|unit| !selection.shelf.is_chosen(*unit)) {
                    let outlay = selection.outlay(unit, part, number);
                    let density = density(selection.value_of(unit, part, &outlay), outlay.cost);
                    if !selection.is_too_dear(&outlay) && best <= Some((density, unit)) {
                        best = Some((density, unit));
                    }
                }
            }
            let Some((_, unit)) = best else { return };
            let number = field.part_number(unit);
            let part = field.parts.get(number).unwrap();
            let outlay = selection.outlay(unit, part, number);
            selection.choose(&outlay);
            selection.enter(part, number);
        }
    }

    proptest! {
        #[test]
        fn it_is_the_choice_of_looking_at_all_offers_for_every_step(
            said in proptest::collection::vec((0_usize..4, proptest::collection::vec(0_usize..7, 0..30)), 1..14),
            limits in (0_u64..60, 0_u64..60),
            takes_talk: bool,
        ) {
            let transcript = Transcript::new(turns(&said)).unwrap();
            let budget = CompactionBudget::new(transcript.token_estimate()).with_protected_recent_turns(1);
            let survey = Survey::new(&transcript, &budget).unwrap();
            let estimator = Estimator::Own;
            let least = Least::measured_by(&estimator).unwrap();
            let field = Field::of(&survey, CoverPolicy::new().cutting(), &least, |at| survey.is_untouchable(at));
            let selection = || {
                Selection::of(&field, survey.exchanges(), Lexicon::of(&field, survey.turns()))
            };
            let (mut fast, mut slow) = (selection(), selection());
            if takes_talk {
                fast.take_talk();
                slow.take_talk();
            }
            let share = |percent: u64| transcript.token_estimate().saturating_mul(percent).saturating_mul(10);
            for limit in [share(limits.0), share(limits.0.saturating_add(limits.1))] {
                fast.spend(limit);
                spend_slowly(&mut slow, limit);
                prop_assert_eq!(&fast.spent_after, &slow.spent_after);
                let steps = |selection: &Selection<'_>| {
                    (0..field.len()).map(|unit| selection.shelf.step_of(unit)).collect::<Vec<_>>()
                };
                prop_assert_eq!(steps(&fast), steps(&slow));
            }
        }
    }
}
