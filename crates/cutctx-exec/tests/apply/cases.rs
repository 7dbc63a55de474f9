//! Hand-made transcripts and plans.

use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{
    Action, CompactionBudget, PlanDraft, Role, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
    TurnReplacement,
};

/// A transcript of everything: a system turn, a folded span, a dropped exchange, a pinned call with a
/// masked result, a turn that the policy spared, and a protected one.
pub(crate) fn transcript() -> Transcript {
    let turn = |id: &str, role, text: &str, tokens| TranscriptTurn::new(id, role, text, tokens).unwrap();
    Transcript::new(vec![
        turn("s", Role::System, "be brief", 2),
        turn("u1", Role::User, "first question", 10),
        turn("a1", Role::Assistant, "first answer", 20),
        turn("a2", Role::Assistant, "look it up", 5).with_tool_call_id("gone"),
        turn("t2", Role::Tool, "found nothing", 30).with_tool_call_id("gone"),
        turn("a3", Role::Assistant, "look again", 6).with_tool_call_id("stays").with_pinned(true),
        turn("t3", Role::Tool, "found a lot of text", 50).with_tool_call_id("stays"),
        turn("t4", Role::Tool, "more of it", 7).with_tool_call_id("stays"),
        turn("u5", Role::User, "second question", 8),
        turn("a5", Role::Assistant, "second answer", 9),
    ])
    .unwrap()
}

pub(crate) fn budget() -> CompactionBudget {
    CompactionBudget::new(50).with_protected_recent_turns(1)
}

/// The plan for [`transcript`].
pub(crate) fn plan() -> CompactionPlan {
    let fold = || Action::Summarize { group: "g".into() };
    let actions = [
        ("s", Action::Keep),
        ("u1", fold()),
        ("a1", fold()),
        ("a2", Action::Drop),
        ("t2", Action::Drop),
        ("a3", Action::Keep),
        ("t3", Action::Mask(TurnReplacement::new("stub", 1))),
        ("t4", Action::Keep),
        ("u5", Action::Keep),
        ("a5", Action::Keep),
    ];
    let actions = actions.into_iter().map(|(id, action)| TurnAction::new(id, action)).collect();
    let request = SummarizationRequest::new("g", vec!["u1".into(), "a1".into()], 4, "prompt").unwrap();
    let draft = PlanDraft::new("by hand", "1.0.0", actions).with_requests(vec![request]);
    let transcript = transcript();
    CompactionPlan::check(draft, &Survey::new(&transcript, &budget()).unwrap()).unwrap()
}

/// [`transcript`] with these turns after it.
pub(crate) fn continued(turns: impl IntoIterator<Item = TranscriptTurn>) -> Transcript {
    Transcript::new(transcript().turns().iter().cloned().chain(turns).collect()).unwrap()
}

/// [`transcript`] with one turn made anew.
pub(crate) fn changed(id: &str, change: impl Fn(&TranscriptTurn) -> TranscriptTurn) -> Transcript {
    let transcript = transcript();
    let turns = transcript.turns().iter();
    let remade = turns.map(|turn| if &**turn.turn_id() == id { change(turn) } else { turn.clone() });
    Transcript::new(remade.collect()).unwrap()
}
