//! The policies that choose by value, and those around others, as JSON spells them.

use super::exemptions::ExemptionsSpec;
use super::settings::{at_least, chained};
use super::shortening::{ShorteningSpec, only_version_2};
use super::{DEFAULT_PROMPT_ID, Measure, PolicySpec};
use crate::cover::{CoverPolicy, DEFAULT_CHUNK_CHARACTERS, DEFAULT_CHUNK_LINES};
use crate::minimum_gain::MinimumGainPolicy;
use crate::protected_tail::{DEFAULT_TAIL_TOKENS, ProtectedTailPolicy};
use crate::recommended::{Recommended, RecommendedPolicy, TargetShare};
use crate::rolling_summary::RollingSummaryPolicy;
use crate::version::PolicyVersion;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::InvalidValue;
use serde::Serialize;

/// The settings of [`CoverPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CoverSpec {
    /// What all have that measure what is left.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// Whether parts of turns are kept whole or not at all; not so when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_items: Option<bool>,
    /// The most lines of a piece of what was said or of arguments; 12 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_lines: Option<i128>,
    /// The most characters of such a piece; 900 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_chars: Option<i128>,
    /// How many lines a chosen one of a result brings along on each side; 2 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_lines: Option<i128>,
}

impl CoverSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<CoverPolicy, InvalidValue> {
        let common = self.common.build(inherited, measure)?;
        let chunk = |setting, given: Option<i128>, default| {
            given.map_or(Ok(default), |given| at_least(1, setting, given))
        };
        let lines = chunk("chunk_lines", self.chunk_lines, DEFAULT_CHUNK_LINES)?;
        let characters = chunk("chunk_chars", self.chunk_chars, DEFAULT_CHUNK_CHARACTERS)?;
        let policy = CoverPolicy::new()
            .with_whole_items(self.whole_items.unwrap_or(false))
            .with_chunks(lines, characters)?
            .measured_by(common.estimator)
            .with_exemptions(common.exemptions);
        match self.context_lines {
            Some(lines) => Ok(policy.with_context_lines(at_least(0, "context_lines", lines)?)),
            None => Ok(policy),
        }
    }
}

/// The settings of [`RecommendedPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RecommendedSpec {
    /// What all have that measure what is left.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// `careful`, `normal` (when absent) or `cheap`: see [`TargetShare`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Arc<str>>,
    /// See [`CoverSpec::whole_items`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_items: Option<bool>,
}

impl RecommendedSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<RecommendedPolicy, InvalidValue> {
        let common = self.common.build(inherited, measure)?;
        let mut settings = Recommended::new();
        settings.target = self.target.as_deref().map_or(Ok(TargetShare::default()), str::parse)?;
        settings.whole_items = self.whole_items.unwrap_or(false);
        settings.exemptions = common.exemptions;
        Ok(settings.measured_by(common.estimator).build())
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
