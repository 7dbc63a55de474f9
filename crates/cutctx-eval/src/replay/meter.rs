//! What requests come to.

use super::context_loop::Settled;
use super::replayed::Replayed;
use crate::session::EvalSession;
use crate::share::Share;
use cutctx::{CachePrices, CompactionBudget, TranscriptTurn};

/// Adds up requests.
pub(super) struct Meter {
    prices: CachePrices,
    limit: u64,
    /// The turns of the last request, and their tokens.
    previous: Vec<TranscriptTurn>,
    previous_tokens: u64,
    /// Tokens of the last request when nothing is ever compacted, and of the next one.
    uncompacted: (u64, u64),
    cost: u128,
    cost_uncompacted: u128,
    context_tokens: Vec<u64>,
    /// The requests at which the context was compacted.
    compacted_at: Vec<usize>,
    prefix_breaks: usize,
    misses: usize,
}

impl Meter {
    pub(super) const fn new(prices: CachePrices, limit: u64) -> Self {
        Self {
            prices,
            limit,
            previous: Vec::new(),
            previous_tokens: 0,
            uncompacted: (0, 0),
            cost: 0,
            cost_uncompacted: 0,
            context_tokens: Vec::new(),
            compacted_at: Vec::new(),
            prefix_breaks: 0,
            misses: 0,
        }
    }

    pub(super) fn append(&mut self, turn: &TranscriptTurn) {
        self.uncompacted.1 = self.uncompacted.1.saturating_add(turn.token_estimate());
    }

    /// Counts a request; the position of the first change where there must be none is an error.
    pub(super) fn request(&mut self, turns: &[TranscriptTurn], settled: Settled) -> Result<(), usize> {
        let common = common_turns(&self.previous, turns);
        if common < self.previous.len() {
            if settled != Settled::Compacted {
                return Err(common);
            }
            self.prefix_breaks = self.prefix_breaks.saturating_add(1);
        }
        if settled == Settled::Compacted {
            self.compacted_at.push(self.context_tokens.len());
        }
        let is_whole = common == self.previous.len();
        let reusable =
            if is_whole { self.previous_tokens } else { tokens_of(turns.get(..common).unwrap_or_default()) };
        let total = reusable.saturating_add(tokens_of(turns.get(common..).unwrap_or_default()));
        self.cost = self.cost.saturating_add(self.prices.request_cost(reusable, total));
        let (before, now) = self.uncompacted;
        self.cost_uncompacted = self.cost_uncompacted.saturating_add(self.prices.request_cost(before, now));
        self.uncompacted.0 = now;
        self.context_tokens.push(total);
        self.previous_tokens = total;
        self.previous.truncate(common);
        self.previous.extend_from_slice(turns.get(common..).unwrap_or_default());
        Ok(())
    }

    /// The next answer misses so many references.
    pub(super) const fn miss(&mut self, references: usize) {
        self.misses = self.misses.saturating_add(references);
    }

    pub(super) fn into_replayed(
        self,
        session: &EvalSession,
        policy: &str,
        budget: &CompactionBudget,
    ) -> Replayed {
        let requests = self.context_tokens.len();
        let sum =
            self.context_tokens.iter().fold(0_u128, |sum, tokens| sum.saturating_add(u128::from(*tokens)));
        let mean = sum.checked_div(wide(requests)).unwrap_or_default();
        let respites = self.compacted_at.iter().zip(self.compacted_at.iter().skip(1));
        Replayed {
            session: session.name.clone(),
            format: session.format.clone(),
            policy: policy.to_owned(),
            requests,
            limit_tokens: self.limit,
            target_tokens: budget.goal_tokens(),
            cost: Share::of_tokens(narrow(self.cost), narrow(self.cost_uncompacted)),
            compactions: self.compacted_at.len(),
            prefix_breaks: self.prefix_breaks,
            over_limit: self.context_tokens.iter().filter(|tokens| **tokens > self.limit).count(),
            misses: self.misses,
            shortest_respite: respites.map(|(one, next)| next.saturating_sub(*one)).min(),
            mean_tokens: narrow(mean),
            context_tokens: self.context_tokens,
        }
    }
}

/// How many turns at the beginning are the same to whoever reads them. Shared text is recognised by its address.
fn common_turns(previous: &[TranscriptTurn], turns: &[TranscriptTurn]) -> usize {
    previous.iter().zip(turns).take_while(|(old, new)| old.is_same_to_a_plan(new)).count()
}

fn tokens_of(turns: &[TranscriptTurn]) -> u64 {
    turns.iter().map(TranscriptTurn::token_estimate).fold(0, u64::saturating_add)
}

fn wide(count: usize) -> u128 {
    u128::try_from(count).unwrap_or(u128::MAX)
}

fn narrow(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}
