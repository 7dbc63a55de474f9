//! How sessions are replayed.

use crate::share::Share;
use crate::split::Split;
use cutctx::{CachePrices, CompactionBudget, InvalidValue};

/// A number of tokens, or a share of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a limit is one of the two")]
pub enum Limit {
    /// So many tokens.
    Tokens(u64),
    /// This share of the whole.
    Share(Share),
}

impl Limit {
    /// The limit in tokens, where the whole has so many.
    #[must_use]
    pub fn of(self, whole: u64) -> u64 {
        match self {
            Self::Tokens(tokens) => tokens,
            Self::Share(share) => share.of_these(whole),
        }
    }
}

/// Where the limit is, how far down a compaction goes, and what tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayOptions {
    /// The limit of the context; a share is one of the session.
    pub limit: Limit,
    /// How far down a compaction goes; a share is one of the limit.
    pub target: Limit,
    /// What tokens cost.
    pub prices: CachePrices,
    /// How many turns at the end are protected.
    pub protected_turns: u64,
    /// The share of the target, in thousandths, that two of three compactions leave alone at the beginning.
    pub frozen_head: Option<u64>,
    /// Sessions with fewer tool calls are left out.
    pub min_calls: usize,
    /// The part of the projects that is replayed.
    pub split: Split,
}

impl Default for ReplayOptions {
    /// Half of the session, down to half of that; four protected turns; the prices of [`CachePrices::ANTHROPIC`]; all
    /// sessions.
    fn default() -> Self {
        Self {
            limit: Limit::Share(Share::percent(50)),
            target: Limit::Share(Share::percent(50)),
            prices: CachePrices::ANTHROPIC,
            protected_turns: 4,
            frozen_head: None,
            min_calls: 0,
            split: Split::All,
        }
    }
}

impl ReplayOptions {
    /// The options with this limit.
    #[must_use]
    pub const fn with_limit(mut self, limit: Limit) -> Self {
        self.limit = limit;
        self
    }

    /// The options with this target.
    #[must_use]
    pub const fn with_target(mut self, target: Limit) -> Self {
        self.target = target;
        self
    }

    /// The options with these prices.
    #[must_use]
    pub const fn with_prices(mut self, prices: CachePrices) -> Self {
        self.prices = prices;
        self
    }

    /// The options with so many protected turns.
    #[must_use]
    pub const fn with_protected_turns(mut self, turns: u64) -> Self {
        self.protected_turns = turns;
        self
    }

    /// The options with a beginning that two of three compactions leave alone, in thousandths of the target.
    #[must_use]
    pub const fn with_frozen_head(mut self, thousandths: u64) -> Self {
        self.frozen_head = Some(thousandths);
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

    /// The budget for a session of so many tokens.
    pub(crate) fn budget(&self, session_tokens: u64) -> Result<CompactionBudget, InvalidValue> {
        let limit = self.limit.of(session_tokens);
        let budget = CompactionBudget::new(limit).with_protected_recent_turns(self.protected_turns);
        Ok(budget.with_target(self.target.of(limit))?)
    }
}
