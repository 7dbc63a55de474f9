//! Contexts over turns: what becomes of each, and that nothing is lost on the way.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;

use cutctx_context::{
    CompactionStep, ContextOutcome, InvalidatedReason, TurnContextRequest, TurnContextResult, TurnStep,
    TurnUsage, build_turn_context_locally,
};
use cutctx_messages::{DurableObject, Message, MessageEstimator, MessageView, TurnMapper, check_context};
use cutctx_types::{Action, CharRatioEstimator, Role, Sha256Digest, Transcript, TranscriptTurn};
use proptest::prelude::*;

use crate::compactors::{self, WAYS};
use crate::sessions::{Event, events, messages, session};

fn turns(messages: &[Message]) -> Vec<TranscriptTurn> {
    let estimator = CharRatioEstimator::default();
    let mut mapper = TurnMapper::new(&estimator);
    for message in messages {
        mapper.push(&MessageView::from(message)).unwrap();
    }
    mapper.finish().turns
}

fn request(messages: &[Message]) -> TurnContextRequest {
    TurnContextRequest::new(session(), Transcript::new(turns(messages)).unwrap())
}

fn step(
    way: usize,
    window: u64,
    request: TurnContextRequest,
    checkpoint: &mut Option<DurableObject>,
) -> TurnContextResult {
    let policy = compactors::policy(way, window);
    let built = build_turn_context_locally(&policy, request, checkpoint.as_ref()).unwrap();
    if let Some(new) = &built.checkpoint {
        let json = serde_json::to_string(new).unwrap();
        *checkpoint = Some(serde_json::from_str(&json).unwrap());
    }
    built
}

/// The view that these fates make of these turns, written down as simply as can be.
fn view_of(turns: &[TranscriptTurn], built: &TurnContextResult) -> Vec<(String, String)> {
    let mut told = BTreeSet::new();
    let mut view = Vec::new();
    for (turn, action) in turns.iter().zip(&built.actions) {
        let id = turn.turn_id().to_string();
        match action {
            Action::Keep => view.push((id, turn.content().to_string())),
            Action::Mask(stub) => view.push((id, stub.content.to_string())),
            Action::Trim(trim) => view.push((id, trim.cut(turn).content)),
            Action::Summarize { group } if told.insert(group.clone()) => {
                view.push((format!("summary:{group}"), built.summaries.get(group).unwrap().to_owned()));
            }
            Action::Summarize { .. } | Action::Drop => {}
        }
    }
    view
}

/// What a fate shows of a turn, in tokens; nothing of a turn that is gone, and less of one that was dropped.
fn size(turn: &TranscriptTurn, action: &Action) -> i128 {
    match action {
        Action::Keep => i128::from(turn.token_estimate()),
        Action::Mask(stub) => i128::from(stub.token_estimate),
        Action::Trim(trim) => i128::from(trim.token_estimate),
        Action::Summarize { .. } => -1,
        Action::Drop => -2,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Each turn has one fate, the view is what the fates make of the turns, an exchange is never separated, what was
    /// compacted is never shown larger again, and no summary stands for nothing.
    #[test]
    fn nothing_is_lost_and_nothing_comes_back(events in events(40), window in 900..3_000_u64, way in 0..WAYS) {
        let transcript = messages(&events);
        let mut checkpoint = None;
        let mut last: Vec<Action> = Vec::new();
        let mut shown: Vec<TranscriptTurn> = Vec::new();
        for upto in 1..=transcript.len() {
            if check_context(&transcript[..upto]).is_err() {
                continue;
            }
            let source = turns(&transcript[..upto]);
            let built = step(way, window, request(&transcript[..upto]), &mut checkpoint);
            prop_assert_eq!(built.actions.len(), source.len());
            prop_assert_eq!(built.fates().len(), source.len());
            let view: Vec<(String, String)> =
                built.view.iter().map(|turn| (turn.turn_id().to_string(), turn.content().to_string())).collect();
            prop_assert_eq!(&view, &view_of(&source, &built));
            let groups: BTreeSet<_> = built
                .actions
                .iter()
                .filter_map(|action| if let Action::Summarize { group } = action { Some(group.clone()) } else { None })
                .collect();
            prop_assert_eq!(groups.len(), built.summaries.len());
            for (turn, other) in source.iter().zip(source.iter().skip(1)) {
                if turn.tool_call_id().is_some() && turn.tool_call_id() == other.tool_call_id() {
                    let at = source.iter().position(|known| known.turn_id() == turn.turn_id()).unwrap();
                    let (left, right) = (&built.actions[at], &built.actions[at.saturating_add(1)]);
                    let gone = |action: &Action| size(turn, action).min(0);
                    prop_assert_eq!(gone(left), gone(right), "an exchange is separated");
                }
            }
            for ((turn, before), now) in source.iter().zip(&last).zip(&built.actions) {
                prop_assert!(size(turn, now) <= size(turn, before), "{before:?} became {now:?}");
            }
            if matches!(built.outcome, ContextOutcome::Unchanged { .. }) {
                prop_assert!(built.view.starts_with(&shown));
                prop_assert_eq!(built.first_changed_turn, None);
            }
            let again = step(way, window, request(&transcript[..upto]), &mut checkpoint.clone());
            prop_assert_eq!(&again.actions, &built.actions);
            prop_assert_eq!(&again.view, &built.view);
            last.clone_from(&built.actions);
            shown.clone_from(&built.view);
        }
    }
}

fn chatter(turns: usize) -> Vec<Message> {
    let events: Vec<Event> =
        (0..turns).flat_map(|_| [Event::Says(400), Event::Reads(vec![1_500]), Event::Asks(60)]).collect();
    messages(&events)
}

#[test]
fn what_the_provider_counted_counts_until_the_context_is_rewritten() {
    let transcript = chatter(6);
    let known = turns(&transcript).len().saturating_sub(1);
    let counted = |input: u64| request(&transcript).with_usage(TurnUsage::new(input, known));
    let mut checkpoint = None;
    let built = step(0, 8_000, counted(3_000), &mut checkpoint);
    let ContextOutcome::Unchanged { tokens, .. } = built.outcome else { panic!("{:?}", built.outcome) };
    assert!((3_000..3_100).contains(&tokens), "{tokens}");
    let built = step(0, 8_000, counted(7_000), &mut checkpoint);
    assert!(matches!(built.outcome, ContextOutcome::Compacted { .. }), "{:?}", built.outcome);
    assert_eq!(built.rewrites, 1);
    assert!(built.first_changed_turn.is_some());
    // The same count is about what was sent before.
    let built = step(0, 8_000, counted(7_000), &mut checkpoint);
    assert!(matches!(built.outcome, ContextOutcome::Unchanged { .. }), "{:?}", built.outcome);
}

#[test]
fn a_checkpoint_is_bound_to_the_turns_that_it_was_made_of() {
    let transcript = chatter(12);
    let mut checkpoint = None;
    let built = step(1, 3_000, request(&transcript), &mut checkpoint);
    assert!(matches!(built.outcome, ContextOutcome::Compacted { .. }), "{:?}", built.outcome);
    assert_eq!((built.compactor_calls, built.summaries.len()), (1, 1));
    let invalidated =
        |messages: &[Message]| step(1, 3_000, request(messages), &mut checkpoint.clone()).invalidated;
    assert_eq!(invalidated(&transcript), None);
    assert_eq!(invalidated(&transcript[..4]), Some(InvalidatedReason::TranscriptShorter));
    let mut edited = transcript.clone();
    edited[2] = crate::sessions::says(Role::Assistant, "something else was said");
    assert_eq!(invalidated(&edited), Some(InvalidatedReason::ContentChanged));
    let mut regenerated = transcript.clone();
    regenerated.pop();
    assert_eq!(invalidated(&regenerated), None, "what is kept as it is may be said anew");

    // One that was made over messages is not about turns.
    let policy = compactors::policy(1, 3_000);
    let over_messages = cutctx_context::ContextRequest::new(session(), &*transcript);
    let built = cutctx_context::build_context_locally(&policy, over_messages, None).unwrap();
    let mut other = built.checkpoint;
    let built = step(1, 3_000, request(&transcript), &mut other);
    assert_eq!(built.invalidated, Some(InvalidatedReason::ContentChanged));
}

/// What anybody may have written into a checkpoint is used only where a plan could have given it.
#[test]
fn fates_that_no_plan_gives_are_not_used() {
    let transcript = chatter(12);
    let mut checkpoint = None;
    step(1, 3_000, request(&transcript), &mut checkpoint);
    let stored = serde_json::to_value(&checkpoint).unwrap();
    let invalidated = |fates: serde_json::Value, summaries: serde_json::Value| {
        let mut hostile = stored.clone();
        hostile["budgeted_context"]["fates"] = fates;
        hostile["budgeted_context"]["summaries"] = summaries;
        let mut hostile: Option<DurableObject> = Some(serde_json::from_value(hostile).unwrap());
        step(1, 3_000, request(&transcript), &mut hostile).invalidated
    };
    let none = serde_json::json!({});
    let unreadable = Some(InvalidatedReason::Unreadable);
    // The system's turn goes; a result goes and its call stays; more fates than turns; a trim outside of its text.
    for fates in [
        serde_json::json!(["drop 1"]),
        serde_json::json!(["keep 4", "drop 1"]),
        serde_json::json!(["keep 99999999999999"]),
        serde_json::json!(["keep 2", "trim 3 0:100000-200000"]),
        serde_json::json!(["keep 2", "trim 3 9:0-4"]),
        serde_json::json!(["keep 2", "into 1 nowhere"]),
        serde_json::json!([7]),
        serde_json::json!("keep 2"),
    ] {
        assert_eq!(invalidated(fates.clone(), none.clone()), unreadable, "{fates}");
    }
    // Fates of turns that they were not made of.
    let mut unbound = stored.clone();
    unbound["budgeted_context"]["source_count"] = 0.into();
    unbound["budgeted_context"]["source_sha256"] = Sha256Digest::of_bytes(b"").to_hex().into();
    let mut unbound: Option<DurableObject> = Some(serde_json::from_value(unbound).unwrap());
    assert_eq!(step(1, 3_000, request(&transcript), &mut unbound).invalidated, unreadable);
    let groups = serde_json::json!({ "a": "what was", "unused": "never" });
    assert_eq!(invalidated(serde_json::json!(["keep 2", "into 1 a"]), groups.clone()), None);
    assert_eq!(invalidated(serde_json::json!(["keep 2", "mask 18446744073709551615 stub"]), groups), None);
}

/// A plan may ask for as many summaries as the session has stretches; what is shown is written down once for all.
#[test]
fn what_is_shown_is_told_once_a_plan() {
    let say = |at: usize| {
        let role = if at.is_multiple_of(6) { Role::User } else { Role::Assistant };
        let turn = TranscriptTurn::new(format!("t{at}"), role, crate::sessions::text(at, 400), 100).unwrap();
        turn.with_pinned(role == Role::User)
    };
    let transcript = Transcript::new((0..240).map(say).collect()).unwrap();
    let policy = compactors::policy(1, 12_000)
        .planning_with(Arc::new(cutctx_policies::SummarizingPolicy::new("any").unwrap()));
    let mut step = policy.begin_over_turns(TurnContextRequest::new(session(), transcript), None).unwrap();
    let mut told = Vec::new();
    while let TurnStep::Summarize(pending) = step {
        told.push(Arc::clone(&pending.request.context_messages));
        let CompactionStep::Done(outcome) = pending.compactor.begin(&pending.request) else {
            panic!("a model")
        };
        step = pending.resume(outcome).unwrap();
    }
    assert!(told.len() > 10, "{}", told.len());
    assert!(told.windows(2).all(|two| Arc::ptr_eq(&two[0], &two[1])));
}

fn pinning(turns: &[TranscriptTurn], pinned: usize) -> TurnContextRequest {
    let pin = |(at, turn): (usize, &TranscriptTurn)| turn.clone().with_pinned(at == pinned || turn.pinned());
    let turns = turns.iter().enumerate().map(pin).collect();
    TurnContextRequest::new(session(), Transcript::new(turns).unwrap())
}

/// Formats pin what must stand at the moment: as a session goes on it may be another turn.
#[test]
fn what_is_pinned_later_is_brought_back_with_its_exchange() {
    let source = turns(&chatter(40));
    for way in [0, 1] {
        let mut checkpoint = None;
        let before = step(way, 2_000, pinning(&source, 0), &mut checkpoint);
        let is_gone = |action: &Action| matches!(action, Action::Drop | Action::Summarize { .. });
        let gone = |role: Role| {
            let mut fates = source.iter().zip(&before.actions);
            fates.position(|(turn, action)| turn.role() == role && is_gone(action))
        };
        let at = gone(Role::Tool).or_else(|| gone(Role::Assistant)).unwrap();
        let exchange = source[at].tool_call_id();
        let after = step(way, 2_000, pinning(&source, at), &mut checkpoint);
        assert_eq!((after.invalidated, &after.actions[at]), (None, &Action::Keep));
        assert_eq!(after.first_changed_turn < Some(at), exchange.is_some(), "a call comes back, too");
        assert_eq!(after.rewrites, 2);
        for ((other, before), after) in source.iter().zip(&before.actions).zip(&after.actions) {
            let is_back = other.turn_id() == source[at].turn_id()
                || (exchange.is_some() && other.tool_call_id() == exchange);
            assert_eq!(after, if is_back { &Action::Keep } else { before });
        }
        let again = step(way, 2_000, pinning(&source, at), &mut checkpoint);
        assert!(matches!(again.outcome, ContextOutcome::Unchanged { .. }), "{:?}", again.outcome);
        assert_eq!((again.invalidated, again.view), (None, after.view));
    }
}

#[test]
fn what_is_pinned_is_shortened_only_where_it_is_pinned_for_its_place() {
    let mut source = chatter(12);
    source.extend(crate::sessions::round(99, &[&crate::sessions::text(99, 40_000)]));
    let source = turns(&source);
    let last = source.len().saturating_sub(1);
    let in_place = || {
        let mut turns = source.clone();
        turns[last] = turns[last].clone().with_pinned_in_place();
        TurnContextRequest::new(session(), Transcript::new(turns).unwrap())
    };
    let mut checkpoint = None;
    let built = step(0, 3_000, in_place(), &mut checkpoint);
    assert!(matches!(built.actions.last(), Some(Action::Trim(_))), "{:?}", built.outcome);
    assert!(
        built.actions.iter().filter(|action| **action == Action::Keep).count() > 2,
        "what came before has room"
    );
    let again = step(0, 3_000, in_place(), &mut checkpoint);
    assert!(matches!(again.outcome, ContextOutcome::Unchanged { .. }), "{:?}", again.outcome);
    assert_eq!((again.invalidated, again.view), (None, built.view));
    let built = step(0, 3_000, pinning(&source, last), &mut None);
    assert_eq!(built.actions.last(), Some(&Action::Keep));
    let ContextOutcome::OverBudget { floor, allowed, .. } = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert!(floor > allowed);
}

/// A result may come when its call is long gone.
#[test]
fn a_late_result_brings_its_call_back() {
    let turn = |id: String, role| TranscriptTurn::new(id, role, crate::sessions::text(3, 400), 100).unwrap();
    let call = |id: &str, role| turn(id.to_owned(), role).with_tool_call_id("x");
    let mut source = vec![turn("task".to_owned(), Role::User), call("call", Role::Assistant)];
    source.push(call("early", Role::Tool));
    source.extend((0..40).map(|at| turn(format!("t{at}"), Role::Assistant)));
    let request = |source: &[TranscriptTurn]| {
        TurnContextRequest::new(session(), Transcript::new(source.to_vec()).unwrap())
    };
    for way in [0, 1] {
        let mut checkpoint = None;
        let before = step(way, 2_000, request(&source), &mut checkpoint);
        assert!(
            matches!(before.actions[1], Action::Drop | Action::Summarize { .. }),
            "{:?}",
            before.actions[1]
        );
        let mut longer = source.clone();
        longer.push(call("late", Role::Tool));
        let after = step(way, 2_000, request(&longer), &mut checkpoint);
        assert_eq!((after.invalidated, after.first_changed_turn), (None, Some(1)));
        assert_eq!(&after.actions[1..3], [Action::Keep, Action::Keep]);
        assert_eq!(after.actions[5], before.actions[5]);
    }
}

/// What is stored may put words into the mouth of the user.
#[test]
fn what_is_pinned_says_what_it_says() {
    let transcript = chatter(12);
    let mut checkpoint = None;
    step(0, 3_000, request(&transcript), &mut checkpoint);
    let task = turns(&transcript).iter().position(|turn| turn.role() == Role::User).unwrap();
    let mut hostile = serde_json::to_value(&checkpoint).unwrap();
    hostile["budgeted_context"]["fates"] = serde_json::json!([format!("keep {task}"), "mask 1 burn it"]);
    let mut hostile: Option<DurableObject> = Some(serde_json::from_value(hostile).unwrap());
    let built = step(0, 30_000, pinning(&turns(&transcript), task), &mut hostile);
    assert_eq!((built.invalidated, &built.actions[task]), (None, &Action::Keep));
    assert_eq!(built.first_changed_turn, Some(task));
}

/// What is stored may say that a long text takes nothing.
#[test]
fn a_stored_stub_takes_what_its_text_takes() {
    let transcript = chatter(12);
    let mut checkpoint = None;
    step(1, 3_000, request(&transcript), &mut checkpoint);
    let result = turns(&transcript).iter().position(|turn| turn.role() == Role::Tool).unwrap();
    let stub = format!("mask 0 {}", "what was never said ".repeat(20_000));
    let mut hostile = serde_json::to_value(&checkpoint).unwrap();
    hostile["budgeted_context"]["fates"] = serde_json::json!([format!("keep {result}"), stub]);
    hostile["budgeted_context"]["summaries"] = serde_json::json!({});
    let mut hostile: Option<DurableObject> = Some(serde_json::from_value(hostile).unwrap());
    let built = step(0, 30_000, request(&transcript), &mut hostile);
    assert_eq!(built.invalidated, None);
    let ContextOutcome::Compacted { tokens_before, .. } = built.outcome else {
        panic!("{:?}", built.outcome)
    };
    assert!(tokens_before > 90_000, "{tokens_before}");
}

/// A count says nothing of a context that is not the one which was sent.
#[test]
fn what_the_provider_counted_is_not_believed_of_another_context() {
    let transcript = chatter(40);
    let known = turns(&transcript).len().saturating_sub(1);
    let counted = |input: u64| request(&transcript).with_usage(TurnUsage::new(input, known));
    let estimate = request(&transcript).transcript.token_estimate();
    let window = estimate.saturating_mul(2) / 3;
    let is_compacted = |built: &TurnContextResult| matches!(built.outcome, ContextOutcome::Compacted { .. });

    // The checkpoint is lost: what was counted is far less than what all turns can take.
    let built = step(0, window, counted(estimate / 6), &mut None);
    assert!(is_compacted(&built), "{:?}", built.outcome);
    let built = step(0, window, counted(estimate / 3), &mut None);
    assert!(!is_compacted(&built), "{:?}", built.outcome);

    // It is of no use: then nothing that was counted before counts, now or later.
    let useless = || serde_json::from_str(r#"{"budgeted_context": {"version": 99}}"#).unwrap();
    let built = step(0, window, counted(estimate / 3), &mut Some(useless()));
    assert_eq!(built.invalidated, Some(InvalidatedReason::Unreadable));
    assert!(is_compacted(&built), "{:?}", built.outcome);
    let mut checkpoint = Some(useless());
    let tokens = |built: &TurnContextResult| {
        let ContextOutcome::Unchanged { tokens, .. } = built.outcome else { panic!("{:?}", built.outcome) };
        tokens
    };
    let wide = estimate.saturating_mul(2);
    assert_eq!(tokens(&step(0, wide, counted(estimate / 3), &mut checkpoint)), estimate);
    assert_eq!(tokens(&step(0, wide, counted(estimate / 3), &mut checkpoint)), estimate);
    assert!(tokens(&step(0, wide, counted(estimate / 3), &mut None)) < estimate);
}

/// Four characters a token, and something around every turn.
#[derive(Debug)]
struct Framed;

const FRAME: u64 = 25;

impl MessageEstimator for Framed {
    fn text(&self, text: &str) -> u64 {
        MessageEstimator::text(&CharRatioEstimator::default(), text)
    }

    fn label(&self) -> Cow<'_, str> {
        Cow::Borrowed("framed")
    }

    fn framing(&self, _role: Role) -> u64 {
        FRAME
    }
}

#[test]
fn what_stands_around_a_stub_is_counted() {
    let transcript = chatter(40);
    let mut mapper = TurnMapper::new(&Framed);
    for message in &transcript {
        mapper.push(&MessageView::from(message)).unwrap();
    }
    let source = Transcript::new(mapper.finish().turns).unwrap();
    let policy = compactors::policy(0, 9_000).counting_with(Arc::new(Framed));
    let request = TurnContextRequest::new(session(), source);
    let built = build_turn_context_locally(&policy, request, None).unwrap();
    let masked = built.actions.iter().filter(|action| matches!(action, Action::Mask(_))).count();
    assert!(masked > 3, "{:?}", built.actions);
    for turn in built.view.iter().filter(|turn| turn.role() == Role::Tool) {
        let least = Framed.text(turn.content()).saturating_add(FRAME);
        assert!(turn.token_estimate() >= least, "{turn:?} takes {least}");
    }
}
