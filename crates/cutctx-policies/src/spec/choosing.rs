//! The policies that choose by value, as JSON spells them.

use super::Measure;
use super::settings::at_least;
use super::shortening::ShorteningSpec;
use crate::cover::{CoverPolicy, DEFAULT_CHUNK_CHARACTERS, DEFAULT_CHUNK_LINES};
use crate::recommended::{Recommended, RecommendedPolicy, TargetShare};
use crate::version::PolicyVersion;
use alloc::sync::Arc;
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
