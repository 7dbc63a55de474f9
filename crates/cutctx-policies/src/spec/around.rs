//! The policies around another one, as JSON spells them.

use super::exemptions::ExemptionsSpec;
use super::settings::{at_least, version};
use super::shortening::estimator_of;
use super::{EstimatorSpec, Measure, PolicySpec};
use crate::chain::{BoxedPolicy, PolicyChain};
use crate::clip_active::ClipActivePolicy;
use crate::frozen_head::FrozenHeadPolicy;
use crate::minimum_gain::MinimumGainPolicy;
use crate::pays_back::{DEFAULT_WITHIN_STEPS, PaysBackPolicy};
use crate::protected_tail::{DEFAULT_TAIL_TOKENS, ProtectedTailPolicy};
use crate::version::PolicyVersion;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{CachePrices, InvalidValue};
use serde::Serialize;

/// The settings of [`PaysBackPolicy`].
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

/// The settings of [`FrozenHeadPolicy`].
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

/// The settings of [`ProtectedTailPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProtectedTailSpec {
    /// The version of the members that name none; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The policy that decides over the rest; several are a chain.
    pub members: Vec<PolicySpec>,
    /// How many tokens at the end are protected; 10,000 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_tokens: Option<i128>,
}

impl ProtectedTailSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<ProtectedTailPolicy, InvalidValue> {
        let inner = chained(&self.members, self.version.as_deref(), inherited, measure)?;
        let tokens = self.tail_tokens.map(|tokens| at_least(0, "tail_tokens", tokens)).transpose()?;
        Ok(ProtectedTailPolicy::new(inner, tokens.unwrap_or(DEFAULT_TAIL_TOKENS)))
    }
}

/// The settings of [`ClipActivePolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClipActiveSpec {
    /// The version of the members that name none; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The policy that decides over what is clipped; several are a chain.
    pub members: Vec<PolicySpec>,
    /// What measures what is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimator: Option<EstimatorSpec>,
    /// Protected turns that are not clipped.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl ClipActiveSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<ClipActivePolicy, InvalidValue> {
        let inner = chained(&self.members, self.version.as_deref(), inherited, measure)?;
        let estimator = estimator_of(self.estimator.as_ref(), measure)?;
        let policy = ClipActivePolicy::new(inner).measured_by(estimator);
        Ok(policy.with_exemptions(self.exemptions.build()))
    }
}

/// The settings of [`MinimumGainPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MinimumGainSpec {
    /// The version of the members that name none; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The policy whose plans are judged; several are a chain.
    pub members: Vec<PolicySpec>,
    /// How many tokens must be freed; none when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain_tokens: Option<i128>,
    /// Which share of the transcript's tokens must be freed, in thousandths; none when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain_share: Option<i128>,
    /// How large the window is, in tokens, where the budget's maximum is only the point at which to begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_tokens: Option<i128>,
}

impl MinimumGainSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<MinimumGainPolicy, InvalidValue> {
        let inner = chained(&self.members, self.version.as_deref(), inherited, measure)?;
        let tokens = at_least(0, "gain_tokens", self.gain_tokens.unwrap_or(0))?;
        let share = at_least(0, "gain_share", self.gain_share.unwrap_or(0))?;
        let policy = MinimumGainPolicy::new(inner, tokens).with_share(share)?;
        match self.window_tokens {
            Some(tokens) => Ok(policy.with_window(at_least(0, "window_tokens", tokens)?)),
            None => Ok(policy),
        }
    }
}

/// The one member of a policy around others, or the chain of several.
fn chained(
    members: &[PolicySpec],
    named: Option<&str>,
    inherited: PolicyVersion,
    measure: Measure<'_>,
) -> Result<BoxedPolicy, InvalidValue> {
    let version = version(named, inherited)?;
    if let [only] = members {
        return only.build_within(version, measure);
    }
    let members: Result<Vec<_>, _> =
        members.iter().map(|member| member.build_within(version, measure)).collect();
    Ok(Box::new(PolicyChain::at(version, members?)?))
}
