//! The serde form of all policies.

mod around;
mod choosing;
mod estimator;
mod exemptions;
mod manual;
mod number;
mod settings;
mod shortening;
mod wire;

pub use around::{ClipActiveSpec, FrozenHeadSpec, MinimumGainSpec, PaysBackSpec, ProtectedTailSpec};
pub use choosing::{CoverSpec, RecommendedSpec};
pub use estimator::EstimatorSpec;
pub use exemptions::ExemptionsSpec;
pub use manual::ManualSpec;
pub use settings::{
    ChainSpec, DefaultChainSpec, DropOldestSpec, MaskingSpec, RollingSummarySpec, SummarizingSpec,
};
pub use shortening::{
    ClipSpec, FailedResultsSpec, LatestStateSpec, OldReasoningSpec, OpaqueReasoningSpec, RepeatedResultsSpec,
    ShorteningSpec, StaleReadsSpec,
};

use crate::chain::BoxedPolicy;
use crate::version::PolicyVersion;
use alloc::boxed::Box;
use alloc::sync::Arc;
use cutctx_types::{InvalidValue, TokenEstimator};
use serde::Serialize;

/// The prompt id of a specification that names none: a five-part summary for an agent that goes on.
/// An application that fulfils requests must know it, or name its own.
pub const DEFAULT_PROMPT_ID: &str = "cutctx/summary-v1";

/// The most policies of one specification, chains and their members together. Each of them looks at the whole
/// transcript, so their number must not be in the hands of whoever writes the specification.
pub const MOST_POLICIES: usize = 64;

/// A policy as JSON spells it. Reading takes any values of the right type; [`PolicySpec::build`]
/// checks them, so that a refusal carries its code and details.
///
/// Every member but `kind` may be left out; the constructors' defaults hold then. Members that a kind
/// does not have are refused. A member of a chain without a `version` takes its chain's, and a policy
/// at the top without one is 2.0.0.
///
/// | `kind` | members |
/// |---|---|
/// | `drop_oldest` | `version`, `excluded_tools`, `protected_turn_ids` |
/// | `masking` | the same, `keep_recent_results`, `placeholder`, `stub`, `estimator` |
/// | `repeated_results` | the first three, `estimator`, `min_chars` |
/// | `stale_reads` | the first three, `estimator`, `stale_by`, `read_tools`, `write_tools`, `shell_tools` |
/// | `failed_results` | the first three, `estimator`, `head_chars`, `tail_chars` |
/// | `clip`, `call_arguments` | the first three, `estimator`, `max_chars`, `head_chars`, `tail_chars` |
/// | `opaque_reasoning` | the first three, `estimator` |
/// | `old_reasoning` | the first three, `estimator`, `keep_recent_turns` |
/// | `latest_state` | the first three, `estimator`, `state_tools` |
/// | `cover` | the first three, `estimator`, `whole_items`, `chunk_lines`, `chunk_chars`, `context_lines` |
/// | `recommended` | the first three, `estimator`, `target`, `whole_items` |
/// | `summarizing` | the first three, `prompt_id`, `target_ratio`, `min_span_turns` |
/// | `rolling_summary` | the first three, `prompt_id`, `summary_tokens`, `min_span_turns` |
/// | `default_chain` | the first three, `prompt_id`, `keep_recent_results`, `target_ratio`, `min_span_turns` |
/// | `chain` | `version`, `members` |
/// | `pays_back` | `version`, `members`, `within_steps`, `window_tokens`, `prices` (`read`, `write`, `minimum_tokens`) |
/// | `frozen_head` | `version`, `members`, `head_share` |
/// | `protected_tail` | `version`, `members`, `tail_tokens` |
/// | `clip_active` | the first three, `members`, `estimator` |
/// | `minimum_gain` | `version`, `members`, `gain_tokens`, `gain_share`, `window_tokens` |
/// | `manual` | `actions`, `summarization_requests`, `policy_name`, `policy_version`, `estimator_ratio`, and the figures that it claims: `tokens_before`, `tokens_after_estimate`, `budget_unmet` |
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::PolicySpec;
///
/// let spec: PolicySpec = serde_json::from_str(
///     r#"{"kind": "chain", "members": [{"kind": "masking", "keep_recent_results": 0}, {"kind": "drop_oldest"}]}"#,
/// )?;
/// assert_eq!(spec.build()?.name(), "chain(observation_masking@2.0.0+drop_oldest@2.0.0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// For tests there are other spellings: `target_ratio_bits`, `estimator_ratio_bits` and
/// `chars_per_token_bits` hold a double as 16 hex digits and win over the number; the texts `nan`,
/// `inf` and `-inf` stand for what JSON has no number for; and a manual plan may say how it is made in
/// `via`. Writing a specification uses none of them but the three texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PolicySpec {
    /// A [`crate::DropOldestPolicy`].
    DropOldest(DropOldestSpec),
    /// A [`crate::ObservationMaskingPolicy`].
    Masking(MaskingSpec),
    /// A [`crate::RepeatedResultsPolicy`].
    RepeatedResults(RepeatedResultsSpec),
    /// A [`crate::StaleReadsPolicy`].
    StaleReads(StaleReadsSpec),
    /// A [`crate::FailedResultsPolicy`].
    FailedResults(FailedResultsSpec),
    /// A [`crate::ClipPolicy`].
    Clip(ClipSpec),
    /// A [`crate::CallArgumentsPolicy`].
    CallArguments(ClipSpec),
    /// A [`crate::OpaqueReasoningPolicy`].
    OpaqueReasoning(OpaqueReasoningSpec),
    /// A [`crate::OldReasoningPolicy`].
    OldReasoning(OldReasoningSpec),
    /// A [`crate::LatestStatePolicy`].
    LatestState(LatestStateSpec),
    /// A [`crate::CoverPolicy`].
    Cover(CoverSpec),
    /// A [`crate::RecommendedPolicy`].
    Recommended(RecommendedSpec),
    /// A [`crate::SummarizingPolicy`].
    Summarizing(SummarizingSpec),
    /// A [`crate::RollingSummaryPolicy`].
    RollingSummary(RollingSummarySpec),
    /// Mask, then summarize, then drop.
    DefaultChain(DefaultChainSpec),
    /// A [`crate::PolicyChain`].
    Chain(ChainSpec),
    /// A [`crate::PaysBackPolicy`].
    PaysBack(PaysBackSpec),
    /// A [`crate::FrozenHeadPolicy`].
    FrozenHead(FrozenHeadSpec),
    /// A [`crate::ProtectedTailPolicy`].
    ProtectedTail(ProtectedTailSpec),
    /// A [`crate::ClipActivePolicy`].
    ClipActive(ClipActiveSpec),
    /// A [`crate::MinimumGainPolicy`].
    MinimumGain(MinimumGainSpec),
    /// A [`crate::ManualPolicy`].
    Manual(ManualSpec),
}

/// What measures stubs where a specification does not say.
type Measure<'m> = Option<&'m Arc<dyn TokenEstimator>>;

impl PolicySpec {
    /// Dropping the oldest exchanges, with all settings at their defaults.
    #[must_use]
    pub fn drop_oldest() -> Self {
        Self::DropOldest(DropOldestSpec::default())
    }

    /// Masking tool results, with all settings at their defaults.
    #[must_use]
    pub fn masking() -> Self {
        Self::Masking(MaskingSpec::default())
    }

    /// Stubs in place of results that a later one repeats, with all settings at their defaults.
    #[must_use]
    pub fn repeated_results() -> Self {
        Self::RepeatedResults(RepeatedResultsSpec::default())
    }

    /// Stubs in place of reads that were read again, with all settings at their defaults.
    #[must_use]
    pub fn stale_reads() -> Self {
        Self::StaleReads(StaleReadsSpec::default())
    }

    /// Less of what tools said when they failed, with all settings at their defaults.
    #[must_use]
    pub fn failed_results() -> Self {
        Self::FailedResults(FailedResultsSpec::default())
    }

    /// The two ends of long results, with all settings at their defaults.
    #[must_use]
    pub fn clip() -> Self {
        Self::Clip(ClipSpec::default())
    }

    /// The two ends of long texts in the arguments of calls, with all settings at their defaults.
    #[must_use]
    pub fn call_arguments() -> Self {
        Self::CallArguments(ClipSpec::default())
    }

    /// No opaque reasoning of finished steps, with all settings at their defaults.
    #[must_use]
    pub fn opaque_reasoning() -> Self {
        Self::OpaqueReasoning(OpaqueReasoningSpec::default())
    }

    /// No old readable reasoning, with all settings at their defaults.
    #[must_use]
    pub fn old_reasoning() -> Self {
        Self::OldReasoning(OldReasoningSpec::default())
    }

    /// The newest state of tools that tell one, with all settings at their defaults.
    #[must_use]
    pub fn latest_state() -> Self {
        Self::LatestState(LatestStateSpec::default())
    }

    /// Choosing by value, with all settings at their defaults.
    #[must_use]
    pub fn cover() -> Self {
        Self::Cover(CoverSpec::default())
    }

    /// Choosing by value, where parts of turns are kept whole or not at all.
    #[must_use]
    pub fn cover_whole_items() -> Self {
        Self::Cover(CoverSpec { whole_items: Some(true), ..CoverSpec::default() })
    }

    /// The recommended policy, with all settings at their defaults.
    #[must_use]
    pub fn recommended() -> Self {
        Self::Recommended(RecommendedSpec::default())
    }

    /// One summary that never grows, with all settings at their defaults.
    #[must_use]
    pub fn rolling_summary() -> Self {
        Self::RollingSummary(RollingSummarySpec::default())
    }

    /// Summarizing, with all settings at their defaults.
    #[must_use]
    pub fn summarizing() -> Self {
        Self::Summarizing(SummarizingSpec::default())
    }

    /// The default chain, with all settings at their defaults.
    #[must_use]
    pub fn default_chain() -> Self {
        Self::DefaultChain(DefaultChainSpec::default())
    }

    /// A chain of these members.
    #[must_use]
    pub fn chain(members: impl IntoIterator<Item = Self>) -> Self {
        Self::Chain(ChainSpec { version: None, members: members.into_iter().collect() })
    }

    /// Another policy that may clip the protected turns at the end where the budget permits it, with all settings at
    /// their defaults.
    #[must_use]
    pub fn clip_active(policy: Self) -> Self {
        Self::ClipActive(ClipActiveSpec { members: alloc::vec![policy], ..ClipActiveSpec::default() })
    }

    /// The specification at a version. A manual plan names its own and stays as it is.
    #[must_use]
    pub fn with_version(mut self, version: PolicyVersion) -> Self {
        if let Some(slot) = self.version_mut() {
            *slot = Some(Arc::from(version.as_str()));
        }
        self
    }

    /// The policy that is specified.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] for more than [`MOST_POLICIES`] policies, and for the first value that a constructor refuses.
    pub fn build(&self) -> Result<BoxedPolicy, InvalidValue> {
        self.build_measured_by(None)
    }

    /// The policy that is specified, with this estimator for the stubs of those of version 2 that name none. Without
    /// one they are measured at four characters a token.
    ///
    /// # Errors
    ///
    /// As [`PolicySpec::build`].
    pub fn build_with(&self, estimator: &Arc<dyn TokenEstimator>) -> Result<BoxedPolicy, InvalidValue> {
        self.build_measured_by(Some(estimator))
    }

    fn build_measured_by(&self, estimator: Measure<'_>) -> Result<BoxedPolicy, InvalidValue> {
        let policies = self.policies();
        if policies > MOST_POLICIES {
            let reason = "stands for more than 64 policies";
            return Err(InvalidValue::Setting { setting: "members", value: Some(policies.into()), reason });
        }
        self.build_within(PolicyVersion::default(), estimator)
    }

    /// How many policies there are, chains and their members together.
    fn policies(&self) -> usize {
        let members = match self {
            Self::Chain(spec) => spec.members.as_slice(),
            Self::PaysBack(spec) => spec.members.as_slice(),
            Self::FrozenHead(spec) => spec.members.as_slice(),
            Self::ProtectedTail(spec) => spec.members.as_slice(),
            Self::ClipActive(spec) => spec.members.as_slice(),
            Self::MinimumGain(spec) => spec.members.as_slice(),
            Self::DropOldest(_)
            | Self::Masking(_)
            | Self::RepeatedResults(_)
            | Self::StaleReads(_)
            | Self::FailedResults(_)
            | Self::Clip(_)
            | Self::CallArguments(_)
            | Self::OpaqueReasoning(_)
            | Self::OldReasoning(_)
            | Self::LatestState(_)
            | Self::Cover(_)
            | Self::Recommended(_)
            | Self::RollingSummary(_)
            | Self::Summarizing(_)
            | Self::DefaultChain(_)
            | Self::Manual(_) => &[],
        };
        members.iter().map(Self::policies).fold(1, usize::saturating_add)
    }

    /// The policy as a member of a chain of this version.
    fn build_within(
        &self,
        inherited: PolicyVersion,
        measure: Measure<'_>,
    ) -> Result<BoxedPolicy, InvalidValue> {
        Ok(match self {
            Self::DropOldest(spec) => Box::new(spec.build(inherited)?),
            Self::Masking(spec) => Box::new(spec.build(inherited, measure)?),
            Self::RepeatedResults(spec) => Box::new(spec.build(inherited, measure)?),
            Self::StaleReads(spec) => Box::new(spec.build(inherited, measure)?),
            Self::FailedResults(spec) => Box::new(spec.build(inherited, measure)?),
            Self::Clip(spec) => Box::new(spec.build(inherited, measure)?),
            Self::CallArguments(spec) => Box::new(spec.build_for_arguments(inherited, measure)?),
            Self::OpaqueReasoning(spec) => Box::new(spec.build(inherited, measure)?),
            Self::OldReasoning(spec) => Box::new(spec.build(inherited, measure)?),
            Self::LatestState(spec) => Box::new(spec.build(inherited, measure)?),
            Self::Cover(spec) => Box::new(spec.build(inherited, measure)?),
            Self::Recommended(spec) => Box::new(spec.build(inherited, measure)?),
            Self::Summarizing(spec) => Box::new(spec.build(inherited)?),
            Self::RollingSummary(spec) => Box::new(spec.build(inherited)?),
            Self::DefaultChain(spec) => Box::new(spec.build(inherited, measure)?),
            Self::Chain(spec) => Box::new(spec.build(inherited, measure)?),
            Self::PaysBack(spec) => Box::new(spec.build(inherited, measure)?),
            Self::FrozenHead(spec) => Box::new(spec.build(inherited, measure)?),
            Self::ProtectedTail(spec) => Box::new(spec.build(inherited, measure)?),
            Self::ClipActive(spec) => Box::new(spec.build(inherited, measure)?),
            Self::MinimumGain(spec) => Box::new(spec.build(inherited, measure)?),
            Self::Manual(spec) => Box::new(spec.build()?),
        })
    }

    const fn version_mut(&mut self) -> Option<&mut Option<Arc<str>>> {
        match self {
            Self::DropOldest(spec) => Some(&mut spec.version),
            Self::Masking(spec) => Some(&mut spec.version),
            Self::RepeatedResults(spec) => Some(&mut spec.common.version),
            Self::StaleReads(spec) => Some(&mut spec.common.version),
            Self::FailedResults(spec) => Some(&mut spec.common.version),
            Self::Clip(spec) | Self::CallArguments(spec) => Some(&mut spec.common.version),
            Self::OpaqueReasoning(spec) => Some(&mut spec.common.version),
            Self::OldReasoning(spec) => Some(&mut spec.common.version),
            Self::LatestState(spec) => Some(&mut spec.common.version),
            Self::Cover(spec) => Some(&mut spec.common.version),
            Self::Recommended(spec) => Some(&mut spec.common.version),
            Self::Summarizing(spec) => Some(&mut spec.version),
            Self::RollingSummary(spec) => Some(&mut spec.version),
            Self::DefaultChain(spec) => Some(&mut spec.version),
            Self::Chain(spec) => Some(&mut spec.version),
            Self::PaysBack(spec) => Some(&mut spec.version),
            Self::FrozenHead(spec) => Some(&mut spec.version),
            Self::ProtectedTail(spec) => Some(&mut spec.version),
            Self::ClipActive(spec) => Some(&mut spec.version),
            Self::MinimumGain(spec) => Some(&mut spec.version),
            Self::Manual(_) => None,
        }
    }
}
