//! Tool rounds, against a slow oracle that reads the rules literally.

use alloc::collections::BTreeSet;

use crate::build::{calls, calls_view, result_view, results, says, view};
use cutctx_messages::{
    ContextError, Message, MessagePart, PartView, atomic_prefix_counts, check_context, compaction_boundaries,
    is_compaction_boundary, system_prefix,
};
use cutctx_types::Role;
use proptest::prelude::*;

/// Looks at every message and its neighbours anew.
pub(crate) fn slow_is_well_formed(messages: &[Message]) -> bool {
    let ids = |message: &Message| -> (Vec<String>, Vec<String>) {
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for part in message.content() {
            if let MessagePart::ToolCall(call) = part {
                calls.push(call.tool_call_id.to_string());
            } else if let MessagePart::ToolResult(result) = part {
                results.push(result.tool_call_id.to_string());
            }
        }
        (calls, results)
    };
    let distinct = |ids: &[String]| ids.iter().cloned().collect::<BTreeSet<String>>();
    !messages.is_empty()
        && messages.iter().enumerate().all(|(at, message)| {
            let before = at.checked_sub(1).map(|at| ids(&messages[at]).0).unwrap_or_default();
            let (calls, results) = ids(message);
            let unique = distinct(&calls).len() == calls.len() && distinct(&results).len() == results.len();
            let answers = (message.role() == Role::Tool) != before.is_empty()
                && distinct(&before) == distinct(&results);
            let goes_on = calls.is_empty() || messages.get(at.saturating_add(1)).is_some();
            unique && answers && goes_on
        })
}

fn message() -> impl Strategy<Value = Message> {
    const IDS: [&str; 3] = ["a", "b", "c"];
    let some = || prop::collection::vec(prop::sample::select(&IDS[..]), 1..3);
    prop_oneof![
        1 => Just(says(Role::System, "s")),
        2 => Just(says(Role::User, "u")),
        1 => Just(says(Role::Assistant, "x")),
        3 => some().prop_map(|ids| calls(&ids)),
        3 => some().prop_map(|ids| results(&ids)),
    ]
}

pub(crate) fn messages() -> impl Strategy<Value = Vec<Message>> {
    let round = prop::sample::subsequence(vec!["a", "b", "c"], 1..3)
        .prop_map(|ids| vec![calls(&ids), results(&ids.into_iter().rev().collect::<Vec<_>>())]);
    let item = prop_oneof![2 => message().prop_map(|message| vec![message]), 3 => round];
    prop::collection::vec(item, 0..8).prop_map(|items| items.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lists_are_judged_as_the_rules_say(messages in messages()) {
        prop_assert_eq!(check_context(&messages).is_ok(), slow_is_well_formed(&messages));
        let slow: Vec<usize> = (0..=messages.len())
            .filter(|cursor| *cursor == 0 || slow_is_well_formed(&messages[..*cursor]))
            .collect();
        prop_assert_eq!(&compaction_boundaries(&messages), &slow);
        for cursor in 0..messages.len().saturating_add(2) {
            prop_assert_eq!(is_compaction_boundary(&messages, cursor), slow.contains(&cursor));
        }
        match atomic_prefix_counts(&messages) {
            Ok(counts) => prop_assert_eq!(counts, slow[1..].to_vec()),
            Err(error) => prop_assert_eq!(Err(error), check_context(&messages)),
        }
    }
}

#[test]
fn the_first_fault_is_told_with_its_message() {
    let user = || says(Role::User, "u");
    let cases = [
        (vec![], ContextError::Empty),
        (vec![user(), results(&["a"])], ContextError::OrphanResult { message: 1 }),
        (vec![calls(&["a", "a"])], ContextError::DuplicateCallIds { message: 0 }),
        (vec![calls(&["a"]), user()], ContextError::CallsWithoutResults { message: 1 }),
        (vec![calls(&["a"]), results(&["a", "a"])], ContextError::DuplicateResultIds { message: 1 }),
        (vec![calls(&["a", "b"]), results(&["a"])], ContextError::ResultIdsMismatch { message: 1 }),
        (vec![user(), calls(&["a"])], ContextError::DanglingCalls { message: 1 }),
    ];
    for (messages, wanted) in cases {
        assert_eq!(check_context(&messages), Err(wanted));
    }
    assert_eq!(check_context(&[calls(&["a"]), results(&["a"]), calls(&["a"]), results(&["a"])]), Ok(()));
}

#[test]
fn views_may_answer_in_the_users_message() {
    let mixed = |ids: [&'static str; 2]| {
        let [first, second] = ids.map(result_view);
        view(Role::User, vec![first, PartView::text("and"), second])
    };
    assert_eq!(check_context(&[calls_view(&["a", "b"]), mixed(["b", "a"])]), Ok(()));
    let error = ContextError::ResultIdsMismatch { message: 1 };
    assert_eq!(check_context(&[calls_view(&["a", "b"]), mixed(["b", "c"])]), Err(error));
    let orphan = ContextError::OrphanResult { message: 0 };
    assert_eq!(check_context(&[mixed(["b", "a"])]), Err(orphan));
    // What the provider runs itself needs no answer.
    let hosted = PartView::ToolCall(cutctx_messages::CallView::new("s", "search", "{}").on_server());
    assert_eq!(check_context(&[view(Role::Assistant, vec![hosted])]), Ok(()));
}

#[test]
fn only_the_first_run_of_system_messages_is_the_prefix() {
    let [system, user] = [Role::System, Role::User].map(|role| says(role, "x"));
    let messages = [system.clone(), system.clone(), user, system];
    assert_eq!(system_prefix(&messages), 2);
    assert_eq!(system_prefix::<Message>(&[]), 0);
}

#[test]
fn very_many_calls_of_one_message_are_matched_in_one_pass() {
    let ids: Vec<String> = (0..60_000).map(|number| format!("call_{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let reversed: Vec<&str> = ids.iter().rev().copied().collect();
    assert_eq!(check_context(&[calls(&ids), results(&reversed)]), Ok(()));
}
