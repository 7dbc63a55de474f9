//! Which line gets how much room.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::entry::{DETAILS, Detail, Entry, Sort, left_out_line};

/// The order in which lines lose detail: each time those of one sort, the oldest first, from one step to the next.
const LOSSES: [(Sort, Detail); 12] = [
    (Sort::Given, 0),
    (Sort::Given, 1),
    (Sort::Said, 0),
    (Sort::Called, 0),
    (Sort::Given, 2),
    (Sort::Asked, 0),
    (Sort::Said, 1),
    (Sort::Called, 1),
    (Sort::Called, 2),
    (Sort::Said, 2),
    (Sort::Asked, 1),
    (Sort::Asked, 2),
];

/// What each line costs at each step of detail, and which step it is at.
pub(super) struct Ledger<'a> {
    entries: &'a [Entry],
    /// What an earlier summary left out.
    left_out: usize,
    tokens: &'a dyn Fn(&str) -> u64,
    details: Vec<Detail>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(entries: &'a [Entry], left_out: usize, tokens: &'a dyn Fn(&str) -> u64) -> Self {
        Self { entries, left_out, tokens, details: vec![0; entries.len()] }
    }

    /// The summary that takes at most so many tokens.
    pub(super) fn within(mut self, budget: u64) -> String {
        self.lose_detail(budget);
        let mut first = 0_usize;
        let mut step = 1_usize;
        loop {
            let summary = self.written(first);
            if (self.tokens)(&summary) <= budget {
                return summary;
            }
            if first >= self.entries.len() {
                return String::from("…");
            }
            // The parts took less than the whole: some of the oldest must go as well.
            first = first.saturating_add(step);
            step = step.saturating_mul(2);
        }
    }

    fn lose_detail(&mut self, budget: u64) {
        let header = (self.tokens)(&left_out_line(self.left_out.saturating_add(self.entries.len())));
        let budget = budget.saturating_sub(header.saturating_add(1));
        let mut costs: Vec<u64> = (0..self.entries.len()).map(|at| self.cost(at)).collect();
        let mut total = costs.iter().fold(0, |sum: u64, cost| sum.saturating_add(*cost));
        for (sort, from) in LOSSES {
            for (at, entry) in self.entries.iter().enumerate() {
                if total <= budget {
                    return;
                }
                if entry.sort != sort || self.details.get(at) != Some(&from) {
                    continue;
                }
                if let Some(detail) = self.details.get_mut(at) {
                    *detail = from.saturating_add(1);
                }
                let cost = self.cost(at);
                if let Some(known) = costs.get_mut(at) {
                    total = total.saturating_sub(*known).saturating_add(cost);
                    *known = cost;
                }
            }
        }
    }

    fn shown(&self, at: usize) -> Cow<'_, str> {
        let detail = self.details.get(at).copied().unwrap_or(DETAILS);
        self.entries.get(at).map_or(Cow::Borrowed(""), |entry| entry.shown(detail))
    }

    /// Tokens of a line with its end.
    fn cost(&self, at: usize) -> u64 {
        let line = self.shown(at);
        if line.is_empty() { 0 } else { (self.tokens)(&line).saturating_add(1) }
    }

    /// The lines from this one on, behind the number of those left out.
    fn written(&self, first: usize) -> String {
        let lines: Vec<Cow<'_, str>> =
            (first..self.entries.len()).map(|at| self.shown(at)).filter(|line| !line.is_empty()).collect();
        let missing = self.entries.len().saturating_sub(lines.len()).saturating_add(self.left_out);
        let mut text = if missing > 0 { left_out_line(missing) } else { String::new() };
        for line in lines {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
        }
        if text.is_empty() { String::from("…") } else { text }
    }
}
