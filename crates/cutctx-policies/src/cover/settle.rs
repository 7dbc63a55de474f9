//! From what was chosen to what becomes of each turn, within the goal.

use super::field::milli;
use super::selection::Selection;
use super::verdicts::{Verdict, Verdicts};
use alloc::vec::Vec;
use cutctx_types::{Action, InvalidValue};

/// How often what is left over is spent, and how often the choice is cut back by what it is too much.
const ROUNDS: usize = 6;

/// What becomes of each turn that does not stay as it is. Costs are told exactly only now: what is left over is spent,
/// and what is too much is given back, the last choice first.
pub(super) fn within(
    goal: u64,
    selection: Selection<'_>,
    verdicts: &Verdicts<'_, '_>,
) -> Result<Vec<(usize, Action)>, InvalidValue> {
    let mut settlement = Settlement::of(selection, verdicts)?;
    settlement.spend_rest(goal)?;
    settlement.give_back(goal)?;
    let actions = settlement.verdicts.into_iter().map(|(action, _)| action).enumerate();
    Ok(actions.filter(|(_, action)| *action != Action::Keep).collect())
}

/// What becomes of each turn after some of the steps of a selection.
struct Settlement<'s, 'f, 't> {
    selection: Selection<'f>,
    judge: &'s Verdicts<'s, 't>,
    verdicts: Vec<Verdict>,
    /// How many steps are taken.
    steps: usize,
    /// What all turns then cost, in tokens.
    total: u64,
}

impl<'s, 'f, 't> Settlement<'s, 'f, 't> {
    fn of(selection: Selection<'f>, judge: &'s Verdicts<'s, 't>) -> Result<Self, InvalidValue> {
        let turns = judge.survey.turns();
        let verdicts = turns.iter().map(|turn| (Action::Keep, turn.token_estimate())).collect();
        let (steps, total) = (selection.len(), judge.survey.transcript().token_estimate());
        let mut settlement = Self { selection, judge, verdicts, steps, total };
        let all: Vec<usize> = (0..judge.survey.exchanges().len()).collect();
        settlement.judge(&all)?;
        Ok(settlement)
    }

    /// Judges some exchanges anew.
    fn judge(&mut self, exchanges: &[usize]) -> Result<(), InvalidValue> {
        for exchange in exchanges {
            let members = self.judge.survey.exchanges().members(*exchange);
            for (position, verdict) in self.judge.of_exchange(members, &self.selection, self.steps)? {
                let Some(slot) = self.verdicts.get_mut(position) else { continue };
                self.total = self.total.saturating_sub(slot.1).saturating_add(verdict.1);
                *slot = verdict;
            }
        }
        Ok(())
    }

    /// Goes on choosing where costs were overestimated.
    fn spend_rest(&mut self, goal: u64) -> Result<(), InvalidValue> {
        let mut limit = milli(goal);
        for _ in 0..ROUNDS {
            let rest = goal.saturating_sub(self.total);
            if rest <= goal / 100 {
                break;
            }
            limit = limit.saturating_add(milli(rest));
            let before = self.steps;
            self.selection.spend(limit);
            self.steps = self.selection.len();
            if self.steps == before {
                break;
            }
            let exchanges = self.selection.exchanges_of(&(before..self.steps));
            self.judge(&exchanges)?;
        }
        Ok(())
    }

    /// Takes back the last steps until what is left fits.
    fn give_back(&mut self, goal: u64) -> Result<(), InvalidValue> {
        let mut rounds = 0_usize;
        while self.total > goal && self.steps > 0 {
            let fewer = if rounds < ROUNDS {
                self.selection.steps_saving(self.steps, milli(self.total.saturating_sub(goal)))
            } else {
                self.steps / 2
            };
            let exchanges = self.selection.exchanges_of(&(fewer..self.steps));
            self.steps = fewer;
            self.judge(&exchanges)?;
            rounds = rounds.saturating_add(1);
        }
        Ok(())
    }
}
