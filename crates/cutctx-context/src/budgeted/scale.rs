//! What a provider counted, and estimates scaled by it.

/// What the provider counted in place of what was estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ratio {
    observed: u64,
    estimated: u64,
}

impl Default for Ratio {
    fn default() -> Self {
        Self { observed: 1, estimated: 1 }
    }
}

/// Estimates are not believed to be wrong by more than this factor.
const MOST: u64 = 8;

/// Below so many tokens a count says little about a ratio.
const LEAST: u64 = 64;

impl Ratio {
    /// The ratio of these tokens; even where one is not known or small, or the two are far apart.
    pub(super) fn new(observed: Option<u64>, estimated: Option<u64>) -> Self {
        let known = observed.zip(estimated).filter(|(observed, estimated)| {
            let far =
                *observed > estimated.saturating_mul(MOST) || *estimated > observed.saturating_mul(MOST);
            *observed >= LEAST && *estimated >= LEAST && !far
        });
        known.map_or_else(Self::default, |(observed, estimated)| Self { observed, estimated })
    }

    pub(super) const fn parts(self) -> (u64, u64) {
        (self.observed, self.estimated)
    }

    /// An estimate as the provider would count it, rounded up.
    pub(super) fn scaled(self, estimate: u64) -> u64 {
        let product = u128::from(estimate).saturating_mul(u128::from(self.observed));
        u64::try_from(product.div_ceil(u128::from(self.estimated.max(1)))).unwrap_or(u64::MAX)
    }

    /// The largest estimate that the provider would count as no more than this.
    pub(super) fn unscaled(self, tokens: u64) -> u64 {
        let product = u128::from(tokens).saturating_mul(u128::from(self.estimated));
        u64::try_from(product.checked_div(u128::from(self.observed)).unwrap_or(0)).unwrap_or(u64::MAX)
    }
}

/// What a provider counted of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Anchor {
    /// What it counted.
    pub(super) observed: u64,
    /// What the same was estimated to take, overhead included.
    pub(super) estimated: u64,
    /// Its own count of the reply, which came since.
    pub(super) reply: Option<u64>,
    /// What else came since, by estimate.
    pub(super) since: u64,
}

impl Anchor {
    /// What the context takes now.
    pub(super) fn tokens(self) -> u64 {
        let since = self.ratio().scaled(self.since).saturating_add(self.reply.unwrap_or(0));
        self.observed.saturating_add(since)
    }

    /// The ratio that the count shows.
    pub(super) fn ratio(self) -> Ratio {
        Ratio::new(Some(self.observed), Some(self.estimated))
    }
}
