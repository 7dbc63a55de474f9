//! The laws of normalization, over lists of every shape.

use alloc::collections::{BTreeMap, BTreeSet};

use crate::rounds::messages;
use crate::rounds::slow_is_well_formed;
use core::fmt;
use cutctx_messages::{
    CallState, CallView, ChangeKind, MessageView, Normalized, Normalizer, PartView, ResultView, TurnMapper,
    check_context, normalize,
};
use cutctx_types::{CharRatioEstimator, Role};
use proptest::prelude::*;

type View = MessageView<'static>;

const IDS: [&str; 3] = ["a", "b", ""];

fn part(role: Role) -> impl Strategy<Value = PartView<'static>> {
    let id = || prop::sample::select(&IDS[..]);
    let state = prop_oneof![
        6 => Just(None),
        1 => Just(Some(CallState::AwaitingPerson)),
        1 => Just(Some(CallState::Aborted)),
        1 => Just(Some(CallState::InFlight)),
    ];
    let call = (id(), state, prop::bool::weighted(0.1)).prop_map(|(id, state, hosted)| {
        let mut call = CallView::new(id, "look", "{}");
        call.state = state;
        PartView::ToolCall(if hosted { call.on_server() } else { call })
    });
    let result = (id(), prop::bool::weighted(0.2)).prop_map(|(id, provisional)| {
        let mut result = ResultView::new(id, "seen");
        result.provisional = provisional;
        PartView::ToolResult(result)
    });
    let (calls, results) = match role {
        Role::Assistant => (6, 0),
        Role::Tool => (0, 9),
        Role::User => (0, 1),
        Role::System => (0, 0),
    };
    prop_oneof![1 => Just(PartView::text("said")), calls => call, results => result]
}

fn message() -> impl Strategy<Value = View> {
    let role = prop_oneof![
        1 => Just(Role::System),
        2 => Just(Role::User),
        4 => Just(Role::Assistant),
        5 => Just(Role::Tool),
    ];
    let parts = role.prop_flat_map(|role| (Just(role), prop::collection::vec(part(role), 0..4)));
    (parts, prop::bool::weighted(0.1))
        .prop_map(|((role, parts), pinned)| MessageView::new(role, parts).with_pinned(pinned))
}

/// A list that a failing case shows in short: roles, pins, and parts with their ids.
#[derive(Clone)]
struct List(Vec<View>);

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for message in &self.0 {
            write!(f, "{}{}[", if message.pinned { "!" } else { "" }, message.role)?;
            for part in &message.parts {
                show(part, f)?;
            }
            writeln!(f, " ]")?;
        }
        Ok(())
    }
}

fn show(part: &PartView<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let PartView::ToolCall(call) = part {
        write!(f, " call {:?} {:?} {}", call.call_id, call.state, call.server_side)
    } else if let PartView::ToolResult(result) = part {
        write!(f, " result {:?} {}", result.call_id, result.provisional)
    } else {
        f.write_str(" text")
    }
}

/// Lists in which every text, tool and result is known by a number of its own.
fn views() -> impl Strategy<Value = List> {
    prop::collection::vec(message(), 0..9).prop_map(|mut messages| {
        let parts = messages.iter_mut().flat_map(|message| &mut message.parts);
        for (number, part) in parts.enumerate() {
            if let PartView::Text(text) = part {
                *text = format!("t{number}").into();
            } else if let PartView::ToolCall(call) = part {
                call.name = format!("n{number}").into();
            } else if let PartView::ToolResult(result) = part {
                result.parts = vec![PartView::text(format!("r{number}"))];
                result.name = Some(String::from("own"));
            }
        }
        List(messages)
    })
}

fn normalizers() -> impl Strategy<Value = Normalizer> {
    (any::<bool>(), any::<bool>()).prop_map(|(removing, closing)| {
        let normalizer = if removing { Normalizer::new().removing_dangling() } else { Normalizer::new() };
        if closing { normalizer.closing_pending() } else { normalizer }
    })
}

fn label(part: &PartView<'_>) -> String {
    if let PartView::Text(text) = part {
        text.to_string()
    } else if let PartView::ToolCall(call) = part {
        call.name.to_string()
    } else if let PartView::ToolResult(result) = part {
        label(&result.parts[0])
    } else {
        String::new()
    }
}

fn labels(messages: &[View]) -> Vec<String> {
    messages.iter().flat_map(|message| &message.parts).map(label).collect()
}

fn only(messages: &[View], wanted: fn(&View) -> bool) -> Vec<View> {
    messages.iter().filter(|message| wanted(message)).cloned().collect()
}

fn count(normalized: &Normalized<View>, kinds: &[ChangeKind]) -> usize {
    normalized.changes.iter().filter(|change| kinds.contains(&change.kind)).count()
}

fn is_note(label: &str) -> bool {
    label.starts_with("This call")
}

/// Which message made the call that each result answers, by label, as the mapper pairs them.
fn pairs(messages: &[View]) -> BTreeMap<String, BTreeSet<String>> {
    let estimator = CharRatioEstimator::default();
    let mut mapper = TurnMapper::new(&estimator);
    let mut found = Vec::new();
    let mut turns = BTreeMap::new();
    for message in messages {
        let placed = mapper.push(message).unwrap();
        for (part, placement) in message.parts.iter().zip(placed) {
            let assistant = message.role == Role::Assistant;
            if let PartView::ToolCall(call) = part
                && assistant
                && !call.server_side
            {
                let calls: &mut BTreeSet<String> = turns.entry(placement.turn).or_default();
                calls.insert(label(part));
            }
            if matches!(part, PartView::ToolResult(_)) && !assistant {
                found.push((label(part), placement.turn));
            }
        }
    }
    let done = mapper.finish();
    let caller = |turn: usize| {
        let exchange = done.turns[turn].tool_call_id()?;
        let caller = done.turns.iter().position(|turn| turn.turn_id().as_ref() == exchange)?;
        turns.get(&caller).cloned()
    };
    found.into_iter().filter_map(|(label, turn)| Some((label, caller(turn)?))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_outcome_is_well_formed_but_for_what_is_open_or_in_conflict(List(given) in views()) {
        let closed = Normalizer::new().closing_pending().run(given.clone());
        if closed.conflicts.is_empty() && !closed.messages.is_empty() {
            prop_assert_eq!(check_context(&closed.messages), Ok(()));
        }
        let kept = normalize(given);
        let later = Normalizer::new().closing_pending().run(kept.messages);
        prop_assert!(later.changes.iter().all(|change| change.kind == ChangeKind::CompletedCall));
        if later.conflicts.is_empty() && !later.messages.is_empty() {
            prop_assert_eq!(check_context(&later.messages), Ok(()));
        }
    }

    #[test]
    fn twice_is_once(List(given) in views(), normalizer in normalizers()) {
        let once = normalizer.run(given);
        let twice = normalizer.run(once.messages.clone());
        prop_assert_eq!(&twice.messages, &once.messages);
        prop_assert_eq!(twice.changes, Vec::new());
        prop_assert_eq!(twice.open.len(), once.open.len());
        prop_assert_eq!(twice.conflicts.len(), once.conflicts.len());
    }

    #[test]
    fn what_is_well_formed_is_not_changed(List(given) in views(), normalizer in normalizers()) {
        if check_context(&given).is_ok() {
            let normalized = normalizer.run(given.clone());
            prop_assert_eq!(normalized.messages, given);
            prop_assert_eq!(normalized.changes, Vec::new());
            prop_assert!(normalized.conflicts.is_empty());
        }
    }

    #[test]
    fn nothing_comes_or_goes_that_is_not_told(List(given) in views(), normalizer in normalizers()) {
        let normalized = normalizer.run(given.clone());
        let (before, after) = (labels(&given), labels(&normalized.messages));
        let number = |labels: &[String], sort: &str| labels.iter().filter(|label| label.starts_with(sort)).count();
        let gone = count(&normalized, &[ChangeKind::RemovedCall]);
        prop_assert_eq!(number(&after, "n").saturating_add(gone), number(&before, "n"));
        let gone = count(&normalized, &[
            ChangeKind::RemovedOrphanResult,
            ChangeKind::RemovedDuplicateResult,
            ChangeKind::RemovedProvisionalResult,
        ]);
        prop_assert_eq!(number(&after, "r").saturating_add(gone), number(&before, "r"));
        prop_assert_eq!(after.iter().filter(|label| is_note(label)).count(), count(&normalized, &[ChangeKind::CompletedCall]));
        let distinct: BTreeSet<&String> = after.iter().filter(|label| !is_note(label)).collect();
        prop_assert_eq!(distinct.len(), after.iter().filter(|label| !is_note(label)).count());
        if count(&normalized, &[ChangeKind::RemovedToolContent]) == 0 {
            prop_assert_eq!(number(&after, "t"), number(&before, "t"));
        }
    }

    #[test]
    fn what_the_assistant_says_keeps_its_order(List(given) in views(), normalizer in normalizers()) {
        let of_assistant = |messages: &[View]| labels(&only(messages, |message| message.role == Role::Assistant));
        let normalized = normalizer.run(given.clone());
        let removed = count(&normalized, &[ChangeKind::RemovedCall]);
        let after = of_assistant(&normalized.messages);
        let mut before = of_assistant(&given);
        before.retain(|label| after.contains(label));
        prop_assert_eq!(before.len().saturating_add(removed), of_assistant(&given).len());
        prop_assert_eq!(after, before);
    }

    #[test]
    fn pinned_messages_lose_nothing(List(given) in views(), normalizer in normalizers()) {
        let after = labels(&normalizer.run(given.clone()).messages);
        for label in labels(&only(&given, |message| message.pinned)) {
            prop_assert!(after.contains(&label), "{} is gone", label);
        }
    }

    #[test]
    fn results_stand_behind_the_calls_that_the_mapper_gives_them(List(given) in views()) {
        let pairs = pairs(&given);
        let Normalized { messages, conflicts, .. } = normalize(given);
        if !conflicts.is_empty() {
            return Ok(());
        }
        for pair in messages.windows(2) {
            let [caller, answer] = pair else { continue };
            if check_context(pair).is_err() || caller.role != Role::Assistant {
                continue;
            }
            let calls: BTreeSet<String> = labels(core::slice::from_ref(caller)).into_iter().collect();
            for label in labels(core::slice::from_ref(answer)).iter().filter(|label| label.starts_with('r')) {
                let wanted = &pairs[label];
                prop_assert!(wanted.iter().any(|call| calls.contains(call)), "{} is with {:?}", label, calls);
            }
        }
    }

    #[test]
    fn durable_messages_are_made_well_formed(given in messages()) {
        let closed = Normalizer::new().closing_pending().run(given.clone());
        prop_assert!(closed.messages.is_empty() || slow_is_well_formed(&closed.messages));
        prop_assert!(closed.conflicts.is_empty());
        if slow_is_well_formed(&given) {
            prop_assert_eq!(closed.messages, given);
        }
    }
}
