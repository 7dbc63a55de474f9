//! What is said about a job.

use super::id::JobId;
use super::run::ExecutorKind;
use alloc::sync::Arc;
use cutctx_exec::Applied;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{CompactionReport, Details, TranscriptTurn};
use serde::{Serialize, Serializer};

/// How far a job came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// Reading the line.
    Job,
    /// Making the transcript.
    Transcript,
    /// Making the budget.
    Budget,
    /// Making the policy.
    Policy,
    /// Pinning what the job names.
    Pins,
    /// Deciding.
    Decide,
    /// Hashing the plan. Every plan of ours has a hash; the stage is the reference's.
    Hash,
    /// Making the transcript to apply to.
    ApplyTranscript,
    /// Applying.
    Apply,
}

/// Why a job has no complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct JobFailure {
    /// Where it happened.
    pub stage: Stage,
    /// The error's stable code.
    pub code: String,
    /// The broken rule, where the rules rejected a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The data behind the message.
    pub details: Details,
    /// A sentence for people; it may change from version to version.
    pub message: String,
}

/// The answer to one job. Its JSON has `id`, `line`, `plan`, `plan_hash`, `view`, `report` and `apply`, with null for
/// what there is not, `pin_conflicts` where there are some, and `error` when it failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The job's id, as far as it could be read.
    pub id: Option<JobId>,
    /// The line that the job stood on, counted from 1.
    pub line: u64,
    /// The executor that serves jobs of this policy; `None` where it did not come to a policy.
    pub executor: Option<ExecutorKind>,
    /// The results that a pin of the job keeps although their call is not in the transcript, by id: a provider would
    /// refuse them.
    pub pin_conflicts: Vec<Arc<str>>,
    /// What was decided.
    pub plan: Option<CompactionPlan>,
    /// What applying it gave; `None` for jobs that only plan.
    pub applied: Option<Applied>,
    /// What went wrong.
    pub failure: Option<JobFailure>,
}

impl Answer {
    pub(super) const fn new(id: Option<JobId>, line: u64) -> Self {
        Self { id, line, executor: None, pin_conflicts: Vec::new(), plan: None, applied: None, failure: None }
    }

    /// The answer as one line of JSON, without a line feed.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Plain data with text keys and finite numbers: writing it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plan = self.plan.as_ref().map(CompactionPlan::canonical_json);
        let compacted = self.applied.as_ref().map(|applied| &applied.compacted);
        WireAnswer {
            id: self.id.as_ref(),
            line: self.line,
            plan_hash: plan.as_deref().map(|plan| hash_of(self, plan)),
            plan: plan.as_deref(),
            view: compacted.map(|compacted| compacted.turns.as_slice()),
            report: compacted.map(|compacted| &compacted.report),
            apply: self.executor,
            pin_conflicts: &self.pin_conflicts,
            error: self.failure.as_ref(),
        }
        .serialize(serializer)
    }
}

/// The plan's hash, which a report has already.
fn hash_of(answer: &Answer, plan: &str) -> String {
    match &answer.applied {
        Some(applied) => applied.compacted.report.plan_hash.clone(),
        None => cutctx_types::Sha256Digest::of_bytes(plan.as_bytes()).to_hex(),
    }
}

#[derive(Serialize)]
struct WireAnswer<'a> {
    id: Option<&'a JobId>,
    line: u64,
    plan: Option<&'a str>,
    plan_hash: Option<String>,
    view: Option<&'a [TranscriptTurn]>,
    report: Option<&'a CompactionReport>,
    apply: Option<ExecutorKind>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pin_conflicts: &'a [Arc<str>],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a JobFailure>,
}
