//! What must stay for signed reasoning to be accepted.
//!
//! The turn that is still going on begins after the last thing that was said to the model, results aside. In it
//! providers want each message with signed reasoning to begin with it, and messages of the model that touch count as
//! one. So, where there is signed reasoning,
//!
//! * what the model was asked last stays: without it an earlier turn, whose reasoning may be gone, would be part of the
//!   one that is still going on;
//! * where a message that does not begin with reasoning could come to touch a later one with reasoning, what stands
//!   between them stays;
//! * where messages of the model touch already and one of them that has reasoning comes after one that has none, the
//!   first of them stays, and so does the first message of the turn when later ones lack the reasoning that it has.

use alloc::vec::Vec;

use cutctx_messages::{MessageView, PartView};
use cutctx_types::{PartKind, Role, TranscriptTurn};

use crate::layout::Layout;
use crate::side::Side;

/// The signed reasoning of the turn that is still going on is held: of all messages after a person's last one.
pub(crate) fn hold_reasoning(layout: &mut Layout, turns: &mut [TranscriptTurn]) {
    let person = turns.iter().rposition(|turn| turn.role() == Role::User);
    layout.hold_reasoning_after(person.and_then(|turn| layout.message_of(turn)));
    let first = person.map_or(0, |person| person.saturating_add(1));
    tell_held(turns.get_mut(first..).unwrap_or_default());
}

/// Tells of these turns that their signed reasoning, where they have some, stays whatever a plan says.
pub(crate) fn tell_held(turns: &mut [TranscriptTurn]) {
    let is_signed =
        |turn: &TranscriptTurn| turn.parts().iter().any(|part| part.kind == PartKind::OpaqueReasoning);
    for turn in turns.iter_mut().filter(|turn| is_signed(turn)) {
        *turn = turn.clone().with_reasoning_held(true);
    }
}

/// What matters of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline {
    side: Side,
    /// Its first turn.
    turn: usize,
    /// The turn in which somebody says or shows something to the model.
    said: Option<usize>,
    reasons: bool,
    begins_with_reasoning: bool,
    calls: bool,
}

impl Outline {
    /// The outline of a message whose first turn will be this one.
    pub(crate) fn of(message: &MessageView<'_>, first_turn: usize) -> Self {
        let side = Side::of(message.role);
        let says = |part: &PartView<'_>| matches!(part, PartView::Text(_) | PartView::Media(_));
        let said = message.parts.iter().position(says).filter(|_| message.role == Role::User);
        let reasons =
            |part: &PartView<'_>| matches!(part, PartView::Reasoning(_) | PartView::OpaqueReasoning { .. });
        let calls = |part: &PartView<'_>| matches!(part, PartView::ToolCall(call) if !call.server_side);
        Self {
            side,
            turn: first_turn,
            said: said.map(|results| first_turn.saturating_add(results)),
            reasons: side == Side::Model && message.parts.iter().any(reasons),
            begins_with_reasoning: message.parts.first().is_some_and(reasons),
            calls: message.parts.iter().any(calls),
        }
    }
}

/// Pins the turns of these messages that must stay, in their place.
pub(crate) fn pin(messages: &[Outline], turns: &mut [TranscriptTurn]) {
    for turn in must_stay(messages) {
        if let Some(turn) = turns.get_mut(turn).filter(|turn| !turn.pinned()) {
            *turn = turn.clone().with_pinned_in_place();
        }
    }
}

fn must_stay(messages: &[Outline]) -> Vec<usize> {
    if !messages.iter().any(|message| message.reasons) {
        return Vec::new();
    }
    let start = messages.iter().rposition(|message| message.said.is_some());
    let active = messages.get(start.map_or(0, |start| start.saturating_add(1))..).unwrap_or_default();
    let groups: Vec<&[Outline]> = active.chunk_by(|one, next| one.side == next.side).collect();
    let request = start.and_then(|start| messages.get(start)?.said);
    let mut stay: Vec<usize> = request.into_iter().collect();
    let mut reasons_later = false;
    for (at, group) in groups.iter().enumerate().rev() {
        let after = groups.get(at.saturating_add(1)).and_then(|after| after.first());
        let lone = |message: &Outline| !message.begins_with_reasoning && !message.calls;
        if is_models(group) && reasons_later && group.iter().any(lone) {
            stay.extend(after.map(|after| after.turn));
        }
        stay.extend(group.first().filter(|_| mixes(group)).map(|first| first.turn));
        reasons_later |= reasons(group);
    }
    let mut steps = groups.iter().filter(|group| is_models(group));
    let first = steps.next().filter(|first| reasons(first));
    let lacks = steps.any(|step| !reasons(step)) && steps.any(|step| reasons(step));
    stay.extend(first.filter(|_| lacks).and_then(|first| first.first()).map(|first| first.turn));
    stay
}

fn is_models(group: &[Outline]) -> bool {
    group.first().is_some_and(|first| first.side == Side::Model)
}

fn reasons(group: &[Outline]) -> bool {
    group.iter().any(|message| message.reasons)
}

/// Whether reasoning follows a message that does not begin with it.
fn mixes(group: &[Outline]) -> bool {
    let mut rest = group.iter().skip_while(|message| message.begins_with_reasoning);
    rest.next().is_some() && rest.any(|message| message.reasons)
}
