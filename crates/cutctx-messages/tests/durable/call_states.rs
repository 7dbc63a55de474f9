//! Each state of a call has its own rule.

use crate::build::{call_view, calls_view, result_view, says_view, view};
use cutctx_messages::{CallState, Mapped, MessageView, PartView, ResultView, TurnMapper};
use cutctx_types::{CharRatioEstimator, Role};

fn map(messages: &[MessageView<'_>]) -> Mapped {
    let estimator = CharRatioEstimator::default();
    let mut mapper = TurnMapper::new(&estimator);
    for message in messages {
        mapper.push(message).unwrap();
    }
    mapper.finish()
}

/// The states of the calls, and which turns are pinned.
fn states(messages: &[MessageView<'_>]) -> (Vec<CallState>, Vec<usize>) {
    let mapped = map(messages);
    let pinned = mapped.turns.iter().enumerate().filter(|(_, turn)| turn.pinned());
    let pinned = pinned.map(|(index, _)| index).collect();
    (mapped.calls.iter().map(|call| call.state).collect(), pinned)
}

fn in_state(id: &'static str, state: CallState) -> MessageView<'static> {
    view(Role::Assistant, vec![PartView::ToolCall(call_view(id).in_state(state))])
}

fn tool(part: PartView<'static>) -> MessageView<'static> {
    view(Role::Tool, vec![part])
}

fn provisional(id: &'static str) -> MessageView<'static> {
    tool(PartView::ToolResult(ResultView::new(id, "at work").provisionally()))
}

fn later() -> Vec<MessageView<'static>> {
    vec![says_view(Role::User, "meanwhile"), calls_view(&["z"]), tool(result_view("z"))]
}

#[test]
fn a_call_that_awaits_a_person_is_pinned_however_old_it_is() {
    let mut messages = vec![in_state("a", CallState::AwaitingPerson)];
    messages.extend((0..20).flat_map(|_| later()));
    let (found, pinned) = states(&messages);
    assert_eq!(found[0], CallState::AwaitingPerson);
    assert_eq!(pinned, [0]);
    // The person consents at last.
    messages.push(tool(result_view("a")));
    let mapped = map(&messages);
    assert_eq!(mapped.calls[0].state, CallState::Answered);
    assert!(mapped.turns.iter().all(|turn| !turn.pinned()));
    assert_eq!(mapped.turns.last().and_then(|turn| turn.tool_call_id()), Some("m0"));
}

#[test]
fn a_provisional_result_leaves_the_call_open_until_a_final_one_comes() {
    let mut messages = vec![calls_view(&["a"]), provisional("a"), provisional("a")];
    messages.extend(later());
    assert_eq!(states(&messages), (vec![CallState::Provisional, CallState::Answered], vec![0]));
    messages.push(tool(result_view("a")));
    let mapped = map(&messages);
    assert_eq!(mapped.calls[0].state, CallState::Answered);
    assert_eq!(mapped.orphan_results, 0);
    let exchanges: Vec<Option<&str>> = mapped.turns.iter().map(|turn| turn.tool_call_id()).collect();
    assert_eq!(exchanges, [Some("m0"), Some("m0"), Some("m0"), None, Some("m4"), Some("m4"), Some("m0")]);
}

#[test]
fn an_aborted_call_is_settled_at_once_and_may_still_be_answered() {
    let aborted = vec![in_state("a", CallState::Aborted)];
    assert_eq!(states(&aborted), (vec![CallState::Aborted], vec![]));
    let answered = [aborted, vec![tool(result_view("a"))]].concat();
    assert_eq!(states(&answered), (vec![CallState::Answered], vec![]));
}

#[test]
fn a_call_is_in_flight_only_while_it_is_the_last_act() {
    let mut messages = vec![calls_view(&["a", "b"]), tool(result_view("b"))];
    assert_eq!(states(&messages), (vec![CallState::InFlight, CallState::Answered], vec![0]));
    messages.push(says_view(Role::User, "well?"));
    assert_eq!(states(&messages), (vec![CallState::Dangling, CallState::Answered], vec![]));
    // Late, but still its result.
    messages.push(tool(result_view("a")));
    assert_eq!(states(&messages).0, [CallState::Answered, CallState::Answered]);
}

#[test]
fn a_call_on_the_providers_side_waits_for_nothing() {
    let hosted = view(Role::Assistant, vec![PartView::ToolCall(call_view("s").on_server())]);
    let mapped = map(&[hosted]);
    assert_eq!(mapped.calls[0].state, CallState::ServerSide);
    assert!(!mapped.turns[0].pinned());
    assert_eq!(mapped.turns[0].tool_call_id(), None);
}

#[test]
fn the_rules_of_the_states() {
    use CallState::{Aborted, Answered, AwaitingPerson, Dangling, InFlight, Provisional, ServerSide};
    for state in [Answered, InFlight, AwaitingPerson, Provisional, Aborted, Dangling, ServerSide] {
        assert_eq!(state.is_pending(), matches!(state, InFlight | AwaitingPerson | Provisional));
        assert_eq!(state.lacks_result(), matches!(state, Aborted | Dangling), "{state:?}");
    }
}
