//! What normalization does to each kind of fault, in all positions.

use crate::build::{
    call, call_view, calls, calls_view, result, result_view, results, says, says_view, text, view,
};
use cutctx_messages::{
    CallState, Change, ChangeKind, ConflictKind, DurableText, DurableValue, Message, MessagePart,
    MessageView, Normalizer, PartView, ResultView, StructuredOutputPart, check_context, normalize,
};
use cutctx_types::Role;

/// Changes as message, call and name.
fn told(changes: &[Change]) -> Vec<(usize, Option<&str>, &'static str)> {
    changes.iter().map(|change| (change.message, change.call_id.as_deref(), change.kind.as_str())).collect()
}

fn user() -> Message {
    says(Role::User, "u")
}

fn note(id: &str) -> MessagePart {
    let text = "This call was not completed: no result was recorded.";
    cutctx_messages::ToolResultPart::new(id, "look", text).unwrap().with_error(true).into()
}

fn tool(parts: Vec<MessagePart>) -> Message {
    Message::new(Role::Tool, parts).unwrap()
}

/// What goes in, what comes out, and what is told.
type Case = (Vec<Message>, Vec<Message>, Vec<(usize, Option<&'static str>, &'static str)>);

fn split() -> Vec<Case> {
    vec![
        // Results split over messages, in and out of order, and far behind.
        (
            vec![calls(&["a", "b"]), results(&["a"]), results(&["b"])],
            vec![calls(&["a", "b"]), results(&["a", "b"])],
            vec![(2, Some("b"), "moved-result")],
        ),
        (
            vec![calls(&["a", "b"]), results(&["b"]), user(), results(&["a"])],
            vec![calls(&["a", "b"]), results(&["b", "a"]), user()],
            vec![(3, Some("a"), "moved-result")],
        ),
        (
            vec![calls(&["a"]), user(), results(&["a"])],
            vec![calls(&["a"]), results(&["a"]), user()],
            vec![(2, Some("a"), "moved-result")],
        ),
        // Parallel calls split over messages, with words between.
        (
            vec![
                calls(&["a"]),
                says(Role::Assistant, "and"),
                calls(&["b"]),
                results(&["a"]),
                results(&["b"]),
            ],
            vec![
                Message::new(Role::Assistant, vec![call("a"), text("and"), call("b")]).unwrap(),
                results(&["a", "b"]),
            ],
            vec![(1, None, "merged-message"), (2, None, "merged-message"), (4, Some("b"), "moved-result")],
        ),
        // Rounds one after the other are not parallel.
        (
            vec![calls(&["a"]), results(&["a"]), calls(&["b"]), results(&["b"])],
            vec![calls(&["a"]), results(&["a"]), calls(&["b"]), results(&["b"])],
            vec![],
        ),
    ]
}

fn missing_and_too_many() -> Vec<Case> {
    vec![
        // Dangling: all of a message, and one of two.
        (
            vec![calls(&["a"]), user()],
            vec![calls(&["a"]), tool(vec![note("a")]), user()],
            vec![(0, Some("a"), "completed-call")],
        ),
        (
            vec![calls(&["a", "b"]), results(&["b"]), user()],
            vec![calls(&["a", "b"]), tool(vec![result("b"), note("a")]), user()],
            vec![(0, Some("a"), "completed-call")],
        ),
        // Orphans: before, between, in a message with others.
        (
            vec![results(&["x"]), user(), results(&["y"])],
            vec![user()],
            vec![(0, Some("x"), "removed-orphan-result"), (2, Some("y"), "removed-orphan-result")],
        ),
        (
            vec![calls(&["a"]), results(&["x", "a"])],
            vec![calls(&["a"]), results(&["a"])],
            vec![(1, Some("x"), "removed-orphan-result")],
        ),
        // A result twice, in one message and in two.
        (
            vec![calls(&["a"]), results(&["a", "a"]), results(&["a"])],
            vec![calls(&["a"]), results(&["a"])],
            vec![(1, Some("a"), "removed-duplicate-result"), (2, Some("a"), "removed-duplicate-result")],
        ),
        // A call twice: in one message, and in two that follow each other.
        (
            vec![calls(&["a", "a"]), results(&["a", "a"])],
            vec![calls(&["a"]), results(&["a"]), calls(&["a"]), results(&["a"])],
            vec![(0, Some("a"), "split-message"), (1, Some("a"), "moved-result")],
        ),
        (
            vec![calls(&["a"]), calls(&["a"]), results(&["a"])],
            vec![calls(&["a"]), tool(vec![note("a")]), calls(&["a"]), results(&["a"])],
            vec![(0, Some("a"), "completed-call")],
        ),
    ]
}

#[test]
fn every_kind_of_fault_has_its_remedy() {
    for (given, wanted, changes) in split().into_iter().chain(missing_and_too_many()) {
        let normalized = normalize(given.clone());
        assert_eq!(normalized.messages, wanted, "{given:?}");
        assert_eq!(told(&normalized.changes), changes, "{given:?}");
        assert!(normalized.conflicts.is_empty() && normalized.open.is_empty());
        assert_eq!(check_context(&normalized.messages), Ok(()));
    }
}

#[test]
fn moved_and_merged_parts_say_where_they_went() {
    let given = vec![user(), calls(&["a"]), calls(&["b"]), results(&["a"]), results(&["b"])];
    let kinds: Vec<ChangeKind> = normalize(given).changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::MergedMessage { into: 1 }, ChangeKind::MovedResult { behind: 1 }]);
}

#[test]
fn dangling_calls_are_removed_when_that_is_wanted() {
    let thinking = Message::new(Role::Assistant, vec![text("well"), call("b")]).unwrap();
    let given = vec![calls(&["a"]), user(), thinking, results(&["x"]), user()];
    let normalized = Normalizer::new().removing_dangling().run(given);
    assert_eq!(normalized.messages, [user(), says(Role::Assistant, "well"), user()]);
    let wanted = [
        (0, Some("a"), "removed-call"),
        (2, Some("b"), "removed-call"),
        (3, Some("x"), "removed-orphan-result"),
    ];
    assert_eq!(told(&normalized.changes), wanted);
}

#[test]
fn a_call_in_flight_is_kept_unless_it_must_be_closed() {
    let given = || vec![user(), calls(&["a", "b"]), results(&["b"])];
    let kept = normalize(given());
    assert_eq!(kept.messages, given());
    assert_eq!(told(&kept.changes), []);
    assert_eq!((kept.open[0].message, kept.open[0].state), (1, CallState::InFlight));
    let closed = Normalizer::new().removing_dangling().closing_pending().run(given());
    assert_eq!(told(&closed.changes), [(1, Some("a"), "completed-call")]);
    assert_eq!(check_context(&closed.messages), Ok(()));
}

#[test]
fn the_note_is_the_callers_to_word() {
    let words = DurableText::new("stopped").unwrap();
    let normalized =
        Normalizer::new().saying(words).run(vec![calls_view(&["a"]), says_view(Role::User, "u")]);
    let wanted = ResultView::new("a", "stopped").with_error(true).with_name(Some("look".into()));
    assert_eq!(normalized.messages[1], view(Role::Tool, vec![PartView::ToolResult(wanted)]));
}

#[test]
fn what_waits_for_a_person_is_kept_in_the_middle() {
    let waiting = || {
        view(Role::Assistant, vec![PartView::ToolCall(call_view("a").in_state(CallState::AwaitingPerson))])
    };
    let given =
        || vec![waiting(), says_view(Role::User, "hm"), calls_view(&["b"]), says_view(Role::User, "hm")];
    let normalized = Normalizer::new().removing_dangling().run(given());
    assert_eq!(normalized.messages, [waiting(), says_view(Role::User, "hm"), says_view(Role::User, "hm")]);
    assert_eq!(normalized.open[0].state, CallState::AwaitingPerson);
}

#[test]
fn an_aborted_call_is_completed_and_one_of_the_provider_left_alone() {
    let aborted = PartView::ToolCall(call_view("a").in_state(CallState::Aborted));
    let hosted = PartView::ToolCall(call_view("s").on_server());
    let normalized = normalize(vec![view(Role::Assistant, vec![hosted, aborted])]);
    assert_eq!(told(&normalized.changes), [(0, Some("a"), "completed-call")]);
    assert_eq!(normalized.messages.len(), 2);
}

#[test]
fn a_final_result_replaces_provisional_ones_wherever_it_comes() {
    let at_work = |text: &'static str| {
        view(Role::Tool, vec![PartView::ToolResult(ResultView::new("a", text).provisionally())])
    };
    let answered = || view(Role::Tool, vec![result_view("a")]);
    let given = vec![calls_view(&["a"]), at_work("1"), says_view(Role::User, "hm"), at_work("2"), answered()];
    let normalized = normalize(given);
    assert_eq!(normalized.messages, [calls_view(&["a"]), answered(), says_view(Role::User, "hm")]);
    let gone = "removed-provisional-result";
    assert_eq!(
        told(&normalized.changes),
        [(1, Some("a"), gone), (3, Some("a"), gone), (4, Some("a"), "moved-result")]
    );
    // Without a final one the newest is kept, and the call is open.
    let normalized =
        normalize(vec![calls_view(&["a"]), at_work("1"), at_work("2"), says_view(Role::User, "hm")]);
    assert_eq!(normalized.messages, [calls_view(&["a"]), at_work("2"), says_view(Role::User, "hm")]);
    assert_eq!(normalized.open[0].state, CallState::Provisional);
}

#[test]
fn results_in_the_users_message_stay_there() {
    let answer = |ids: &[&'static str]| {
        let results = ids.iter().map(|id| result_view(id)).chain([PartView::text("go on")]);
        view(Role::User, results.collect())
    };
    let given = vec![calls_view(&["a", "b"]), answer(&["b"]), view(Role::User, vec![result_view("a")])];
    let normalized = normalize(given);
    assert_eq!(normalized.messages, [calls_view(&["a", "b"]), answer(&["b", "a"])]);
    // The words of a message stay where they are when its results move.
    let given = vec![calls_view(&["a"]), says_view(Role::User, "hm"), answer(&["a"])];
    let normalized = normalize(given);
    let wanted = [
        calls_view(&["a"]),
        view(Role::User, vec![result_view("a")]),
        says_view(Role::User, "hm"),
        says_view(Role::User, "go on"),
    ];
    assert_eq!(normalized.messages, wanted);
}

#[test]
fn what_a_tool_message_holds_besides_goes_with_its_first_result_or_not_at_all() {
    let copy = || MessagePart::from(StructuredOutputPart::new(DurableValue::from(1)));
    let given =
        vec![calls(&["a", "b"]), results(&["b"]), tool(vec![copy(), result("a")]), tool(vec![copy()])];
    let normalized = normalize(given);
    assert_eq!(normalized.messages, [calls(&["a", "b"]), tool(vec![result("b"), copy(), result("a")])]);
    assert_eq!(
        told(&normalized.changes),
        [(2, Some("a"), "moved-result"), (3, None, "removed-tool-content")]
    );
}

#[test]
fn a_pinned_orphan_stays_and_is_a_conflict() {
    let given = vec![user(), results(&["x"]), calls(&["a"]), results(&["a", "a"])];
    let normalized = Normalizer::new().pinning([1, 3]).run(given.clone());
    assert_eq!(normalized.messages, given);
    assert_eq!(told(&normalized.changes), []);
    let conflicts: Vec<_> =
        normalized.conflicts.iter().map(|conflict| (conflict.message, conflict.kind)).collect();
    assert_eq!(conflicts, [(1, ConflictKind::OrphanResult), (3, ConflictKind::DuplicateResult)]);
}

#[test]
fn a_pinned_call_is_completed_rather_than_removed() {
    let given = vec![calls(&["a"]), user(), calls(&["b"]), user()];
    let normalized = Normalizer::new().removing_dangling().pinning([2]).run(given);
    let wanted = [user(), calls(&["b"]), tool(vec![note("b")]), user()];
    assert_eq!(normalized.messages, wanted);
    assert!(normalized.conflicts.is_empty());
}

#[test]
fn a_message_that_takes_a_pinned_one_in_is_pinned() {
    let given = vec![
        calls_view(&["a"]).with_id("first"),
        calls_view(&["b"]).with_pinned(true),
        view(Role::Tool, vec![result_view("a"), result_view("b")]),
    ];
    let messages: Vec<MessageView<'_>> = normalize(given).messages;
    assert_eq!(messages[0], calls_view(&["a", "b"]).with_id("first").with_pinned(true));
    assert!(!messages[1].pinned);
}

#[test]
fn very_many_calls_of_one_id_are_told_apart_in_one_pass() {
    let ids = vec!["a"; 20_000];
    let normalized = normalize(vec![calls(&ids), results(&ids)]);
    assert_eq!(normalized.messages.len(), 40_000);
    assert_eq!(check_context(&normalized.messages), Ok(()));
    let distinct: Vec<String> = (0..40_000).map(|number| format!("c{number}")).collect();
    let distinct: Vec<&str> = distinct.iter().map(String::as_str).collect();
    let split: Vec<Message> = distinct
        .iter()
        .map(|id| calls(&[id]))
        .chain(distinct.iter().rev().map(|id| results(&[id])))
        .collect();
    let normalized = normalize(split);
    assert_eq!(normalized.messages.len(), 2);
    assert_eq!(check_context(&normalized.messages), Ok(()));
}
