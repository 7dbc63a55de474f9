//! Summaries by a model.

use alloc::sync::Arc;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use cutctx_context::ModelRequest;
use cutctx_exec::Summaries;
use cutctx_invariants::CompactionPlan;
use cutctx_messages::{Message, MessageError, TextPart};
use cutctx_models::{
    Completion, FailedAttempt, FinishReason, ModelError, RetryPolicy, Retrying, SummaryModel, TokenUsage,
    block_on,
};
use cutctx_types::{Code, Coded, Details, Role};

use super::task::{SummaryTask, tasks};

/// How the summaries of a plan are asked for.
///
/// ```
/// use cutctx::fulfil::Fulfilment;
/// use cutctx::models::RetryPolicy;
/// let fulfilment = Fulfilment::default().with_concurrency(4).with_retry_policy(RetryPolicy::never());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Fulfilment {
    concurrency: NonZeroUsize,
    retry: RetryPolicy,
}

impl Default for Fulfilment {
    /// Two at a time, asked again as [`RetryPolicy::default`] says.
    fn default() -> Self {
        Self { concurrency: NonZeroUsize::MIN.saturating_add(1), retry: RetryPolicy::default() }
    }
}

impl Fulfilment {
    /// This many at a time; zero counts as one.
    #[must_use]
    pub fn with_concurrency(mut self, calls: usize) -> Self {
        self.concurrency = NonZeroUsize::new(calls).unwrap_or(NonZeroUsize::MIN);
        self
    }

    /// Asking again as this policy says.
    #[must_use]
    pub const fn with_retry_policy(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }
}

/// The summaries of a plan, and what they cost.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Fulfilled {
    /// All that were made.
    pub summaries: Summaries,
    /// How many that is.
    pub count: usize,
    /// What the provider counted for all attempts together, where it said so.
    pub usage: Option<TokenUsage>,
}

/// Asks a model for every summary of a plan, several at a time, on threads of its own, and waits for all.
///
/// `after_each` is told after each answer how many there are. A failure stops what has not begun; what was made until
/// then, and what it cost, is in the error.
///
/// # Errors
///
/// [`FulfilError`] for the first request that failed for good.
pub fn by_model(
    plan: &CompactionPlan,
    model: &dyn SummaryModel,
    fulfilment: &Fulfilment,
    after_each: &(dyn Fn(usize) + Sync),
) -> Result<Fulfilled, FulfilError> {
    let tasks = tasks(plan);
    let work = Work {
        tasks: &tasks,
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
        state: Mutex::default(),
    };
    let model = Retrying::new(model, fulfilment.retry);
    thread::scope(|scope| {
        for _ in 1..fulfilment.concurrency.get().min(tasks.len()) {
            // Where no more threads can be had, this one does it all.
            drop(thread::Builder::new().spawn_scoped(scope, || work.run(&model, after_each)));
        }
        work.run(&model, after_each);
    });
    let (fulfilled, failure) = work.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match failure {
        None => Ok(fulfilled),
        Some((group_id, error)) => Err(FulfilError { group_id, error, done: Box::new(fulfilled) }),
    }
}

type State = (Fulfilled, Option<(Arc<str>, FulfilFault)>);

struct Work<'w> {
    tasks: &'w [SummaryTask<'w>],
    next: AtomicUsize,
    failed: AtomicBool,
    state: Mutex<State>,
}

impl Work<'_> {
    fn run(&self, model: &Retrying<&dyn SummaryModel>, after_each: &(dyn Fn(usize) + Sync)) {
        while !self.failed.load(Ordering::Acquire) {
            let Some(task) = self.tasks.get(self.next.fetch_add(1, Ordering::AcqRel)) else { return };
            let answer = summarize(task, model);
            let done = self.record(task, answer);
            after_each(done);
        }
    }

    fn record(
        &self,
        task: &SummaryTask<'_>,
        answer: Result<Completion, (FulfilFault, Option<TokenUsage>)>,
    ) -> usize {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (fulfilled, failure) = &mut *state;
        let usage = match answer {
            Ok(completion) => {
                let summaries = core::mem::take(&mut fulfilled.summaries);
                fulfilled.summaries = summaries.with(Arc::clone(task.request.group_id()), completion.text);
                fulfilled.count = fulfilled.count.saturating_add(1);
                completion.usage
            }
            Err((fault, usage)) => {
                self.failed.store(true, Ordering::Release);
                failure.get_or_insert_with(|| (Arc::clone(task.request.group_id()), fault));
                usage
            }
        };
        if let Some(usage) = usage {
            fulfilled.usage = Some(fulfilled.usage.unwrap_or_default().plus(usage));
        }
        fulfilled.count
    }
}

fn summarize(
    task: &SummaryTask<'_>,
    model: &Retrying<&dyn SummaryModel>,
) -> Result<Completion, (FulfilFault, Option<TokenUsage>)> {
    let request = request(task).map_err(|error| (FulfilFault::Text(error), None))?;
    let completion = block_on(model.complete(&request))
        .map_err(|FailedAttempt { error, usage, .. }| (FulfilFault::Model(error), usage))?;
    match fault_of(&completion) {
        Some(error) => Err((FulfilFault::Model(error), completion.usage)),
        None => Ok(completion),
    }
}

fn request(task: &SummaryTask<'_>) -> Result<ModelRequest, MessageError> {
    let say =
        |role, text: String| Message::new(role, vec![TextPart::new(text.replace('\0', "\u{FFFD}"))?.into()]);
    let (instructions, record) = (task.instructions(), task.record());
    Ok(ModelRequest::new(vec![say(Role::System, instructions)?, say(Role::User, record)?]))
}

/// Why an answer is no summary. One that is cut off in the middle of a sentence would be taken for the whole.
fn fault_of(completion: &Completion) -> Option<ModelError> {
    match completion.finish {
        _ if completion.called_tool => Some(ModelError::CalledTool),
        Some(FinishReason::Length) => Some(ModelError::Incomplete { reason: "length" }),
        Some(FinishReason::Refusal) => Some(ModelError::Incomplete { reason: "refusal" }),
        _ if completion.text.trim().is_empty() => Some(ModelError::Incomplete { reason: "blank" }),
        _ => None,
    }
}

/// Why the summaries of a plan could not all be made.
#[derive(Debug, thiserror::Error)]
#[error("no summary for the group `{group_id}`: {error}")]
#[non_exhaustive]
pub struct FulfilError {
    /// The group whose request failed.
    pub group_id: Arc<str>,
    /// Why.
    pub error: FulfilFault,
    /// What was made until then, and what everything cost.
    pub done: Box<Fulfilled>,
}

/// Why one summary could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FulfilFault {
    /// The model failed for good.
    #[error(transparent)]
    Model(ModelError),
    /// The turns cannot be told.
    #[error(transparent)]
    Text(MessageError),
}

impl Coded for FulfilError {
    fn code(&self) -> Code {
        match &self.error {
            FulfilFault::Model(error) => error.code(),
            FulfilFault::Text(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        let details = match &self.error {
            FulfilFault::Model(error) => error.details(),
            FulfilFault::Text(error) => error.details(),
        };
        details.with("group_id", Arc::clone(&self.group_id)).with("summaries_made", self.done.count)
    }
}
