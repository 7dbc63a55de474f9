//! The compaction policies that CutCtx ships, and the JSON that names them.
//!
//! A policy decides which turns of a transcript to keep, mask, summarize or drop once it is over its
//! budget. It calls no model, reads no clock and touches no file: the same transcript, budget and
//! settings give the same plan, byte for byte.
//!
//! ```
//! use cutctx_invariants::CompactionPolicy;
//! use cutctx_policies::{DropOldestPolicy, ObservationMaskingPolicy, PolicyChain};
//! use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
//!
//! let transcript = Transcript::new(vec![
//!     TranscriptTurn::new("s", Role::System, "be brief", 2)?,
//!     TranscriptTurn::new("u1", Role::User, "list the files", 4)?,
//!     TranscriptTurn::new("a1", Role::Assistant, "ls -R", 2)?.with_tool_call_id("c1"),
//!     TranscriptTurn::new("t1", Role::Tool, "a\n".repeat(2000), 1000)?.with_tool_call_id("c1"),
//!     TranscriptTurn::new("u2", Role::User, "thanks", 2)?,
//! ])?;
//! let budget = CompactionBudget::new(100).with_protected_recent_turns(1);
//!
//! // First mask what tools observed; where that is not enough, drop the oldest exchanges.
//! let policy = PolicyChain::new(vec![
//!     Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(0)),
//!     Box::new(DropOldestPolicy::new()),
//! ])?;
//! let plan = policy.decide(&transcript, &budget)?;
//! assert!(matches!(plan.actions()[3].action, Action::Mask(_)));
//! assert_eq!(plan.tokens_after_estimate(), 42);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The policies
//!
//! | policy | what it does |
//! |---|---|
//! | [`recommended()`] | the nearly free savings, then cover: what most applications want |
//! | [`CoverPolicy`] | keeps what is worth most for its cost |
//! | [`DropOldestPolicy`] | drops whole exchanges, oldest first |
//! | [`ObservationMaskingPolicy`] | replaces tool results by stubs that hold their digests |
//! | [`RepeatedResultsPolicy`], [`StaleReadsPolicy`], [`FailedResultsPolicy`] | shorten what repeats, was read again, or failed |
//! | [`ClipPolicy`], [`CallArgumentsPolicy`] | keep the two ends of what is long |
//! | [`OpaqueReasoningPolicy`], [`OldReasoningPolicy`] | leave reasoning out of steps that are done |
//! | [`LatestStatePolicy`] | keeps the newest of lists that are told anew with every call |
//! | [`SummarizingPolicy`] | asks for summaries of old stretches of turns |
//! | [`RollingSummaryPolicy`] | asks for one summary that takes in what is new and never grows |
//! | [`PolicyChain`] | runs policies one after the other and makes one plan of what they did |
//! | [`default_chain()`] | mask, then summarize, then drop |
//! | [`PaysBackPolicy`] | takes plans of another policy where they pay back in the prompt cache |
//! | [`FrozenHeadPolicy`] | has another policy decide over all but the beginning |
//! | [`ProtectedTailPolicy`] | has another policy decide over all but the last so many tokens |
//! | [`ClipActivePolicy`] | cuts what must stay and is larger than the budget, where the budget permits it |
//! | [`MinimumGainPolicy`] | takes plans of another policy where they free enough |
//! | [`ManualPolicy`] | proposes a draft that somebody else wrote |
//!
//! None of them chooses what is *legal*: system turns, pinned turns and the protected tail stay, an
//! exchange is never separated. The rules of `cutctx-invariants` see to that. To write a policy of
//! your own, implement [`CompactionPolicy`](cutctx_invariants::CompactionPolicy) there; a chain takes
//! it as a member like any other.
//!
//! # Two versions
//!
//! Dropping, masking, summarizing and chains have two [versions](PolicyVersion) of their behaviour. `2.0.0` is what
//! constructors make. `1.0.0`, made by the constructors named `v1`, reproduces the Python package
//! `cutctx` 0.1.0 byte for byte, its oddities included, so that records written by it can be derived
//! again. The version is in the plan.
//!
//! # Policies as JSON
//!
//! [`PolicySpec`] is the serde form of all of them: what configuration files, batch jobs and stored
//! plans hold.
//!
//! ```
//! use cutctx_policies::PolicySpec;
//! let spec: PolicySpec = serde_json::from_str(r#"{"kind": "default_chain", "prompt_id": "my/prompt"}"#)?;
//! let policy = spec.build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod arguments;
mod around;
mod blank;
mod border;
mod call_arguments;
mod calls;
mod chain;
mod clip;
mod clip_active;
mod cover;
mod default_chain;
mod drop_oldest;
mod exemptions;
mod failed_results;
mod free_ids;
mod frozen_head;
mod json;
mod latest_state;
mod manual;
mod masking;
mod minimum_gain;
mod pays_back;
mod proposal;
mod protected_tail;
mod reads;
mod reasoning;
mod recommended;
mod repeated_results;
mod resurvey;
mod rolling_summary;
mod short_stub;
mod shortening;
mod spec;
mod stale_reads;
mod summarizing;
mod trimming;
mod version;

pub use call_arguments::CallArgumentsPolicy;
pub use chain::{BoxedPolicy, PolicyChain};
pub use clip::ClipPolicy;
pub use clip_active::ClipActivePolicy;
pub use cover::CoverPolicy;
pub use default_chain::{DefaultChainSettings, default_chain};
pub use drop_oldest::DropOldestPolicy;
pub use exemptions::Exemptions;
pub use failed_results::FailedResultsPolicy;
pub use frozen_head::FrozenHeadPolicy;
pub use latest_state::{LatestStatePolicy, TODO_TOOLS};
pub use manual::ManualPolicy;
pub use masking::{MaskStub, ObservationMaskingPolicy, StubForm};
pub use minimum_gain::MinimumGainPolicy;
pub use pays_back::PaysBackPolicy;
pub use protected_tail::ProtectedTailPolicy;
pub use reasoning::{OldReasoningPolicy, OpaqueReasoningPolicy};
pub use recommended::{Recommended, RecommendedPolicy, TargetShare, recommended};
pub use repeated_results::RepeatedResultsPolicy;
pub use rolling_summary::RollingSummaryPolicy;
pub use spec::{
    ChainSpec, ClipActiveSpec, ClipSpec, CoverSpec, DEFAULT_PROMPT_ID, DefaultChainSpec, DropOldestSpec,
    EstimatorSpec, ExemptionsSpec, FailedResultsSpec, FrozenHeadSpec, LatestStateSpec, MOST_POLICIES,
    ManualSpec, MaskingSpec, MinimumGainSpec, OldReasoningSpec, OpaqueReasoningSpec, PaysBackSpec,
    PolicySpec, ProtectedTailSpec, RecommendedSpec, RepeatedResultsSpec, RollingSummarySpec, ShorteningSpec,
    StaleReadsSpec, SummarizingSpec,
};
pub use stale_reads::{StaleBy, StaleReadsPolicy};
pub use summarizing::SummarizingPolicy;
pub use version::PolicyVersion;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_public_type_can_cross_threads() {
        const fn can_cross<T: Send + Sync>() {}
        can_cross::<PolicyChain>();
        can_cross::<DefaultChainSettings>();
        can_cross::<DropOldestPolicy>();
        can_cross::<ManualPolicy>();
        can_cross::<ObservationMaskingPolicy>();
        can_cross::<SummarizingPolicy>();
        can_cross::<RepeatedResultsPolicy>();
        can_cross::<StaleReadsPolicy>();
        can_cross::<FailedResultsPolicy>();
        can_cross::<ClipPolicy>();
        can_cross::<ClipActivePolicy>();
        can_cross::<CallArgumentsPolicy>();
        can_cross::<OpaqueReasoningPolicy>();
        can_cross::<OldReasoningPolicy>();
        can_cross::<LatestStatePolicy>();
        can_cross::<PolicySpec>();
        can_cross::<Exemptions>();
        can_cross::<BoxedPolicy>();
        can_cross::<CoverPolicy>();
        can_cross::<RecommendedPolicy>();
        can_cross::<RollingSummaryPolicy>();
        can_cross::<ProtectedTailPolicy>();
        can_cross::<MinimumGainPolicy>();
        can_cross::<PaysBackPolicy>();
        can_cross::<FrozenHeadPolicy>();
    }
}
