//! Contexts over turns: what becomes of each, and that nothing is lost on the way.

use alloc::collections::BTreeSet;

use cutctx_context::{
    ContextOutcome, InvalidatedReason, TurnContextRequest, TurnContextResult, TurnUsage,
    build_turn_context_locally,
};
use cutctx_messages::{DurableObject, Message, MessageView, TurnMapper, check_context};
use cutctx_types::{Action, CharRatioEstimator, Transcript, TranscriptTurn};
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
    edited[2] = crate::sessions::says(cutctx_types::Role::Assistant, "something else was said");
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
    let groups = serde_json::json!({ "a": "what was", "unused": "never" });
    assert_eq!(invalidated(serde_json::json!(["keep 2", "into 1 a"]), groups.clone()), None);
    assert_eq!(invalidated(serde_json::json!(["keep 2", "mask 18446744073709551615 stub"]), groups), None);
}
