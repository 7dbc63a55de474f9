//! The policies about the prompt cache, as JSON spells them.

use super::settings::{at_least, chained};
use super::{Measure, PolicySpec};
use crate::cache_veto::{DEFAULT_WITHIN_STEPS, PaysBackPolicy};
use crate::frozen_head::FrozenHeadPolicy;
use crate::version::PolicyVersion;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{CachePrices, InvalidValue};
use serde::Serialize;

/// The settings of the veto.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PaysBackSpec {
    /// The version of the members that name none; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The policy whose plans are judged; several are a chain.
    pub members: Vec<PolicySpec>,
    /// After how many requests an edit must have paid back; 20 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_steps: Option<i128>,
    /// How large the window is, in tokens, where the budget's maximum is only the point at which to begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_tokens: Option<i128>,
    /// The prices; those of [`CachePrices::ANTHROPIC`] when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<CachePrices>,
}

impl PaysBackSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<PaysBackPolicy, InvalidValue> {
        let inner = chained(&self.members, self.version.as_deref(), inherited, measure)?;
        let steps = self.within_steps.map(|steps| at_least(0, "within_steps", steps)).transpose()?;
        let steps = steps.unwrap_or(DEFAULT_WITHIN_STEPS);
        let policy = PaysBackPolicy::new(inner, self.prices.unwrap_or_default(), steps);
        match self.window_tokens {
            Some(tokens) => Ok(policy.with_window(at_least(0, "window_tokens", tokens)?)),
            None => Ok(policy),
        }
    }
}

/// The settings of the frozen head.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FrozenHeadSpec {
    /// The version of the members that name none; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The policy that decides over the rest; several are a chain.
    pub members: Vec<PolicySpec>,
    /// The share of the goal that the beginning may have, in thousandths; 600 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_share: Option<i128>,
}

impl FrozenHeadSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<FrozenHeadPolicy, InvalidValue> {
        let policy =
            FrozenHeadPolicy::new(chained(&self.members, self.version.as_deref(), inherited, measure)?);
        match self.head_share {
            Some(share) => policy.with_head_share(at_least(0, "head_share", share)?),
            None => Ok(policy),
        }
    }
}
