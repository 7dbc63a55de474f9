//! One question to a model after the other, with what they cost.

use alloc::sync::Arc;
use core::time::Duration;

use cutctx_context::{
    CompactionStep, ModelCompletion, ModelFailure, ModelFailureKind, ModelOutcome, ModelRequest, Resume,
};
use cutctx_messages::{DurableObject, DurableValue, SpokenText};

use super::fault::Fault;
use super::payload::Asker;
use crate::error::ModelError;
use crate::retry::RetryPolicy;
use crate::retrying::jitter;

/// What goes on when a question is answered for good.
pub(super) type Then = Box<dyn FnOnce(Asking, Result<Answer, Fault>) -> CompactionStep + Send>;

/// An answer that can be kept.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) summary: SpokenText,
    /// What the provider reported for it.
    pub(super) completed: DurableObject,
}

/// Asks a model, again where that may help, and keeps account.
#[derive(Debug)]
pub(super) struct Asking {
    pub(super) asker: Arc<Asker>,
    /// One for each attempt so far.
    pub(super) payloads: Vec<DurableObject>,
    /// How many calls there were.
    pub(super) calls: u32,
    /// How many there may be.
    pub(super) most_calls: Option<u32>,
    retry: RetryPolicy,
    /// Whether a blank answer that the provider calls complete is worth another attempt.
    retries_blank: bool,
}

/// One question, while it is asked.
struct Question {
    request: Box<ModelRequest>,
    attempt: u32,
    waited: Duration,
    then: Then,
}

impl Asking {
    pub(super) const fn new(asker: Arc<Asker>, retry: RetryPolicy, retries_blank: bool) -> Self {
        Self { asker, payloads: Vec::new(), calls: 0, most_calls: None, retry, retries_blank }
    }

    /// Asks; `then` goes on with the answer, or with why there is none.
    pub(super) fn ask(self, request: ModelRequest, then: Then) -> CompactionStep {
        self.attempt(Question { request: Box::new(request), attempt: 1, waited: Duration::ZERO, then })
    }

    /// Ends without a summary.
    pub(super) fn fail(self, fault: Fault) -> CompactionStep {
        CompactionStep::Done(Err(fault.into_failure(self.payloads)))
    }

    fn attempt(mut self, question: Question) -> CompactionStep {
        if let Some(limit) = self.most_calls.filter(|limit| self.calls >= *limit) {
            return (question.then)(self, Err(Fault::CallsUsedUp { limit }));
        }
        self.calls = self.calls.saturating_add(1);
        let request = question.request.clone();
        CompactionStep::Call(request, Resume::new(move |outcome| self.judge(question, outcome)))
    }

    fn judge(mut self, question: Question, outcome: ModelOutcome) -> CompactionStep {
        match outcome {
            Ok(completion) => self.judge_completion(question, completion),
            Err(failure) => {
                let outcome = if matches!(
                    failure.kind,
                    ModelFailureKind::ContextOverflow | ModelFailureKind::Unfinished
                ) {
                    failure.kind.as_str()
                } else {
                    "provider_error"
                };
                self.record(failure.completed.as_ref(), Some(outcome));
                let error = as_error(&failure);
                self.again(question, &error, Fault::Model(failure))
            }
        }
    }

    fn judge_completion(mut self, question: Question, completion: ModelCompletion) -> CompactionStep {
        let completed = completion.completed;
        if completion.called_tool {
            self.record(Some(&completed), Some("rejected_tool_call"));
            return (question.then)(self, Err(Fault::CalledTool));
        }
        let is_blank = completion.text.trim().is_empty();
        if is_blank && self.retries_blank && is_complete(&completed) {
            self.record(Some(&completed), Some("empty_summary"));
            let error = ModelError::Other { what: "the summary is blank".into(), retryable: Some(true) };
            return self.again(question, &error, Fault::Blank);
        }
        let fault = if is_blank { Fault::Blank } else { Fault::BadText };
        let Ok(summary) = SpokenText::new(completion.text) else {
            self.record(Some(&completed), Some("invalid_summary"));
            return (question.then)(self, Err(fault));
        };
        self.record(Some(&completed), None);
        (question.then)(self, Ok(Answer { summary, completed }))
    }

    /// Asks once more where the policy says so.
    fn again(self, question: Question, error: &ModelError, fault: Fault) -> CompactionStep {
        let Question { request, attempt, waited, then } = question;
        match self.retry.next_delay(error, attempt, waited, self.chance(attempt)) {
            None => then(self, Err(fault)),
            Some(delay) => {
                let waited = waited.saturating_add(delay);
                let next = Question { request, attempt: attempt.saturating_add(1), waited, then };
                let resume = Resume::new(move |()| self.attempt(next));
                if delay.is_zero() { resume.resume(()) } else { CompactionStep::Wait(delay, resume) }
            }
        }
    }

    /// What decides the jitter. There is no chance in here: it follows from the attempt and from where the machine
    /// happens to stand in memory, which differs between clients.
    fn chance(&self, attempt: u32) -> u16 {
        jitter(core::ptr::from_ref(&*self.asker).addr(), attempt)
    }

    fn record(&mut self, completed: Option<&DurableObject>, outcome: Option<&'static str>) {
        self.payloads.push(self.asker.payload(completed, outcome));
    }
}

/// Whether the provider says that the answer is all there is.
fn is_complete(completed: &DurableObject) -> bool {
    let says = |key: &str, word: &str| {
        completed.get(key).and_then(DurableValue::as_text).is_some_and(|text| **text == *word)
    };
    let has_details =
        completed.get("incomplete_details").is_some_and(|details| *details != DurableValue::NULL);
    says("status", "completed") && says("finish_reason", "stop") && !has_details
}

/// The failure as the retry policy knows it.
#[expect(clippy::wildcard_enum_match_arm, reason = "a kind that is new is judged by its status")]
fn as_error(failure: &ModelFailure) -> ModelError {
    let by_kind = match failure.kind {
        ModelFailureKind::RateLimited | ModelFailureKind::Connection => Some(true),
        ModelFailureKind::ContextOverflow
        | ModelFailureKind::Malformed
        | ModelFailureKind::Refused
        | ModelFailureKind::Unfinished => Some(false),
        _ => failure.status.map(|status| matches!(status, 429 | 500 | 502 | 503 | 504 | 529)),
    };
    match failure.retryable.or(by_kind) {
        Some(true) => ModelError::RateLimited { retry_after: failure.retry_after },
        retryable => ModelError::Other { what: failure.kind.as_str().into(), retryable },
    }
}
