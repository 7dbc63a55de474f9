//! First compactions of long sessions, and the step after them.

#![expect(clippy::print_stderr, reason = "a bench that cannot run says why")]

extern crate alloc;

use alloc::sync::Arc;
use core::error::Error;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, CheckpointCompactionContextPolicy,
    CheckpointCompactionSettings, ContextPolicy, ContextRequest, ExtractiveCompactor, LiveContext,
    LiveRequest, Session, build_context_locally,
};
use cutctx_messages::{DurableObject, Message, MessageError, TextPart, ToolCallPart, ToolResultPart};
use cutctx_types::{CharRatioEstimator, Role};

/// A policy over a session.
struct Case {
    name: String,
    policy: Box<dyn ContextPolicy>,
    request: ContextRequest,
    checkpoint: Option<DurableObject>,
}

impl Case {
    fn build(&self) -> Option<DurableObject> {
        let built = build_context_locally(&*self.policy, self.request.clone(), self.checkpoint.as_ref());
        built.ok()?.checkpoint
    }
}

const COUNTS: [usize; 6] = [102, 202, 402, 802, 10_000, 100_000];

fn first_compaction(criterion: &mut Criterion) {
    measure(criterion, "first compaction", COUNTS.into_iter().map(first_cases));
}

fn next_step(criterion: &mut Criterion) {
    measure(criterion, "next step", COUNTS.into_iter().map(next_cases));
}

type Cases = Result<Vec<Case>, Box<dyn Error>>;

fn measure(criterion: &mut Criterion, name: &str, all: impl Iterator<Item = Cases>) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for cases in all {
        match cases {
            Ok(cases) => cases.iter().for_each(|case| {
                group.bench_function(&case.name, |bencher| bencher.iter(|| case.build()));
            }),
            Err(error) => eprintln!("{name} is left out: {error}"),
        }
    }
    group.finish();
}

fn first_cases(count: usize) -> Cases {
    let messages = session(count)?;
    let policies: [(&str, Box<dyn ContextPolicy>); 3] = [
        ("size mode", Box::new(by_size(count)?)),
        ("budgeted", Box::new(budgeted(count)?)),
        ("budgeted, extract", Box::new(summarizing(count)?)),
    ];
    let case = |(name, policy)| {
        let request = ContextRequest::new(Session::new("s", "a")?, messages.clone());
        Ok(Case { name: format!("{name}, {count}"), policy, request, checkpoint: None })
    };
    policies.into_iter().map(case).collect()
}

/// The step after a first compaction, with one message more.
fn next_cases(count: usize) -> Cases {
    let cases = first_cases(count)?;
    let reply = [says(Role::Assistant, "done")?];
    Ok(cases
        .into_iter()
        .map(|mut case| {
            case.checkpoint = case.build();
            case.request.messages = [&case.request.messages, &reply[..]].concat().into();
            case
        })
        .collect())
}

fn by_size(count: usize) -> Result<CheckpointCompactionContextPolicy, Box<dyn Error>> {
    let tokens = u64::try_from(count)?;
    let settings = CheckpointCompactionSettings {
        reserved_summary_tokens: 100,
        enforce_recent_context_target: false,
        ..CheckpointCompactionSettings::by_size(tokens.saturating_mul(3), tokens.saturating_add(200))
    };
    let compactor = Arc::new(ExtractiveCompactor::new(64)?);
    Ok(CheckpointCompactionContextPolicy::new(compactor, settings)?)
}

/// Marks so that the whole session is a little above the high one.
fn settings(count: usize) -> Result<BudgetedContextSettings, Box<dyn Error>> {
    let window = u64::try_from(count)?.saturating_mul(3).saturating_add(1_000);
    Ok(BudgetedContextSettings::for_window(window))
}

fn budgeted(count: usize) -> Result<BudgetedContextPolicy, Box<dyn Error>> {
    Ok(BudgetedContextPolicy::new(settings(count)?)?)
}

fn summarizing(count: usize) -> Result<BudgetedContextPolicy, Box<dyn Error>> {
    let (compactor, estimator) = (ExtractiveCompactor::default(), CharRatioEstimator::default());
    Ok(BudgetedContextPolicy::with(settings(count)?, Arc::new(compactor), Arc::new(estimator))?)
}

/// One message more, and a step, of a session that stays in memory.
fn live_step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("live step");
    for count in LIVE {
        match live(count).and_then(|live| Ok((live, says(Role::Assistant, "done")?))) {
            Ok((live, reply)) => {
                let step = |mut live: LiveContext| {
                    let done = live.append(reply.clone()).and_then(|()| live.begin(&LiveRequest::new()));
                    (live, done.is_ok())
                };
                // A clone has no room for more: the step before the one that is measured makes it.
                let grown = || step(live.clone()).0;
                group.bench_function(format!("{count}"), |bencher| {
                    bencher.iter_batched(grown, step, BatchSize::PerIteration);
                });
            }
            Err(error) => eprintln!("live step is left out: {error}"),
        }
    }
    group.finish();
}

const LIVE: [usize; 3] = [1_000, 10_000, 100_000];

/// A session of so many messages behind its first compaction, in a window of 20,000 tokens.
fn live(count: usize) -> Result<LiveContext, Box<dyn Error>> {
    let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(20_000))?;
    let mut live = LiveContext::restored(&policy, Session::new("s", "a")?, &session(count)?, None)?;
    live.begin(&LiveRequest::new())?;
    Ok(live)
}

fn says(role: Role, text: &str) -> Result<Message, MessageError> {
    Message::new(role, vec![TextPart::new(text)?.into()])
}

/// A session of about so many short messages: requests, answers, rounds of a tool.
fn session(count: usize) -> Result<Vec<Message>, MessageError> {
    let mut messages = vec![says(Role::User, "paint the fence")?];
    for plank in 0..count / 4 {
        let id = format!("call_{plank}");
        let call = ToolCallPart::new(&*id, "look", DurableObject::empty())?;
        let result = ToolResultPart::new(&*id, "look", "the plank is dry and looks fine")?;
        messages.push(says(Role::Assistant, &format!("plank {plank} is painted; the brush is cleaned"))?);
        messages.push(Message::new(Role::Assistant, vec![call.into()])?);
        messages.push(Message::new(Role::Tool, vec![result.into()])?);
        messages.push(says(Role::User, "go on with the next one, please")?);
    }
    Ok(messages)
}

criterion_group!(benches, first_compaction, next_step, live_step);
criterion_main!(benches);
