//! What a provider counted, and estimates scaled by it.

use cutctx_messages::Message;
use cutctx_types::Role;

use super::cost::Costs;
use crate::request::ContextRequest;

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
}

impl Ratio {
    /// The largest estimate that the provider would count as no more than this.
    pub(super) fn unscaled(self, tokens: u64) -> u64 {
        let product = u128::from(tokens).saturating_mul(u128::from(self.estimated));
        u64::try_from(product.checked_div(u128::from(self.observed)).unwrap_or(0)).unwrap_or(u64::MAX)
    }
}

/// What a context takes that begins with what was sent last: what the provider counted, and what came since. `None`
/// where it does not begin so. With it the ratio that this count shows.
pub(super) fn anchored(
    request: &ContextRequest,
    shown: &[Message],
    costs: &Costs<'_>,
) -> Option<(u64, Ratio)> {
    let usage = &request.context_usage;
    let observed = usage.last_input_tokens?;
    let tail = usage.input_coverage.as_ref()?.tail(shown)?;
    let sent = shown.get(..shown.len().saturating_sub(tail.len()))?;
    let estimated = costs.of_all(sent).saturating_add(costs.overhead());
    let ratio = Ratio::new(Some(observed), Some(estimated));
    let reply =
        usage.last_output_tokens.zip(tail.first()).filter(|(_, first)| first.role() == Role::Assistant);
    let since = match reply {
        Some((tokens, _)) => {
            tokens.saturating_add(ratio.scaled(costs.of_all(tail.get(1..).unwrap_or_default())))
        }
        None => ratio.scaled(costs.of_all(tail)),
    };
    Some((observed.saturating_add(since), ratio))
}
