//! What a hundred runs come to.

use super::run::{Ending, Run};
use std::fmt;

/// The figures of all runs at one budget.
pub(crate) struct Tally {
    budget: u64,
    pub(crate) runs: usize,
    pub(crate) over_at_the_end: usize,
    pub(crate) crashed: usize,
    pub(crate) floor_did_not_fit: usize,
    pub(crate) ever_over: usize,
    pub(crate) with_growth: usize,
    median_first_failure: Option<u64>,
    median_compactions: Option<u64>,
    median_view: Option<u64>,
    median_summaries: Option<u64>,
}

impl Tally {
    pub(crate) const HEADER: &str = "budget  runs  over at end  crashed  floor unfit  ever over  grew  \
                                     first failure  compactions  last view  its summaries";

    pub(crate) fn of(budget: u64, runs: &[Run]) -> Self {
        let count = |holds: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| holds(run)).count();
        let crashed = |run: &Run| matches!(run.ending, Ending::Crashed { .. });
        Self {
            budget,
            runs: runs.len(),
            over_at_the_end: count(&|run| run.ending == Ending::Finished && run.over_at_the_end),
            crashed: count(&crashed),
            floor_did_not_fit: count(&|run| matches!(run.ending, Ending::FloorDidNotFit { .. })),
            ever_over: count(&|run| !crashed(run) && run.first_failure.is_some()),
            with_growth: count(&|run| run.rounds_that_grew > 0),
            median_first_failure: median(runs.iter().filter_map(|run| run.first_failure)),
            median_compactions: median(runs.iter().map(|run| run.compactions)),
            median_view: median(runs.iter().map(|run| run.last_view)),
            median_summaries: median(runs.iter().map(|run| run.last_summaries)),
        }
    }
}

fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        write!(
            f,
            "{:6}  {:4}  {:11}  {:7}  {:11}  {:9}  {:4}  {:>13}  {:>11}  {:>9}  {:>13}",
            self.budget,
            self.runs,
            self.over_at_the_end,
            self.crashed,
            self.floor_did_not_fit,
            self.ever_over,
            self.with_growth,
            or_none(self.median_first_failure),
            or_none(self.median_compactions),
            or_none(self.median_view),
            or_none(self.median_summaries),
        )
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
