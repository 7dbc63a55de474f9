//! What applying a plan did.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The report of an application, in the reference's fourteen keys. Ids stand in transcript order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the fourteen keys are the reference's; what only we tell is the account"
)]
pub struct CompactionReport {
    /// SHA-256 of the plan's canonical JSON, in lower-case hex.
    pub plan_hash: String,
    /// The policy.
    pub policy_name: String,
    /// The version of its behaviour.
    pub policy_version: String,
    /// Tokens of the transcript that was planned over.
    pub tokens_before: u64,
    /// Tokens of the view, as planned.
    pub tokens_after_estimate: u64,
    /// Characters per token of the plain estimator, if the plan names it.
    pub estimator_ratio: Option<f64>,
    /// Whether the plan says that it stays over budget.
    pub budget_unmet: bool,
    /// Turns before.
    pub turns_before: usize,
    /// Turns in the view, summaries included.
    pub turns_after: usize,
    /// Turns that stayed as they were, or with less of their parts.
    pub kept_turn_ids: Vec<Arc<str>>,
    /// Turns that say a stub now.
    pub masked_turn_ids: Vec<Arc<str>>,
    /// Turns that a summary stands for.
    pub summarized_turn_ids: Vec<Arc<str>>,
    /// Turns that are gone.
    pub dropped_turn_ids: Vec<Arc<str>>,
    /// The summary turns, in order of appearance.
    pub summary_turn_ids: Vec<Arc<str>>,
}
