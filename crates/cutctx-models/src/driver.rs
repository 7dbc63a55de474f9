//! Answers what a context policy asks.

use cutctx_context::{
    BudgetedContextPolicy, CompactionFailure, CompactionOutcome, CompactionRequest, CompactionStep,
    ContextBuildError, ContextBuildResult, ContextCompactor, ContextPolicy, ContextRequest, ModelCompletion,
    ModelFailure, ModelFailureKind, ModelOutcome, ModelRequest, Step, TurnContextRequest, TurnContextResult,
    TurnStep, begin_context,
};
use cutctx_messages::{DurableObject, DurableValue, Message};

use crate::completion::{Completion, FinishReason, TokenUsage};
use crate::error::{FailedAttempt, ModelError};
use crate::future::{block_on, pause};
use crate::model::{SummaryModel, TokenCounter};

/// Drives context policies and compactors: sends what they ask to a model or to a counter, waits where they want to
/// wait, and gives them the answers.
///
/// Nothing is kept between two builds. Dropping a future half-way leaves nothing behind but what was already sent.
///
/// ```
/// use cutctx_context::{ContextRequest, DefaultContextPolicy, Session};
/// use cutctx_messages::{Message, TextPart};
/// use cutctx_models::ContextDriver;
/// use cutctx_types::Role;
///
/// let said = Message::new(Role::User, vec![TextPart::new("how tall is pole 7?")?.into()])?;
/// let request = ContextRequest::new(Session::new("s1", "surveyor")?, vec![said]);
/// let built = ContextDriver::new().build_blocking(&DefaultContextPolicy::default(), request, None)?;
/// assert_eq!(built.messages.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct ContextDriver<'d> {
    model: Option<&'d dyn SummaryModel>,
    counter: Option<&'d dyn TokenCounter>,
}

impl core::fmt::Debug for ContextDriver<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ContextDriver")
            .field("model", &self.model.map(SummaryModel::provider_name))
            .field("counter", &self.counter.is_some())
            .finish()
    }
}

impl<'d> ContextDriver<'d> {
    /// A driver that has neither a model nor a counter. A compactor that wants a model fails then.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a model for summaries.
    #[must_use]
    pub const fn with_model(mut self, model: &'d dyn SummaryModel) -> Self {
        self.model = Some(model);
        self
    }

    /// With something that counts as the provider does. Builds say on their own whether they may ask.
    #[must_use]
    pub const fn with_counter(mut self, counter: &'d dyn TokenCounter) -> Self {
        self.counter = Some(counter);
        self
    }

    /// Builds the context of one step.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when there is no context. It may carry a checkpoint, which is to be stored all the same.
    pub async fn build(
        &self,
        policy: &dyn ContextPolicy,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> Result<ContextBuildResult, ContextBuildError> {
        let mut step = begin_context(policy, request, checkpoint)?;
        loop {
            step = match step {
                Step::Done(result) => return Ok(*result),
                Step::Count(pending) => {
                    let count = self.count(&pending.messages).await;
                    pending.resume(count)?
                }
                Step::Summarize(pending) => {
                    let outcome = self.compact(&*pending.compactor, &pending.request).await;
                    pending.resume(outcome)?
                }
            };
        }
    }

    /// As [`Self::build`], on the thread that asks.
    ///
    /// # Errors
    ///
    /// As [`Self::build`].
    pub fn build_blocking(
        &self,
        policy: &dyn ContextPolicy,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> Result<ContextBuildResult, ContextBuildError> {
        block_on(self.build(policy, request, checkpoint))
    }

    /// Builds the context of one step over the turns of a session, by the recommended policy.
    ///
    /// # Errors
    ///
    /// As [`Self::build`].
    pub async fn build_over_turns(
        &self,
        policy: &BudgetedContextPolicy,
        request: TurnContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> Result<TurnContextResult, ContextBuildError> {
        let mut step = policy.begin_over_turns(request, checkpoint)?;
        loop {
            step = match step {
                TurnStep::Done(result) => return Ok(*result),
                TurnStep::Summarize(pending) => {
                    let outcome = self.compact(&*pending.compactor, &pending.request).await;
                    pending.resume(outcome)?
                }
            };
        }
    }

    /// As [`Self::build_over_turns`], on the thread that asks.
    ///
    /// # Errors
    ///
    /// As [`Self::build`].
    pub fn build_over_turns_blocking(
        &self,
        policy: &BudgetedContextPolicy,
        request: TurnContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> Result<TurnContextResult, ContextBuildError> {
        block_on(self.build_over_turns(policy, request, checkpoint))
    }

    /// Has a compactor make its summary.
    ///
    /// # Errors
    ///
    /// [`CompactionFailure`], with what each attempt cost; code `MODEL_NEEDED` where there is no model.
    pub async fn compact(
        &self,
        compactor: &dyn ContextCompactor,
        request: &CompactionRequest,
    ) -> CompactionOutcome {
        let mut step = compactor.begin(request);
        loop {
            step = match step {
                CompactionStep::Done(outcome) => return outcome,
                CompactionStep::Wait(delay, resume) => {
                    pause(delay).await;
                    resume.resume(())
                }
                CompactionStep::Call(request, resume) => match self.model {
                    Some(model) => resume.resume(ask(model, &request).await),
                    None => {
                        return Err(CompactionFailure::model_needed());
                    }
                },
            };
        }
    }

    async fn count(&self, messages: &[Message]) -> Option<i64> {
        let count = self.counter?.count(messages).await.ok().flatten()?;
        i64::try_from(count).ok()
    }
}

/// Has a compactor make its summary with this model: [`ContextDriver::compact`] in one call.
///
/// # Errors
///
/// [`CompactionFailure`], with what each attempt cost.
pub async fn compact_with(
    compactor: &dyn ContextCompactor,
    request: &CompactionRequest,
    model: &dyn SummaryModel,
) -> CompactionOutcome {
    ContextDriver::new().with_model(model).compact(compactor, request).await
}

async fn ask(model: &dyn SummaryModel, request: &ModelRequest) -> ModelOutcome {
    match model.complete(request).await {
        Ok(completion) => Ok(answer(completion)),
        Err(failed) => Err(failure(&failed)),
    }
}

fn answer(completion: Completion) -> ModelCompletion {
    let completed = reported(&completion);
    ModelCompletion::new(completion.text).with_called_tool(completion.called_tool).with_completed(completed)
}

/// What the provider reported, as payloads hold it. What it did not say is left out.
fn reported(completion: &Completion) -> DurableObject {
    let status = completion.completed.map(|completed| if completed { "completed" } else { "incomplete" });
    let texts = [
        ("model", completion.model.as_deref()),
        ("status", status),
        ("finish_reason", completion.finish.map(FinishReason::as_str)),
    ];
    let texts =
        texts.into_iter().filter_map(|(key, text)| Some((key.into(), DurableValue::text(text?).ok()?)));
    let usage = completion.usage.as_ref().map(|usage| ("usage".into(), counted(usage).into()));
    DurableObject::new(texts.chain(usage).collect()).unwrap_or_else(|_| DurableObject::empty())
}

fn counted(usage: &TokenUsage) -> DurableObject {
    let members = [
        ("input_tokens", usage.input()),
        ("cached_input_tokens", usage.cached_input),
        ("cache_write_input_tokens", usage.cache_write),
        ("output_tokens", usage.output),
    ];
    let members = members.map(|(key, tokens)| (key.into(), i64::try_from(tokens).unwrap_or(i64::MAX).into()));
    DurableObject::new(members.into()).unwrap_or_else(|_| DurableObject::empty())
}

fn failure(failed: &FailedAttempt) -> ModelFailure {
    let (kind, status) = match &failed.error {
        ModelError::Overflow => (ModelFailureKind::ContextOverflow, None),
        ModelError::RateLimited { .. } => (ModelFailureKind::RateLimited, Some(429)),
        ModelError::Overloaded { status, .. } | ModelError::Server { status } => {
            (ModelFailureKind::ProviderError, Some(*status))
        }
        ModelError::Authentication { status } | ModelError::Refused { status, .. } => {
            (ModelFailureKind::Refused, Some(*status))
        }
        ModelError::Timeout | ModelError::Connection { .. } => (ModelFailureKind::Connection, None),
        ModelError::Incomplete { .. } => (ModelFailureKind::Unfinished, None),
        ModelError::Malformed { .. } | ModelError::TooLong { .. } => (ModelFailureKind::Malformed, None),
        ModelError::CalledTool | ModelError::Unsupported { .. } => (ModelFailureKind::Refused, None),
        ModelError::Other { .. } => (ModelFailureKind::ProviderError, None),
    };
    let mut failure = ModelFailure::new(kind);
    failure.status = status;
    failure.retryable = failed.error.is_retryable();
    failure.retry_after = failed.error.retry_after();
    let told = Completion { usage: failed.usage, model: failed.model.clone(), ..Completion::default() };
    failure.completed = (failed.usage.is_some() || failed.model.is_some()).then(|| reported(&told));
    failure
}
