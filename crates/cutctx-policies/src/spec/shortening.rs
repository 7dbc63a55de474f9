//! The policies that shorten turns one by one, as JSON spells them.

use super::exemptions::ExemptionsSpec;
use super::settings::at_least;
use super::{EstimatorSpec, Measure};
use crate::call_arguments::CallArgumentsPolicy;
use crate::clip::ClipPolicy;
use crate::failed_results::FailedResultsPolicy;
use crate::latest_state::LatestStatePolicy;
use crate::masking::Estimator;
use crate::reasoning::{OldReasoningPolicy, OpaqueReasoningPolicy};
use crate::repeated_results::RepeatedResultsPolicy;
use crate::shortening::Common;
use crate::stale_reads::{StaleBy, StaleReadsPolicy};
use crate::version::PolicyVersion;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::InvalidValue;
use serde::Serialize;

/// The settings that all policies have which shorten turns one by one.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShorteningSpec {
    /// The version; 2.0.0 when absent, and the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Arc<str>>,
    /// What measures what is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimator: Option<EstimatorSpec>,
    /// Turns that are left alone.
    #[serde(flatten)]
    pub exemptions: ExemptionsSpec,
}

impl ShorteningSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<Common, InvalidValue> {
        only_version_2(self.version.as_deref(), inherited)?;
        let estimator = estimator_of(self.estimator.as_ref(), measure)?;
        Ok(Common { estimator, exemptions: self.exemptions.build() })
    }
}

/// The estimator that a specification names, or else the application's, or else four characters a token.
pub(super) fn estimator_of(
    named: Option<&EstimatorSpec>,
    measure: Measure<'_>,
) -> Result<Estimator, InvalidValue> {
    match (named, measure) {
        (Some(estimator), _) => estimator.build(),
        (None, Some(estimator)) => Ok(Estimator::Injected(Arc::clone(estimator))),
        (None, None) => Ok(Estimator::Own),
    }
}

/// Refuses version 1.0.0 of a policy that has none, be it named or a chain's.
pub(super) fn only_version_2(named: Option<&str>, inherited: PolicyVersion) -> Result<(), InvalidValue> {
    let version = named.map_or(Ok(inherited), str::parse)?;
    if version == PolicyVersion::V2 {
        return Ok(());
    }
    let value = Some(String::from(version.as_str()).into());
    Err(InvalidValue::Setting {
        setting: "version",
        value,
        reason: "is older than this policy, which begins at 2.0.0",
    })
}

/// The settings of [`RepeatedResultsPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RepeatedResultsSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// How many characters a result must have; 200 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_chars: Option<i128>,
}

impl RepeatedResultsSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<RepeatedResultsPolicy, InvalidValue> {
        let mut policy = RepeatedResultsPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        match self.min_chars {
            Some(characters) => policy.with_min_chars(at_least(0, "min_chars", characters)?),
            None => Ok(policy),
        }
    }
}

/// The settings of [`StaleReadsPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StaleReadsSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// `part` (when absent), `path` or `path_or_write`: see [`StaleBy`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_by: Option<Arc<str>>,
    /// Further tools that read the file which an argument names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_tools: Vec<Arc<str>>,
    /// Further tools that write the file which an argument names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub write_tools: Vec<Arc<str>>,
    /// Further tools that run a command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shell_tools: Vec<Arc<str>>,
}

impl StaleReadsSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<StaleReadsPolicy, InvalidValue> {
        let mut policy = StaleReadsPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        Ok(policy
            .with_stale_by(self.stale_by()?)
            .with_read_tools(self.read_tools.iter().cloned())
            .with_write_tools(self.write_tools.iter().cloned())
            .with_shell_tools(self.shell_tools.iter().cloned()))
    }

    fn stale_by(&self) -> Result<StaleBy, InvalidValue> {
        match self.stale_by.as_deref() {
            None | Some("part") => Ok(StaleBy::Part),
            Some("path") => Ok(StaleBy::Path),
            Some("path_or_write") => Ok(StaleBy::PathOrWrite),
            Some(other) => Err(InvalidValue::Setting {
                setting: "stale_by",
                value: Some(String::from(other).into()),
                reason: "is none of part, path and path_or_write",
            }),
        }
    }
}

/// The settings of [`FailedResultsPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FailedResultsSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// How many characters of the beginning stay; 100 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_chars: Option<i128>,
    /// How many characters of the end stay; 100 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_chars: Option<i128>,
}

impl FailedResultsSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<FailedResultsPolicy, InvalidValue> {
        let mut policy = FailedResultsPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        let head = chars(self.head_chars, "head_chars", FailedResultsPolicy::DEFAULT_CHARS)?;
        let tail = chars(self.tail_chars, "tail_chars", FailedResultsPolicy::DEFAULT_CHARS)?;
        policy.with_ends(head, tail)
    }
}

/// The settings of [`ClipPolicy`] and of [`CallArgumentsPolicy`], in characters.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClipSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// How long a text may be; when absent 8,000 for results, 1,000 for arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<i128>,
    /// How much of the beginning stays of one that is longer; 2,000 or 200 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_chars: Option<i128>,
    /// How much of the end stays of one that is longer; 1,000 or 100 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_chars: Option<i128>,
}

impl ClipSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<ClipPolicy, InvalidValue> {
        let mut policy = ClipPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        let [max, head, tail] = self.limits(ClipPolicy::DEFAULTS)?;
        policy.with_limits(max, head, tail)
    }

    pub(super) fn build_for_arguments(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<CallArgumentsPolicy, InvalidValue> {
        let mut policy = CallArgumentsPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        let [max, head, tail] = self.limits(CallArgumentsPolicy::DEFAULTS)?;
        policy.with_limits(max, head, tail)
    }

    fn limits(&self, [max, head, tail]: [u64; 3]) -> Result<[u64; 3], InvalidValue> {
        let max = chars(self.max_chars, "max_chars", max)?;
        let head = chars(self.head_chars, "head_chars", head)?;
        Ok([max, head, chars(self.tail_chars, "tail_chars", tail)?])
    }
}

/// The settings of [`OpaqueReasoningPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OpaqueReasoningSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
}

impl OpaqueReasoningSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<OpaqueReasoningPolicy, InvalidValue> {
        let mut policy = OpaqueReasoningPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        Ok(policy)
    }
}

/// The settings of [`OldReasoningPolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OldReasoningSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// How many of the last turns with reasoning keep it; 4 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_recent_turns: Option<i128>,
}

impl OldReasoningSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<OldReasoningPolicy, InvalidValue> {
        let mut policy = OldReasoningPolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        match self.keep_recent_turns {
            Some(turns) => Ok(policy.with_keep_recent_turns(at_least(0, "keep_recent_turns", turns)?)),
            None => Ok(policy),
        }
    }
}

/// The settings of [`LatestStatePolicy`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LatestStateSpec {
    /// What all of its kind have.
    #[serde(flatten)]
    pub common: ShorteningSpec,
    /// Further tools that tell a whole state with every call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub state_tools: Vec<Arc<str>>,
}

impl LatestStateSpec {
    pub(super) fn build(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<LatestStatePolicy, InvalidValue> {
        let mut policy = LatestStatePolicy::new();
        policy.common = self.common.build(inherited, measure)?;
        Ok(policy.with_state_tools(self.state_tools.iter().cloned()))
    }
}

fn chars(given: Option<i128>, setting: &'static str, otherwise: u64) -> Result<u64, InvalidValue> {
    given.map_or(Ok(otherwise), |characters| at_least(0, setting, characters))
}
