//! Turns as messages, for compactors.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{
    DurableObject, DurableValue, Message, MessagePart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart,
    check_context,
};
use cutctx_types::{PartKind, Role, TranscriptTurn};

/// A turn that is to be told, and its number.
pub(super) type Told<'t> = (usize, &'t TranscriptTurn);

/// The messages of turns, and how many turns the first so many messages stand for. A calling turn and its results are
/// a round where they make one; what makes none is told as text.
pub(super) fn messages_of(turns: &[Told<'_>]) -> Vec<(Message, usize)> {
    let mut messages = Vec::with_capacity(turns.len());
    let mut done = 0_usize;
    for unit in turns.chunk_by(|(_, left), (_, right)| is_round(left, right)) {
        let end = done.saturating_add(unit.len());
        if let Some([calling, answering]) = round(unit) {
            messages.push((calling, done.saturating_add(1)));
            messages.push((answering, end));
        } else {
            let each = unit.iter().zip(done.saturating_add(1)..);
            messages.extend(each.filter_map(|((_, turn), end)| Some((plain(turn)?, end))));
        }
        done = end;
    }
    if let Some((_, end)) = messages.last_mut() {
        *end = done;
    }
    messages
}

fn is_round(left: &TranscriptTurn, right: &TranscriptTurn) -> bool {
    left.tool_call_id().is_some() && left.tool_call_id() == right.tool_call_id()
}

/// A calling turn and its results, where each call has one.
fn round(unit: &[Told<'_>]) -> Option<[Message; 2]> {
    let ((_, calling), results) = unit.split_first()?;
    if calling.role() != Role::Assistant || results.iter().any(|(_, turn)| turn.role() != Role::Tool) {
        return None;
    }
    let names: Vec<&str> = results.iter().filter_map(|(_, turn)| turn.tool_name()).collect();
    let calling = Message::new(Role::Assistant, parts_of(calling, &names)).ok()?;
    let parts = results.iter().map(|(_, turn)| answer(turn)).collect::<Option<Vec<MessagePart>>>()?;
    let round = [calling, Message::new(Role::Tool, parts).ok()?];
    check_context(&round).is_ok().then_some(round)
}

fn answer(turn: &TranscriptTurn) -> Option<MessagePart> {
    let name = name(turn.tool_name().unwrap_or_default());
    let result = ToolResultPart::new(call_id(turn.answers()?), name, clean(turn.content())).ok()?;
    Some(result.with_error(turn.failed()).into())
}

fn call_id(part: u32) -> String {
    format!("call_{part}")
}

/// The parts of a calling turn. Which tools were called is known from the results.
fn parts_of(turn: &TranscriptTurn, names: &[&str]) -> Vec<MessagePart> {
    let (mut parts, mut start, mut calls) = (Vec::new(), 0, 0_usize);
    for (part, at) in turn.parts().iter().zip(0_u32..) {
        let text = clean(turn.content().get(start..part.end).unwrap_or_default());
        start = part.end;
        parts.extend(match part.kind {
            PartKind::CallArguments => {
                let tool = called(&text).or_else(|| names.get(calls).copied());
                calls = calls.saturating_add(1);
                let tool = name(tool.unwrap_or_default());
                ToolCallPart::new(call_id(at), tool, arguments(&text)).map(MessagePart::from).ok()
            }
            PartKind::Reasoning => ThinkingPart::new(text).map(MessagePart::from).ok(),
            PartKind::OpaqueReasoning => None,
            PartKind::Text | PartKind::Result | PartKind::Media | _ => {
                TextPart::new(text).map(MessagePart::from).ok()
            }
        });
    }
    parts
}

/// The tool that a part of a turn calls.
fn called(part: &str) -> Option<&str> {
    part.strip_prefix("[call ")?.split_once(' ').map(|(name, _)| name)
}

/// Arguments as an object: what is none stands under one name.
fn arguments(part: &str) -> DurableObject {
    let spelled = part.strip_prefix("[call ").and_then(|call| call.split_once(' ')).map(|(_, rest)| rest);
    let spelled = spelled.and_then(|rest| rest.strip_suffix(']')).unwrap_or(part);
    if let Ok(object) = serde_json::from_str(spelled) {
        return object;
    }
    let value = DurableValue::text(spelled).unwrap_or(DurableValue::NULL);
    DurableObject::new(alloc::vec![("arguments".into(), value)]).unwrap_or_default()
}

/// A turn as a message of text.
pub(super) fn plain(turn: &TranscriptTurn) -> Option<Message> {
    let text = clean(turn.content());
    let (role, text) = match turn.role() {
        Role::Tool => {
            let tool = turn.tool_name().unwrap_or("tool");
            (Role::User, format!("[result of {tool}] {text}").into())
        }
        role @ (Role::System | Role::User | Role::Assistant) => (role, text),
    };
    Message::new(role, alloc::vec![TextPart::new(text).ok()?.into()]).ok()
}

fn name(name: &str) -> Arc<str> {
    let name = clean(name.trim());
    if name.is_empty() { "tool".into() } else { name }
}

fn clean(text: &str) -> Arc<str> {
    if text.contains('\0') { text.replace('\0', "\u{FFFD}").into() } else { text.into() }
}
