//! A line for every policy.

use super::replayed::Replayed;
use super::run::Replay;
use crate::bootstrap::Estimate;
use crate::share::Share;
use serde::Serialize;

/// What a policy comes to over all sessions: the means of the sessions' figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReplayRow {
    /// The policy.
    pub policy: String,
    /// How many sessions it was replayed on.
    pub sessions: usize,
    /// How many requests they had.
    pub requests: usize,
    /// The cost relative to never compacting, with its interval over sessions.
    pub cost: Option<Estimate>,
    /// Misses for every hundred requests.
    pub misses_per_hundred: Option<Share>,
    /// Prefix breaks for every hundred requests.
    pub breaks_per_hundred: Option<Share>,
    /// How often contexts were compacted.
    pub compactions: usize,
    /// How many requests were above the limit.
    pub over_limit: usize,
    /// The mean of the contexts, as a share of the limit.
    pub context: Option<Share>,
}

impl Replay {
    /// The lines, in the order of the policies.
    #[must_use]
    pub fn rows(&self) -> Vec<ReplayRow> {
        self.policies.iter().enumerate().map(|(place, policy)| self.row(place, policy)).collect()
    }

    fn row(&self, place: usize, policy: &str) -> ReplayRow {
        let own: Vec<&Replayed> =
            self.replayed.iter().skip(place).step_by(self.policies.len().max(1)).collect();
        let each = |figure: fn(&Replayed) -> Option<Share>| -> Vec<Share> {
            own.iter().filter_map(|replayed| figure(replayed)).collect()
        };
        let sum =
            |figure: fn(&Replayed) -> usize| own.iter().map(|one| figure(one)).fold(0, usize::saturating_add);
        ReplayRow {
            policy: policy.to_owned(),
            sessions: own.len(),
            requests: sum(|one| one.requests),
            cost: Estimate::of(&each(|one| one.cost)),
            misses_per_hundred: Share::mean(&each(Replayed::misses_per_hundred)),
            breaks_per_hundred: Share::mean(&each(Replayed::breaks_per_hundred)),
            compactions: sum(|one| one.compactions),
            over_limit: sum(|one| one.over_limit),
            context: Share::mean(&each(|one| Share::of_tokens(one.mean_tokens, one.limit_tokens))),
        }
    }
}
