//! Dropping, masking, summarizing and chains, as JSON spells them.

use super::exemptions::ExemptionsSpec;
use super::number::write_float;
use super::shortening::only_version_2;
use super::{DEFAULT_PROMPT_ID, EstimatorSpec, Measure, PolicySpec};
use crate::chain::PolicyChain;
use crate::drop_oldest::DropOldestPolicy;
use crate::masking::{ObservationMaskingPolicy, StubForm};
use crate::rolling_summary::RollingSummaryPolicy;
use crate::summarizing::SummarizingPolicy;
use crate::version::PolicyVersion;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{DetailValue, InvalidValue};
use serde::Serialize;

/// The settings of dropping.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DropOldestSpec {
    /// The version; the chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// Turns whose exchanges are left alone.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl DropOldestSpec {
    pub(super) fn build(&self, inherited: PolicyVersion) -> Result<DropOldestPolicy, InvalidValue> {
        let policy = DropOldestPolicy::at(version(self.version.as_deref(), inherited)?);
        policy.with_exemptions(self.exemptions.build())
    }
}

/// The settings of masking.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MaskingSpec {
    /// The version; the chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// How many tool results at the end stay readable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_recent_results: Option<i128>,
    /// What a stub begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<Arc<str>>,
    /// `full` (when absent) or `short`: see [`StubForm`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stub: Option<Arc<str>>,
    /// What measures the stubs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimator: Option<EstimatorSpec>,
    /// Results that are left alone.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl MaskingSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<ObservationMaskingPolicy, InvalidValue> {
        let version = version(self.version.as_deref(), inherited)?;
        let mut policy = ObservationMaskingPolicy::at(version);
        if let Some(estimator) = &self.estimator {
            policy = policy.measured_by(estimator.build()?);
        } else if let Some(estimator) = measure.filter(|_| version == PolicyVersion::default()) {
            policy = policy.with_estimator(Arc::clone(estimator));
        }
        if let Some(results) = self.keep_recent_results {
            policy = policy.with_keep_recent_results(at_least(0, "keep_recent_results", results)?);
        }
        if let Some(placeholder) = &self.placeholder {
            policy = policy.with_placeholder(placeholder.clone())?;
        }
        if let Some(stub) = &self.stub {
            policy = policy.with_stub(stub_form(stub)?)?;
        }
        policy.with_exemptions(self.exemptions.build())
    }
}

fn stub_form(name: &Arc<str>) -> Result<StubForm, InvalidValue> {
    match name.as_ref() {
        "full" => Ok(StubForm::Full),
        "short" => Ok(StubForm::Short),
        _ => {
            let value = Some(DetailValue::from(Arc::clone(name)));
            Err(InvalidValue::Setting { setting: "stub", value, reason: "is neither full nor short" })
        }
    }
}

/// The settings of summarizing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SummarizingSpec {
    /// The version; the chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The prompt for the application to use; [`DEFAULT_PROMPT_ID`] when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<Arc<str>>,
    /// The share of a summary in what it replaces.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_float")]
    pub target_ratio: Option<f64>,
    /// How many turns a stretch must have to be summarized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_span_turns: Option<i128>,
    /// Turns whose exchanges are left alone.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl SummarizingSpec {
    pub(super) fn build(&self, inherited: PolicyVersion) -> Result<SummarizingPolicy, InvalidValue> {
        let version = version(self.version.as_deref(), inherited)?;
        let prompt_id = self.prompt_id.clone().unwrap_or_else(|| Arc::from(DEFAULT_PROMPT_ID));
        let mut policy = SummarizingPolicy::at(version, prompt_id)?;
        if let Some(ratio) = self.target_ratio {
            policy = policy.with_target_ratio(ratio)?;
        }
        if let Some(turns) = self.min_span_turns {
            policy = policy.with_min_span_turns(at_least(1, "min_span_turns", turns)?)?;
        }
        policy.with_exemptions(self.exemptions.build())
    }
}

/// The settings of [`RollingSummaryPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RollingSummarySpec {
    /// The version; 2.0.0 when absent, and the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The prompt for the application to use; [`DEFAULT_PROMPT_ID`] when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<Arc<str>>,
    /// The most tokens of the summary; 2,000 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_tokens: Option<i128>,
    /// How many turns are folded at least; 4 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_span_turns: Option<i128>,
    /// Turns whose exchanges are left alone.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl RollingSummarySpec {
    pub(super) fn build(&self, inherited: PolicyVersion) -> Result<RollingSummaryPolicy, InvalidValue> {
        only_version_2(self.version.as_deref(), inherited)?;
        let prompt_id = self.prompt_id.clone().unwrap_or_else(|| Arc::from(DEFAULT_PROMPT_ID));
        let mut policy = RollingSummaryPolicy::new(prompt_id)?.with_exemptions(self.exemptions.build());
        if let Some(tokens) = self.summary_tokens {
            policy = policy.with_summary_tokens(at_least(1, "summary_tokens", tokens)?)?;
        }
        if let Some(turns) = self.min_span_turns {
            policy = policy.with_min_span_turns(at_least(1, "min_span_turns", turns)?)?;
        }
        Ok(policy)
    }
}

/// The settings of the default chain.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DefaultChainSpec {
    /// The version; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// See [`SummarizingSpec::prompt_id`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<Arc<str>>,
    /// See [`MaskingSpec::keep_recent_results`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_recent_results: Option<i128>,
    /// See [`SummarizingSpec::target_ratio`].
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_float")]
    pub target_ratio: Option<f64>,
    /// See [`SummarizingSpec::min_span_turns`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_span_turns: Option<i128>,
    /// Turns that all three policies leave alone.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl DefaultChainSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<PolicyChain, InvalidValue> {
        let members = [
            PolicySpec::Masking(self.masking()),
            PolicySpec::Summarizing(self.summarizing()),
            PolicySpec::DropOldest(self.dropping()),
        ];
        ChainSpec { version: self.version.clone(), members: members.into() }.build(inherited, measure)
    }

    fn masking(&self) -> MaskingSpec {
        MaskingSpec {
            keep_recent_results: self.keep_recent_results,
            exemptions: self.exemptions.clone(),
            ..MaskingSpec::default()
        }
    }

    fn summarizing(&self) -> SummarizingSpec {
        SummarizingSpec {
            version: None,
            prompt_id: self.prompt_id.clone(),
            target_ratio: self.target_ratio,
            min_span_turns: self.min_span_turns,
            exemptions: self.exemptions.clone(),
        }
    }

    fn dropping(&self) -> DropOldestSpec {
        DropOldestSpec { version: None, exemptions: self.exemptions.clone() }
    }
}

/// The settings of a chain.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChainSpec {
    /// The version; the outer chain's or 2.0.0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// The members in order.
    pub members: Vec<PolicySpec>,
}

impl ChainSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<PolicyChain, InvalidValue> {
        let version = version(self.version.as_deref(), inherited)?;
        let members: Result<Vec<_>, _> =
            self.members.iter().map(|member| member.build_within(version, measure)).collect();
        PolicyChain::at(version, members?)
    }
}

/// The version that is named, or else the one around it.
pub(super) fn version(named: Option<&str>, inherited: PolicyVersion) -> Result<PolicyVersion, InvalidValue> {
    named.map_or(Ok(inherited), str::parse)
}

/// A count that must not be below `least`; one beyond 64 bits is as good as the largest.
pub(super) fn at_least(least: i128, setting: &'static str, count: i128) -> Result<u64, InvalidValue> {
    if count < least {
        let value = Some(DetailValue::from(count));
        return Err(InvalidValue::Setting { setting, value, reason: "is too small" });
    }
    Ok(u64::try_from(count).unwrap_or(u64::MAX))
}
