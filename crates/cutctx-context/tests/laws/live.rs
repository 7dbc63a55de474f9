//! Contexts that stay in memory, beside those that are built anew.

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, CompactionStep, ContextOutcome, ContextRequest,
    ContextUsageState, LiveContext, LiveRequest, LiveResult, LiveStep, build_context_locally,
    context_input_coverage,
};
use cutctx_messages::{ContextError, DurableObject, Message, check_context};
use cutctx_types::{Coded as _, Role};
use proptest::prelude::*;

use crate::compactors::{self, WAYS};
use crate::sessions::{events, messages, round, says, session, text};

/// A step with what the policy's own compactor can do.
fn step(context: &mut LiveContext, request: &LiveRequest) -> LiveResult {
    let mut step = context.begin(request).unwrap();
    loop {
        step = match step {
            LiveStep::Done(result) => return *result,
            LiveStep::Summarize(request) => {
                let CompactionStep::Done(outcome) = context.compactor().begin(&request) else {
                    panic!("a model is wanted")
                };
                context.resume(outcome).unwrap()
            }
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_context_in_memory_is_the_one_that_is_built_anew(
        events in events(40),
        window in 900..3_000_u64,
        way in 0..WAYS,
        counts in any::<bool>(),
    ) {
        let policy = compactors::policy(way, window);
        let transcript = messages(&events);
        let mut live = LiveContext::new(&policy, session());
        let mut checkpoint: Option<DurableObject> = None;
        let mut usage = ContextUsageState::unknown();
        for (message, upto) in transcript.iter().zip(1..) {
            live.append(message.clone()).unwrap();
            if check_context(&transcript[..upto]).is_err() {
                let refused = live.begin(&LiveRequest::new()).unwrap_err();
                prop_assert_eq!(refused.code().as_str(), "DANGLING_CALLS");
                continue;
            }
            let request = ContextRequest::new(session(), &transcript[..upto]).with_usage(usage.clone());
            let built = build_context_locally(&policy, request, checkpoint.as_ref()).unwrap();
            let result = step(&mut live, &LiveRequest::new().with_usage(usage.clone()));
            prop_assert_eq!(live.messages(), &*built.messages);
            prop_assert_eq!(Some(result.outcome), built.outcome);
            prop_assert_eq!(&result.checkpoint, &built.checkpoint);
            checkpoint = built.checkpoint.or(checkpoint);
            let coverage = live.coverage().unwrap();
            let cursor = u64::try_from(upto).unwrap();
            prop_assert_eq!(&coverage, &context_input_coverage(&built.messages, cursor));
            if counts {
                usage = ContextUsageState::measured(700, coverage);
            }
        }
        let restored = LiveContext::restored(&policy, session(), &transcript, checkpoint.as_ref()).unwrap();
        prop_assert_eq!(restored.messages(), live.messages());
    }

    /// Whatever is given up, and whatever comes while a summary is waited for: what is shown is what is stored.
    #[test]
    fn an_interrupted_step_leaves_no_trace_that_is_not_stored(
        events in events(40),
        window in 900..3_000_u64,
        way in 0..WAYS,
        patience in prop::collection::vec(0..3_usize, 1..8),
        impatient in any::<bool>(),
    ) {
        let policy = compactors::policy(way, window);
        let transcript = messages(&events);
        let mut live = LiveContext::new(&policy, session());
        let mut checkpoint: Option<DurableObject> = None;
        let mut patience = patience.into_iter().cycle();
        let mut coming = transcript.iter().peekable();
        while let Some(message) = coming.next() {
            live.append(message.clone()).unwrap();
            let Ok(begun) = live.begin(&LiveRequest::new()) else { continue };
            let answers = patience.next().unwrap();
            let is_talk = |message: &&Message| message.role() == Role::User;
            if let Some(early) = coming.next_if(|message| {
                impatient && is_talk(message) && matches!(begun, LiveStep::Summarize(_))
            }) {
                live.append(early.clone()).unwrap();
            }
            let Some(result) = answered(&mut live, begun, answers) else { continue };
            checkpoint = result.checkpoint.or(checkpoint);
            let shown = &transcript[..live.source_len()];
            let restored = LiveContext::restored(&policy, session(), shown, checkpoint.as_ref()).unwrap();
            prop_assert_eq!(restored.messages(), live.messages());
        }
    }
}

/// What comes of a step whose first so many questions are answered; `None` where there is one more.
fn answered(context: &mut LiveContext, mut step: LiveStep, most: usize) -> Option<LiveResult> {
    for _ in 0..=most {
        step = match step {
            LiveStep::Done(result) => return Some(*result),
            LiveStep::Summarize(request) => {
                let CompactionStep::Done(outcome) = context.compactor().begin(&request) else { return None };
                context.resume(outcome).unwrap()
            }
        };
    }
    if let LiveStep::Done(result) = step { Some(*result) } else { None }
}

#[test]
fn a_summary_is_not_lost_when_something_is_said_while_it_is_written() {
    let policy = compactors::policy(1, 1_500);
    let mut live = LiveContext::new(&policy, session());
    for at in 0..40 {
        live.append(says(Role::User, &text(at, 300))).unwrap();
    }
    let LiveStep::Summarize(request) = live.begin(&LiveRequest::new()).unwrap() else { panic!("no summary") };
    live.append(says(Role::User, "and hurry")).unwrap();
    let CompactionStep::Done(outcome) = live.compactor().begin(&request) else { panic!("a model") };
    let LiveStep::Done(result) = live.resume(outcome).unwrap() else { panic!("another summary") };
    assert!(matches!(result.outcome, ContextOutcome::Compacted { .. }), "{:?}", result.outcome);
    let stored = serde_json::to_value(result.checkpoint.unwrap()).unwrap();
    assert_eq!(stored["budgeted_context"]["summaries"].as_object().unwrap().len(), 1);
    assert_eq!(live.messages().last(), Some(&says(Role::User, "and hurry")));
}

#[test]
fn what_cannot_stand_there_is_refused_and_leaves_the_context_as_it_was() {
    let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(3_000)).unwrap();
    let mut live = LiveContext::new(&policy, session());
    assert_eq!(live.begin(&LiveRequest::new()).unwrap_err().code().as_str(), "EMPTY_CONTEXT");
    live.append(says(Role::User, "paint the fence")).unwrap();
    let [calling, answering] = round(1, &["the plank is dry"]);
    let orphan = live.append(answering.clone()).unwrap_err();
    assert_eq!(orphan.fault(), &ContextError::OrphanResult { message: 1 }.into());
    live.append(calling).unwrap();
    assert_eq!((live.messages().len(), live.source_len()), (1, 2));
    let unanswered = live.append(says(Role::User, "well?")).unwrap_err();
    assert_eq!(unanswered.fault(), &ContextError::CallsWithoutResults { message: 2 }.into());
    live.append(answering).unwrap();
    assert_eq!((live.messages().len(), live.source_len()), (3, 3));
}

#[test]
fn a_step_that_was_given_up_is_begun_anew() {
    let policy = compactors::policy(1, 1_500);
    let mut live = LiveContext::new(&policy, session());
    for at in 0..40 {
        live.append(says(Role::User, &text(at, 300))).unwrap();
    }
    let LiveStep::Summarize(first) = live.begin(&LiveRequest::new()).unwrap() else { panic!("no summary") };
    let LiveStep::Summarize(again) = live.begin(&LiveRequest::new()).unwrap() else { panic!("no summary") };
    assert_eq!(first.messages, again.messages);
    let CompactionStep::Done(outcome) = live.compactor().begin(&again) else { panic!("a model") };
    let LiveStep::Done(result) = live.resume(outcome).unwrap() else { panic!("another summary") };
    assert!(matches!(result.outcome, ContextOutcome::Compacted { .. }), "{:?}", result.outcome);
    assert_eq!(result.first_changed_message, Some(1), "the first one is the task");
}
