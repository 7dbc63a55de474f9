//! What is evaluated, and how.

use crate::share::Share;
use crate::split::Split;

/// Where sessions are cut, how much may be kept, and which sessions are too short.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvalOptions {
    /// Where each session is cut: shares of its turns.
    pub cuts: Vec<Share>,
    /// How much may be kept: shares of the tokens before the cut.
    pub budgets: Vec<Share>,
    /// How many turns before the cut are protected.
    pub protected_turns: u64,
    /// Sessions with fewer tool calls are left out.
    pub min_calls: usize,
    /// The part of the projects that is evaluated.
    pub split: Split,
}

impl Default for EvalOptions {
    /// Cuts at 40, 60 and 80 per cent, budgets of 20, 35 and 50, four protected turns, thirty calls or more, all
    /// projects.
    fn default() -> Self {
        Self {
            cuts: [40, 60, 80].map(Share::percent).to_vec(),
            budgets: [20, 35, 50].map(Share::percent).to_vec(),
            protected_turns: 4,
            min_calls: 30,
            split: Split::All,
        }
    }
}

impl EvalOptions {
    /// The options with these budgets.
    #[must_use]
    pub fn with_budgets(mut self, budgets: Vec<Share>) -> Self {
        self.budgets = budgets;
        self
    }

    /// The options with these cuts.
    #[must_use]
    pub fn with_cuts(mut self, cuts: Vec<Share>) -> Self {
        self.cuts = cuts;
        self
    }

    /// The options with so many protected turns.
    #[must_use]
    pub const fn with_protected_turns(mut self, turns: u64) -> Self {
        self.protected_turns = turns;
        self
    }

    /// The options with so many calls that a session must have.
    #[must_use]
    pub const fn with_min_calls(mut self, calls: usize) -> Self {
        self.min_calls = calls;
        self
    }

    /// The options with this part of the projects.
    #[must_use]
    pub const fn with_split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }
}
