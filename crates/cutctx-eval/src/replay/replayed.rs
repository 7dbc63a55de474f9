//! What the loop over one session came to.

use crate::share::Share;
use serde::Serialize;

/// What the loop over one session came to under one policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Replayed {
    /// The session.
    pub session: String,
    /// The format of its file.
    pub format: String,
    /// The policy.
    pub policy: String,
    /// How many requests there were.
    pub requests: usize,
    /// The limit, in tokens.
    pub limit_tokens: u64,
    /// How far down a compaction goes, in tokens.
    pub target_tokens: u64,
    /// What the input of all requests cost, as a share of what it costs when nothing is ever compacted; `None` without
    /// requests.
    pub cost: Option<Share>,
    /// How often the context was compacted.
    pub compactions: usize,
    /// How many requests do not begin with the request before them. Each of them follows a compaction.
    pub prefix_breaks: usize,
    /// How many requests are above the limit.
    pub over_limit: usize,
    /// How many references the answers make that stood in the session before, and do not stand in the context.
    pub misses: usize,
    /// The fewest requests from one compaction to the next; `None` where there are not two.
    pub shortest_respite: Option<usize>,
    /// The mean of the contexts, in tokens.
    pub mean_tokens: u64,
    /// The size of every context, in tokens.
    pub context_tokens: Vec<u64>,
}

impl Replayed {
    /// Prefix breaks for every hundred requests; `None` without requests.
    #[must_use]
    pub fn breaks_per_hundred(&self) -> Option<Share> {
        Share::of(self.prefix_breaks, self.requests)
    }

    /// Misses for every hundred requests; `None` without requests.
    #[must_use]
    pub fn misses_per_hundred(&self) -> Option<Share> {
        Share::of(self.misses, self.requests)
    }
}
