//! Budgets that crowd around the floors of a transcript.

use crate::survey::Survey;
use cutctx_types::{CompactionBudget, Transcript};
use proptest::prelude::*;

/// Budgets for a transcript: around its floors and its total, between them, nothing, and everything;
/// with all kinds of protected tails, some with a target, and some that let the tail be clipped.
pub fn budgets_for(transcript: Transcript) -> impl Strategy<Value = CompactionBudget> {
    budget_seeds().prop_map(move |seed| seed.budget(&transcript))
}

/// What a budget is made from, given a transcript.
#[derive(Debug, Clone)]
pub(super) struct BudgetSeed {
    level: Level,
    nudge: i64,
    protected: u64,
    /// The target, in thousandths of the maximum.
    target: Option<u64>,
    clips: bool,
    satisfiable: bool,
}

/// What a maximum is near to.
#[derive(Debug, Clone, Copy)]
enum Level {
    /// This many thousandths of the way from what is never clipped to the untouchable turns.
    Clipped(u64),
    Untouchable,
    Locked,
    /// This many thousandths of the way from the locked floor to the total.
    Between(u64),
    Total,
    Zero,
    Unlimited,
}

pub(super) fn budget_seeds() -> impl Strategy<Value = BudgetSeed> {
    let level = prop_oneof![
        8 => (0_u64..1_000).prop_map(Level::Between),
        2 => Just(Level::Locked),
        2 => Just(Level::Untouchable),
        1 => Just(Level::Total),
        1 => Just(Level::Zero),
        1 => Just(Level::Unlimited),
    ];
    let protected = prop_oneof![4 => Just(0), 6 => 1_u64..6, 1 => Just(u64::MAX)];
    let target = proptest::option::weighted(0.3, 0_u64..=1_000);
    let seed = (level, -1_i64..=1, protected, target, clips());
    seed.prop_map(|(level, nudge, protected, target, clipped)| BudgetSeed {
        level: clipped.flatten().map_or(level, Level::Clipped),
        nudge,
        protected,
        target,
        clips: clipped.is_some(),
        satisfiable: false,
    })
}

/// Whether the tail may be clipped, and how tight the budget then is where it matters.
fn clips() -> impl Strategy<Value = Option<Option<u64>>> {
    proptest::option::weighted(0.2, proptest::option::of(0_u64..1_000))
}

impl BudgetSeed {
    /// The same seed, for budgets that are never below the untouchable turns.
    pub(super) const fn satisfiable(mut self) -> Self {
        self.satisfiable = true;
        self
    }

    pub(super) fn budget(&self, transcript: &Transcript) -> CompactionBudget {
        let of = |max| {
            CompactionBudget::new(max)
                .with_protected_recent_turns(self.protected)
                .with_clip_active(self.clips)
        };
        let unlimited = of(u64::MAX);
        let Ok(survey) = Survey::new(transcript, &unlimited) else { return unlimited };
        let least = if self.satisfiable { unclipped(&survey) } else { 0 };
        let max = self.near(&survey).saturating_add_signed(self.nudge).max(least);
        let budget = of(max);
        let target = self.target.map(|thousandths| share(max, thousandths));
        target.and_then(|target| budget.with_target(target).ok()).unwrap_or(budget)
    }

    fn near(&self, survey: &Survey<'_>) -> u64 {
        let (locked, total) = (survey.floor().total(), survey.transcript().token_estimate());
        match self.level {
            Level::Clipped(part) => {
                let unclipped = unclipped(survey);
                let tail = survey.floor().untouchable().saturating_sub(unclipped);
                unclipped.saturating_add(share(tail, part))
            }
            Level::Untouchable => survey.floor().untouchable(),
            Level::Locked => locked,
            Level::Between(part) => locked.saturating_add(share(total.saturating_sub(locked), part)),
            Level::Total => total,
            Level::Zero => 0,
            Level::Unlimited => u64::MAX,
        }
    }
}

/// What can be neither removed nor clipped, in tokens.
fn unclipped(survey: &Survey<'_>) -> u64 {
    survey.floor().untouchable().saturating_sub(survey.clippable_costs().total())
}

/// So many thousandths of a number.
fn share(of: u64, thousandths: u64) -> u64 {
    let share = u128::from(of).saturating_mul(u128::from(thousandths)).checked_div(1_000);
    share.and_then(|share| u64::try_from(share).ok()).unwrap_or(of)
}
