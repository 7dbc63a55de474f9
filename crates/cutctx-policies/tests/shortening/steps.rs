//! Reasoning of steps that are done.

use super::session::{Session, positions, touched};
use cutctx_policies::{OldReasoningPolicy, OpaqueReasoningPolicy};
use cutctx_types::{PartKind, Role};

const THOUGHTS: &str = "let us think about this for a good while before anything is done";

#[test]
fn opaque_reasoning_of_finished_steps_goes_whole() {
    let step = [(PartKind::OpaqueReasoning, THOUGHTS), (PartKind::Text, "done")];
    let hidden = [(PartKind::OpaqueReasoning, ""), (PartKind::Text, "done")];
    let session = Session::default().turn(&step).turn(&hidden).said(Role::Tool, "fine").turn(&step).done();
    let touched = touched(&OpaqueReasoningPolicy::new(), &session);
    assert_eq!(
        touched.into_iter().collect::<Vec<_>>(),
        [(0, "…\ndone".to_string()), (1, "done".to_string())]
    );
}

#[test]
fn a_provider_that_insists_and_the_last_step_keep_their_reasoning() {
    let step = [(PartKind::OpaqueReasoning, THOUGHTS), (PartKind::Text, "done")];
    let held =
        Session::default().turn(&step).changed(|turn| turn.with_reasoning_held(true)).turn(&step).done();
    assert!(positions(&OpaqueReasoningPolicy::new(), &held).is_empty());
    let answered = Session::default().turn(&step).said(Role::User, "and now?").done();
    assert_eq!(positions(&OpaqueReasoningPolicy::new(), &answered), [0]);
}

#[test]
fn a_turn_of_nothing_but_opaque_reasoning_is_dropped_where_it_stands_alone() {
    let alone = [(PartKind::OpaqueReasoning, THOUGHTS)];
    let session = Session::default().turn(&alone).turn(&alone).said(Role::User, "go on").done();
    assert_eq!(touched(&OpaqueReasoningPolicy::new(), &session).into_values().collect::<Vec<_>>(), ["", ""]);
    let called = Session::default().turn(&alone);
    let exchange = "assistant0";
    let called = called
        .said(Role::Tool, "x")
        .changed(|turn| turn.with_tool_call_id(exchange))
        .said(Role::User, "go on");
    assert!(positions(&OpaqueReasoningPolicy::new(), &called.done()).is_empty());
}

#[test]
fn readable_reasoning_stays_in_the_last_turns_that_have_some() {
    let step = [(PartKind::Reasoning, THOUGHTS), (PartKind::Text, "done")];
    let session = (0..6).fold(Session::default(), |session, _| session.turn(&step).said(Role::User, "go on"));
    let session = session.done();
    assert_eq!(positions(&OldReasoningPolicy::new(), &session), [0, 2]);
    assert_eq!(positions(&OldReasoningPolicy::new().with_keep_recent_turns(0), &session).len(), 6);
    assert!(positions(&OldReasoningPolicy::new().with_keep_recent_turns(9), &session).is_empty());
}
