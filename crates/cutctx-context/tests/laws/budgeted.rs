//! The recommended policy.

use alloc::sync::Arc;

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, ContextBuildResult, ContextOutcome, ContextRequest,
    ContextUsageState, DegradedReason, ExtractiveCompactor, InvalidatedReason, build_context_locally,
    context_input_coverage,
};
use cutctx_messages::{DurableObject, Message, check_context};
use cutctx_policies::{DropOldestPolicy, ObservationMaskingPolicy};
use cutctx_types::{CharRatioEstimator, Role};
use proptest::prelude::*;

use crate::compactors::{self, Manner, Odd, WAYS};
use crate::sessions::{Event, events, messages, says, session};

fn policy(window: u64) -> BudgetedContextPolicy {
    BudgetedContextPolicy::new(BudgetedContextSettings::for_window(window)).unwrap()
}

fn failing(window: u64) -> BudgetedContextPolicy {
    let settings = BudgetedContextSettings::for_window(window);
    let compactor = Arc::new(Odd(Manner::Fails));
    BudgetedContextPolicy::with(settings, compactor, Arc::new(CharRatioEstimator::default())).unwrap()
}

fn step(
    policy: &BudgetedContextPolicy,
    messages: &[Message],
    checkpoint: &mut Option<DurableObject>,
) -> ContextBuildResult {
    let request = ContextRequest::new(session(), messages);
    let built = build_context_locally(policy, request, checkpoint.as_ref()).unwrap();
    if let Some(new) = &built.checkpoint {
        // What is stored is what is read back.
        let json = serde_json::to_string(new).unwrap();
        *checkpoint = Some(serde_json::from_str(&json).unwrap());
    }
    built
}

fn tokens(outcome: Option<ContextOutcome>) -> u64 {
    match outcome.unwrap() {
        ContextOutcome::Unchanged { tokens, .. } => tokens,
        ContextOutcome::Compacted { tokens_after, .. } | ContextOutcome::Degraded { tokens_after, .. } => {
            tokens_after
        }
        ContextOutcome::OverBudget { needed, .. } => needed,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Over a whole session: contexts are well formed and fit, they only grow at their end between two compactions, and
    /// the same messages and the same checkpoint give the same context.
    #[test]
    fn a_session_stays_within_its_window(
        events in events(40),
        window in 900..3_000_u64,
        way in 0..WAYS,
    ) {
        let policy = compactors::policy(way, window);
        let limit = policy.settings().limit_tokens;
        let transcript = messages(&events);
        let mut checkpoint = None;
        let mut last: Vec<Message> = Vec::new();
        for upto in 1..=transcript.len() {
            if check_context(&transcript[..upto]).is_err() {
                continue;
            }
            let built = step(&policy, &transcript[..upto], &mut checkpoint);
            prop_assert_eq!(check_context(&built.messages), Ok(()));
            let shown = built.messages.to_vec();
            match built.outcome.unwrap() {
                ContextOutcome::Unchanged { .. } => {
                    prop_assert!(shown.starts_with(&last), "an unchanged context does not begin as the last one");
                    prop_assert!(built.checkpoint.is_none());
                }
                ContextOutcome::OverBudget { needed, allowed, floor } => {
                    prop_assert!(needed > allowed);
                    prop_assert!(floor > allowed, "floor {floor} fits into {allowed}, needed {needed}");
                }
                ContextOutcome::Compacted { .. } | ContextOutcome::Degraded { .. } | _ => {}
            }
            let over = matches!(built.outcome, Some(ContextOutcome::OverBudget { .. }));
            prop_assert!(over || tokens(built.outcome) <= limit);
            let again = step(&policy, &transcript[..upto], &mut checkpoint.clone());
            prop_assert_eq!(&again.messages, &built.messages, "the same transcript gives another context");
            last = shown;
        }
    }
}

fn chatter(turns: usize) -> Vec<Message> {
    let events: Vec<Event> =
        (0..turns).flat_map(|_| [Event::Says(400), Event::Reads(vec![1_500]), Event::Asks(60)]).collect();
    messages(&events)
}

#[test]
fn what_was_remembered_of_other_messages_is_not_used() {
    let policy = policy(3_000);
    let transcript = chatter(20);
    let mut checkpoint = None;
    let built = step(&policy, &transcript, &mut checkpoint);
    assert!(
        matches!(built.outcome, Some(ContextOutcome::Compacted { invalidated: None, .. })),
        "{:?}",
        built.outcome
    );

    let mut edited = transcript.clone();
    edited[2] = says(Role::Assistant, "something else was said");
    let built = step(&policy, &edited, &mut checkpoint.clone());
    let Some(ContextOutcome::Compacted { invalidated, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert_eq!(invalidated, Some(InvalidatedReason::ContentChanged));

    let built = step(&policy, &transcript[..3], &mut checkpoint.clone());
    let Some(ContextOutcome::Unchanged { invalidated, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert_eq!(invalidated, Some(InvalidatedReason::TranscriptShorter));

    let mut unreadable: Option<DurableObject> =
        Some(serde_json::from_str(r#"{"budgeted_context": {"version": 99}, "other": 1}"#).unwrap());
    let built = step(&policy, &transcript[..3], &mut unreadable);
    let Some(ContextOutcome::Unchanged { invalidated, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert_eq!(invalidated, Some(InvalidatedReason::Unreadable));
    let kept = unreadable.unwrap();
    assert!(kept.get("other").is_some(), "what others stored is lost");
}

#[test]
fn two_policies_of_one_session_do_not_share_what_they_remember() {
    let own = |name: &str| {
        let key = Some(cutctx_messages::CleanText::new(name).unwrap());
        let settings = BudgetedContextSettings { key, ..BudgetedContextSettings::for_window(3_000) };
        BudgetedContextPolicy::new(settings).unwrap()
    };
    let transcript = chatter(20);
    let mut checkpoint = None;
    step(&own("a"), &transcript, &mut checkpoint);
    let alone = step(&own("b"), &transcript, &mut None);
    let beside = step(&own("b"), &transcript, &mut checkpoint);
    assert_eq!(alone.messages, beside.messages);
    assert!(checkpoint.is_some_and(|checkpoint| checkpoint.len() == 2));
}

#[test]
fn without_a_summary_the_context_is_compacted_all_the_same() {
    let policy = failing(8_000);
    let events: Vec<Event> = (0..52).flat_map(|_| [Event::Says(430), Event::Asks(20)]).collect();
    let transcript = messages(&events);
    let mut checkpoint = None;
    let built = step(&policy, &transcript, &mut checkpoint);
    let Some(ContextOutcome::Degraded { reason, tokens_after, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert_eq!(reason, DegradedReason::SummaryFailed);
    assert!(tokens_after <= policy.settings().low_water_tokens);
    assert_eq!(built.messages.iter().filter(|message| message.role() == Role::System).count(), 1);

    // It is not asked again for the same.
    let built = step(&policy, &transcript, &mut checkpoint);
    assert!(built.compaction_telemetry.is_empty(), "{:?}", built.outcome);
}

#[test]
fn what_was_sent_is_counted_by_the_provider_also_after_a_compaction() {
    let policy = policy(3_000);
    let mut transcript = chatter(20);
    let mut checkpoint = None;
    let sent = step(&policy, &transcript, &mut checkpoint);
    let estimated = tokens(sent.outcome);

    // The provider counts twice what was estimated.
    let coverage = context_input_coverage(&sent.messages, 0);
    let usage = ContextUsageState::measured(estimated.saturating_mul(2), coverage);
    transcript.push(says(Role::Assistant, "done"));
    let request = ContextRequest::new(session(), transcript).with_usage(usage);
    let built = build_context_locally(&policy, request, checkpoint.as_ref()).unwrap();
    let Some(ContextOutcome::Compacted { tokens_before, tokens_after, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert!(tokens_before > estimated.saturating_mul(2), "{tokens_before}");
    assert!(tokens_after <= policy.settings().low_water_tokens, "{tokens_after}");
}

#[test]
fn an_overflow_that_was_not_expected_compacts() {
    let policy = policy(20_000);
    let transcript = chatter(10);
    let mut request = ContextRequest::new(session(), transcript);
    request.force_bounded_compaction = true;
    let built = build_context_locally(&policy, request, None).unwrap();
    let Some(ContextOutcome::Compacted { tokens_before, tokens_after, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert!(tokens_before > policy.settings().limit_tokens);
    assert!(tokens_after <= policy.settings().low_water_tokens);
}

#[test]
fn one_huge_result_at_the_end_is_shortened_and_one_huge_request_is_told() {
    let policy = policy(2_000);
    let huge = messages(&[Event::Reads(vec![60_000])]);
    let built = step(&policy, &huge, &mut None);
    let Some(ContextOutcome::Degraded { reason, tokens_after, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert_eq!(reason, DegradedReason::RecentShortened);
    assert!(tokens_after <= policy.settings().limit_tokens);

    let huge = messages(&[Event::Asks(60_000)]);
    let built = step(&policy, &huge, &mut None);
    let Some(ContextOutcome::OverBudget { needed, allowed, floor }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert!(floor > allowed && needed >= floor);
}

/// A request that is too large to be sent takes nothing else away, and where it may be cut what was before has room, too.
#[test]
fn a_huge_request_is_cut_only_where_that_is_allowed_and_costs_no_history_either_way() {
    let mut events: Vec<Event> = (0..6).flat_map(|_| [Event::Asks(40), Event::Says(200)]).collect();
    events.push(Event::Asks(60_000));
    let transcript = messages(&events);
    for clip_active in [false, true] {
        let settings = BudgetedContextSettings { clip_active, ..BudgetedContextSettings::for_window(3_000) };
        let policy = BudgetedContextPolicy::new(settings).unwrap();
        let built = step(&policy, &transcript, &mut None);
        assert_eq!(built.messages.len(), transcript.len(), "{:?}", built.outcome);
        assert_eq!(built.messages[..transcript.len() - 1], transcript[..transcript.len() - 1]);
        if clip_active {
            let Some(ContextOutcome::Degraded { reason, tokens_after, .. }) = built.outcome else {
                panic!("{:?}", built.outcome)
            };
            assert_eq!(reason, DegradedReason::RecentShortened);
            assert!(tokens_after <= policy.settings().high_water_tokens);
        } else {
            assert!(matches!(built.outcome, Some(ContextOutcome::OverBudget { .. })), "{:?}", built.outcome);
            assert_eq!(built.messages.last(), transcript.last());
        }
    }
}

#[test]
fn a_summary_gets_the_budget_that_was_set_aside_and_an_estimator_of_ones_own_counts() {
    let settings = BudgetedContextSettings::for_window(6_000);
    let budget = settings.summary_tokens;
    let compactor = Arc::new(ExtractiveCompactor::default());
    let estimator = Arc::new(CharRatioEstimator::new(2.0).unwrap());
    let policy = BudgetedContextPolicy::with(settings, compactor, estimator).unwrap();
    let events: Vec<Event> = (0..60).flat_map(|_| [Event::Says(400), Event::Asks(20)]).collect();
    let built = step(&policy, &messages(&events), &mut None);
    assert!(matches!(built.outcome, Some(ContextOutcome::Compacted { .. })), "{:?}", built.outcome);
    let summary = built.messages.iter().filter(|message| message.role() == Role::User).nth(1).unwrap();
    let json = serde_json::to_string(summary).unwrap();
    // The compactor counts four characters a token.
    let most = usize::try_from(budget.saturating_mul(4)).unwrap();
    assert!(json.chars().count() < most.saturating_add(200), "{}", json.len());
}

#[test]
fn a_policy_over_turns_chooses_which_results_are_shortened() {
    let planner = Arc::new(ObservationMaskingPolicy::new().with_keep_recent_results(0));
    let plain = policy(6_000);
    let planning = policy(6_000).planning_with(planner);
    let mut transcript = messages(&[]);
    for at in 0..12 {
        transcript.extend(crate::sessions::round(at, &[&crate::sessions::text(at, 2_000)]));
    }
    let alone = step(&plain, &transcript, &mut None);
    let mut checkpoint = None;
    let built = step(&planning, &transcript, &mut checkpoint);
    assert!(matches!(built.outcome, Some(ContextOutcome::Compacted { .. })), "{:?}", built.outcome);
    assert!(built.compaction_telemetry.is_empty(), "no summary is wanted");
    assert_ne!(built.messages, alone.messages, "the planner is not asked");
    assert_eq!(built.messages.len(), transcript.len());
    assert_eq!(check_context(&built.messages), Ok(()));
    let stored = serde_json::to_value(&checkpoint).unwrap();
    let fates = stored["budgeted_context"]["fates"].as_array().unwrap();
    let masks = fates.iter().filter(|fate| fate.as_str().unwrap().starts_with("mask ")).count();
    assert!(masks > 2, "{stored}");

    // The next step shows the same, and goes on.
    transcript.push(says(Role::Assistant, "done"));
    let next = step(&planning, &transcript, &mut checkpoint);
    assert!(
        matches!(next.outcome, Some(ContextOutcome::Unchanged { invalidated: None, .. })),
        "{:?}",
        next.outcome
    );
    assert!(next.messages.starts_with(&built.messages));

    // What was shortened is bound to what it was made of.
    let mut edited = transcript.clone();
    edited[2] = says(Role::Assistant, "something else was said");
    edited.remove(3);
    let built = step(&planning, &edited, &mut checkpoint);
    let Some(ContextOutcome::Compacted { invalidated, .. }) = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert_eq!(invalidated, Some(InvalidatedReason::ContentChanged));
}

/// At the border between what fits and what does not, the floor tells the truth.
#[test]
fn a_context_whose_floor_fits_is_not_over_its_budget() {
    let mut seen = 0_usize;
    for chars in (2_000..4_400).step_by(20) {
        let policy = policy(1_200);
        let events = [Event::Says(900), Event::Reads(vec![900]), Event::Says(300), Event::Asks(chars)];
        let built = step(&policy, &messages(&events), &mut None);
        if let Some(ContextOutcome::OverBudget { allowed, floor, .. }) = built.outcome {
            assert!(floor > allowed, "{chars}: {floor} fits into {allowed}");
            seen = seen.saturating_add(1);
        }
    }
    assert!(seen > 5, "{seen}");
}

/// Where the context cannot fit, a compactor is not asked at every step for what hardly helps.
#[test]
fn what_cannot_fit_does_not_ask_for_a_summary_at_every_step() {
    let policy = compactors::policy(1, 2_000);
    let mut transcript = messages(&[]);
    transcript[1] = says(Role::System, &crate::sessions::text(1, 9_000));
    let (mut checkpoint, mut calls, mut builds) = (None, 0_usize, 0_usize);
    for at in 0..60 {
        transcript.push(says(Role::User, &crate::sessions::text(at, 60)));
        let built = step(&policy, &transcript, &mut checkpoint);
        assert!(matches!(built.outcome, Some(ContextOutcome::OverBudget { .. })), "{:?}", built.outcome);
        calls = calls.saturating_add(built.compaction_telemetry.len() / 2);
        builds = builds.saturating_add(1);
    }
    assert!(calls.saturating_mul(6) <= builds, "{calls} calls in {builds} builds");
}

/// Providers want the user's words first: where they were too long to stay, a note stands for them.
#[test]
fn a_context_begins_with_the_user_where_the_session_does() {
    let policy = policy(3_000).planning_with(Arc::new(DropOldestPolicy::new()));
    let events: Vec<Event> = (0..12).flat_map(|_| [Event::Says(400), Event::Reads(vec![1_500])]).collect();
    let mut transcript = messages(&events);
    transcript[1] = says(Role::User, &crate::sessions::text(1, 4_000));
    let built = step(&policy, &transcript, &mut None);
    assert!(matches!(built.outcome, Some(ContextOutcome::Compacted { .. })), "{:?}", built.outcome);
    assert!(!built.messages.contains(&transcript[1]) && !built.messages.contains(&transcript[2]));
    let roles: Vec<Role> = built.messages.iter().map(Message::role).take(3).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant]);
    let note = serde_json::to_string(&built.messages[1]).unwrap();
    assert!(note.contains("earlier messages were left out"), "{note}");
}

#[test]
fn what_frees_too_little_is_told_and_not_tried_again_until_something_was_added() {
    let settings =
        BudgetedContextSettings { min_gain_tokens: 2_500, ..BudgetedContextSettings::for_window(3_000) };
    let policy = BudgetedContextPolicy::new(settings).unwrap();
    let transcript = messages(&(0..22).map(|_| Event::Says(400)).collect::<Vec<Event>>());
    let mut checkpoint = None;
    for _ in 0..2 {
        let built = step(&policy, &transcript, &mut checkpoint);
        let Some(ContextOutcome::Degraded { reason, .. }) = built.outcome else {
            panic!("{:?}", built.outcome)
        };
        assert_eq!(reason, DegradedReason::LittleGain);
        assert_eq!(*built.messages, transcript[..], "nothing is done by halves");
    }
    let stored = serde_json::to_value(&checkpoint).unwrap();
    assert!(stored["budgeted_context"]["stalled_at"].as_u64().is_some_and(|at| at > 2_100), "{stored}");
}
