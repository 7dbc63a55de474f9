//! Policies, and the steps that they take.

mod error;
mod local;
mod plain;
mod usage_triggered;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use cutctx_messages::{DurableObject, Message};

use crate::budgeted::ContextOutcome;
use crate::compaction::{CompactionOutcome, CompactionRequest, ContextCompactor};
use crate::request::ContextRequest;
use crate::resume::Resume;
use crate::telemetry::{ContextRecallTelemetry, ContextTelemetry};

pub use error::{BuildFault, CompactionFault, ContextBuildError, PassStop};
pub use local::build_context_locally;
pub(crate) use local::compact_locally;
pub use plain::{DefaultContextPolicy, MessageWindowContextPolicy, RecentTurnsContextPolicy};
pub use usage_triggered::{UsageTriggeredContextPolicy, UsageTriggeredSettings};

/// Decides what of a session a model sees at one step.
///
/// A policy is a machine without I/O. [`Self::begin`] gives a [`Step`]: it is done, or it waits for a summary or for a
/// count, which the caller gets in whatever way and hands to the step. Dropping a step leaves nothing behind.
pub trait ContextPolicy: fmt::Debug + Send + Sync {
    /// Begins to build a context, without any checkpoint.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when there is no context.
    fn begin(&self, request: ContextRequest) -> StepResult;

    /// The policy as one that keeps a checkpoint, where it is one.
    fn as_runtime_managed(&self) -> Option<&dyn RuntimeManagedContextPolicy> {
        None
    }

    /// What an application calls this version of a policy whose behaviour cannot be read from its settings.
    fn execution_profile_identity(&self) -> Option<Cow<'_, str>> {
        None
    }
}

/// A policy that remembers: it is given a checkpoint and gives the next one.
///
/// Its [`ContextPolicy::begin`] is this without a checkpoint: what it would remember is lost.
pub trait RuntimeManagedContextPolicy: ContextPolicy {
    /// Begins to build a context from the checkpoint of the step before.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when there is no context. It may carry a checkpoint, which is to be stored all the same.
    fn begin_with_checkpoint(
        &self,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> StepResult;
}

/// Begins with the checkpoint where the policy keeps one, and without where it does not.
///
/// # Errors
///
/// As [`ContextPolicy::begin`].
pub fn begin_context(
    policy: &dyn ContextPolicy,
    request: ContextRequest,
    checkpoint: Option<&DurableObject>,
) -> StepResult {
    match policy.as_runtime_managed() {
        Some(managed) => managed.begin_with_checkpoint(request, checkpoint),
        None => policy.begin(request),
    }
}

/// A step, or why there is no context.
pub type StepResult = Result<Step, ContextBuildError>;

/// Where a build stands.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a caller must answer every question that a policy has")]
pub enum Step {
    /// The context is there.
    Done(Box<ContextBuildResult>),
    /// A summary is wanted.
    Summarize(Box<PendingCompaction>),
    /// The provider's count of these messages is wanted.
    Count(PendingCount),
}

impl Step {
    /// A context of these messages, nothing to remember.
    pub(crate) fn shown(messages: impl Into<Arc<[Message]>>) -> Self {
        Self::Done(Box::new(ContextBuildResult::new(messages)))
    }
}

/// A build that waits for a summary.
#[derive(Debug)]
#[non_exhaustive]
pub struct PendingCompaction {
    /// The compactor that the policy was made with. The caller may answer by other means.
    pub compactor: Arc<dyn ContextCompactor>,
    /// What is to be summarized.
    pub request: CompactionRequest,
    /// The way on.
    pub resume: Resume<CompactionOutcome, StepResult>,
}

impl PendingCompaction {
    /// A build that waits for this.
    pub(crate) const fn new(
        compactor: Arc<dyn ContextCompactor>,
        request: CompactionRequest,
        resume: Resume<CompactionOutcome, StepResult>,
    ) -> Self {
        Self { compactor, request, resume }
    }

    /// Goes on with a summary, or with why there is none.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when there is no context.
    pub fn resume(self, outcome: CompactionOutcome) -> StepResult {
        self.resume.resume(outcome)
    }
}

/// A build that waits for a count.
#[derive(Debug)]
#[non_exhaustive]
pub struct PendingCount {
    /// What is to be counted.
    pub messages: Arc<[Message]>,
    /// The way on.
    pub resume: Resume<Option<i64>, StepResult>,
}

impl PendingCount {
    /// Goes on with the provider's count of input tokens, or without one.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when the count is below zero, or there is no context.
    pub fn resume(self, count: Option<i64>) -> StepResult {
        self.resume.resume(count)
    }
}

/// A context that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextBuildResult {
    /// What the model sees.
    pub messages: Arc<[Message]>,
    /// The checkpoint that replaces the one before as a whole; `None` where that stays.
    pub checkpoint: Option<DurableObject>,
    /// What may be told about that change.
    pub checkpoint_event_payload: Option<DurableObject>,
    /// What happened on the way.
    pub compaction_telemetry: Vec<ContextTelemetry>,
    /// What was looked up on the way.
    pub recall_telemetry: Vec<ContextRecallTelemetry>,
    /// What came of it, where the policy tells.
    pub outcome: Option<ContextOutcome>,
}

impl ContextBuildResult {
    /// These messages, nothing to remember and nothing to tell.
    #[must_use]
    pub fn new(messages: impl Into<Arc<[Message]>>) -> Self {
        Self {
            messages: messages.into(),
            checkpoint: None,
            checkpoint_event_payload: None,
            compaction_telemetry: Vec::new(),
            recall_telemetry: Vec::new(),
            outcome: None,
        }
    }
}

/// Goes on with `next` when a build is done.
pub(crate) fn and_then(
    begun: StepResult,
    next: impl FnOnce(ContextBuildResult) -> StepResult + Send + 'static,
) -> StepResult {
    Ok(match begun? {
        Step::Done(result) => return next(*result),
        Step::Summarize(pending) => {
            let PendingCompaction { compactor, request, resume } = *pending;
            let resume = Resume::new(|outcome| and_then(resume.resume(outcome), next));
            Step::Summarize(Box::new(PendingCompaction { compactor, request, resume }))
        }
        Step::Count(PendingCount { messages, resume }) => {
            let resume = Resume::new(|count| and_then(resume.resume(count), next));
            Step::Count(PendingCount { messages, resume })
        }
    })
}
