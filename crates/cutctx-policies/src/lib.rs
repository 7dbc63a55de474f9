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
//! | [`DropOldestPolicy`] | drops whole exchanges, oldest first |
//! | [`ObservationMaskingPolicy`] | replaces tool results by stubs that hold their digests |
//! | [`SummarizingPolicy`] | asks for summaries of old stretches of turns |
//! | [`PolicyChain`] | runs policies one after the other and makes one plan of what they did |
//! | [`default_chain()`] | mask, then summarize, then drop |
//! | [`ManualPolicy`] | proposes a draft that somebody else wrote |
//!
//! None of them chooses what is *legal*: system turns, pinned turns and the protected tail stay, an
//! exchange is never separated. The rules of `cutctx-invariants` see to that. To write a policy of
//! your own, implement [`CompactionPolicy`](cutctx_invariants::CompactionPolicy) there; a chain takes
//! it as a member like any other.
//!
//! # Two versions
//!
//! Every shipped policy has two [versions](PolicyVersion) of its behaviour. `2.0.0` is what
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

mod blank;
mod chain;
mod default_chain;
mod drop_oldest;
mod exemptions;
mod free_ids;
mod manual;
mod masking;
mod proposal;
mod spec;
mod summarizing;
mod version;

pub use chain::{BoxedPolicy, PolicyChain};
pub use default_chain::{DefaultChain, default_chain};
pub use drop_oldest::DropOldestPolicy;
pub use exemptions::Exemptions;
pub use manual::ManualPolicy;
pub use masking::{MaskStub, ObservationMaskingPolicy};
pub use spec::{
    ChainSpec, DEFAULT_PROMPT_ID, DefaultChainSpec, DropOldestSpec, EstimatorSpec, MOST_POLICIES, ManualSpec,
    MaskingSpec, PolicySpec, SummarizingSpec,
};
pub use summarizing::SummarizingPolicy;
pub use version::PolicyVersion;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_public_type_can_cross_threads() {
        const fn can_cross<T: Send + Sync>() {}
        can_cross::<PolicyChain>();
        can_cross::<DefaultChain>();
        can_cross::<DropOldestPolicy>();
        can_cross::<ManualPolicy>();
        can_cross::<ObservationMaskingPolicy>();
        can_cross::<SummarizingPolicy>();
        can_cross::<PolicySpec>();
        can_cross::<Exemptions>();
        can_cross::<BoxedPolicy>();
    }
}
