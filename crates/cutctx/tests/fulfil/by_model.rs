//! Summaries by a model.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use cutctx::CompactionExecutor;
use cutctx::context::ModelRequest;
use cutctx::fulfil::{FulfilFault, Fulfilment, by_model};
use cutctx::messages::{Message, MessagePart};
use cutctx::models::{
    BoxFuture, Completion, FailedAttempt, FinishReason, ModelError, RetryPolicy, SummaryModel, TokenUsage,
};
use cutctx::types::Coded;

use crate::plans::{SECRET, plan, transcript};

/// Answers each call with the next of some answers, the last one for ever.
struct Scripted {
    answers: Mutex<Vec<Result<Completion, ModelError>>>,
    calls: AtomicUsize,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(mut answers: Vec<Result<Completion, ModelError>>) -> Self {
        answers.reverse();
        Self { answers: Mutex::new(answers), calls: AtomicUsize::new(0), asked: Mutex::default() }
    }
}

impl SummaryModel for Scripted {
    fn provider_name(&self) -> &'static str {
        "scripted"
    }

    fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let parts = request.messages.iter().flat_map(Message::content);
        let texts = parts
            .filter_map(|part| if let MessagePart::Text(text) = part { Some(&*text.text) } else { None });
        self.asked.lock().unwrap().push(texts.collect());
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop().unwrap() } else { answers[0].clone() };
        Box::pin(async move { answer.map_err(FailedAttempt::from) })
    }
}

fn answer(text: &str) -> Completion {
    Completion::of(text).finished(FinishReason::Stop).with_usage(TokenUsage::new(100, 10))
}

fn settings() -> Fulfilment {
    Fulfilment::default().with_retry_policy(RetryPolicy::default().without_delay())
}

#[test]
fn every_request_is_fulfilled_at_any_concurrency() {
    let transcript = transcript();
    let plan = plan(&transcript);
    for concurrency in [0, 1, 2, 9] {
        let model = Scripted::new(vec![Ok(answer("poles were measured"))]);
        let told = AtomicUsize::new(0);
        let after_each = |done: usize| {
            told.fetch_max(done, Ordering::SeqCst);
        };
        let settings = settings().with_concurrency(concurrency);
        let fulfilled = by_model(&plan, &model, &settings, &after_each).unwrap();
        assert_eq!((fulfilled.count, told.into_inner()), (2, 2));
        assert_eq!(fulfilled.usage, Some(TokenUsage::new(200, 20)));
        assert!(model.asked.lock().unwrap().iter().all(|asked| asked.contains(SECRET)));
        let applied = CompactionExecutor::new().apply(&transcript, &plan, &fulfilled.summaries).unwrap();
        let replaced = plan.summarization_requests().iter().map(|request| request.turn_ids().len());
        assert_eq!(applied.account.fates.summarized, replaced.sum::<usize>());
    }
}

#[test]
fn what_time_mends_is_tried_again() {
    let transcript = transcript();
    let model = Scripted::new(vec![
        Err(ModelError::Server { status: 503 }),
        Err(ModelError::Timeout),
        Ok(answer("so")),
    ]);
    let fulfilled = by_model(&plan(&transcript), &model, &settings(), &|_| {}).unwrap();
    assert_eq!((fulfilled.count, model.calls.into_inner()), (2, 4));
}

#[test]
fn a_failure_keeps_what_was_made_and_paid() {
    let transcript = transcript();
    let model = Scripted::new(vec![Ok(answer("so")), Err(ModelError::Overflow)]);
    let settings = settings().with_concurrency(1);
    let failed = by_model(&plan(&transcript), &model, &settings, &|_| {}).unwrap_err();
    assert_eq!(failed.error, FulfilFault::Model(ModelError::Overflow));
    assert_eq!((failed.done.count, failed.done.usage), (1, Some(TokenUsage::new(100, 10))));
    assert_eq!(failed.code().as_str(), "MODEL_CONTEXT_OVERFLOW");
    assert!(!format!("{failed} {failed:?}").contains(SECRET));
}

#[test]
fn half_an_answer_is_none() {
    let transcript = transcript();
    let called = {
        let mut completion = Completion::of("so");
        completion.called_tool = true;
        completion
    };
    let cases = [
        (Completion::of("so").finished(FinishReason::Length), ModelError::Incomplete { reason: "length" }),
        (Completion::of("so").finished(FinishReason::Refusal), ModelError::Incomplete { reason: "refusal" }),
        (Completion::of(" \n"), ModelError::Incomplete { reason: "blank" }),
        (called, ModelError::CalledTool),
    ];
    for (completion, expected) in cases {
        let model = Scripted::new(vec![Ok(completion)]);
        let failed = by_model(&plan(&transcript), &model, &settings(), &|_| {}).unwrap_err();
        assert_eq!(failed.error, FulfilFault::Model(expected));
    }
}
