//! Reasoning that must be given back: first, signed, and all of it.

use super::blocks::{blocks, either, gemini_parts};
use super::findings::Findings;
use super::joined::{Group, Side};
use super::names::{
    REASONING_INCOMPLETE, REASONING_MISSING, REASONING_NOT_FIRST, RESULT_NOT_AN_OBJECT, SIGNATURE_MISSING,
};
use super::sent::{Message, Part, Sent};
use crate::raw::{Kind, Object};

/// What follows the last words of the user's side: the turn that is still going on.
fn current<'g, 'm>(groups: &'g [Group<'m>]) -> &'g [Group<'m>] {
    let speaks = |group: &Group<'_>| {
        group.side == Side::User && group.parts().any(|part| matches!(part, Part::Text(_) | Part::Medium))
    };
    let start = groups.iter().rposition(speaks).map_or(0, |index| index.saturating_add(1));
    groups.get(start..).unwrap_or_default()
}

/// In the turn that is still going on, a message with reasoning begins with it.
pub(super) fn comes_first(groups: &[Group<'_>], found: &mut Findings) {
    for group in current(groups).iter().filter(|group| group.side == Side::Model) {
        if let Some(first) = group.messages.first()
            && group.has_reasoning()
            && !group.begins_with_reasoning()
        {
            found.broken(REASONING_NOT_FIRST, first);
        }
    }
}

/// In the turn that is still going on, reasoning is there from the first call on, or not at all.
pub(super) fn is_whole(groups: &[Group<'_>], found: &mut Findings) {
    let mut steps = current(groups).iter().filter(|group| group.side == Side::Model);
    let Some(first) = steps.next().filter(|group| !group.has_reasoning()) else { return };
    if let Some(message) = first.messages.first()
        && steps.any(Group::has_reasoning)
    {
        found.broken(REASONING_INCOMPLETE, message);
    }
}

/// Where the request turns reasoning on, the turn that is still going on has some.
pub(super) fn is_there(sent: &Sent<'_>, groups: &[Group<'_>], found: &mut Findings) {
    let switch = sent.request.as_ref().and_then(|request| request.get("thinking")?.object().ok().flatten());
    if switch.is_none_or(|switch| switch.string("type").as_deref() != Some("enabled")) {
        return;
    }
    let mut steps = current(groups).iter().filter(|group| group.side == Side::Model).peekable();
    let first = steps.peek().and_then(|group| group.messages.first());
    let has_calls = |group: &Group<'_>| group.client_calls().next().is_some();
    let (mut calls, mut reasons) = (false, false);
    for group in steps {
        calls |= has_calls(group);
        reasons |= group.has_reasoning();
    }
    if let Some(message) = first.filter(|_| calls && !reasons) {
        found.broken(REASONING_MISSING, message);
    }
}

/// Every block of reasoning has its signature.
pub(super) fn is_signed(sent: &Sent<'_>, found: &mut Findings) {
    for message in &sent.messages {
        let unsigned = message.parts.iter().filter(|part| matches!(part, Part::Reasoning)).count();
        (0..unsigned).for_each(|_| found.broken(SIGNATURE_MISSING, message));
    }
}

/// As [`is_signed`], for blocks that are objects of one key.
pub(super) fn is_signed_in_blocks(sent: &Sent<'_>, found: &mut Findings) {
    for message in sent.messages.iter().filter(|message| has_reasoning(message)) {
        for block in blocks(sent, message) {
            if readable(&block).is_some_and(|text| !text.has("signature")) {
                found.broken(SIGNATURE_MISSING, message);
            }
        }
    }
}

fn has_reasoning(message: &Message) -> bool {
    message.parts.iter().any(|part| matches!(part, Part::Reasoning | Part::SignedReasoning))
}

fn readable<'t>(block: &Object<'t>) -> Option<Object<'t>> {
    let reasoning = block.get("reasoningContent")?.object().ok()??;
    reasoning.get("reasoningText")?.object().ok()?
}

/// Where the model signs its calls, the first call of every step of the turn that is still going on is signed.
pub(super) fn signs_calls(sent: &Sent<'_>, found: &mut Findings) {
    if !["thoughtSignature", "thought_signature"].iter().any(|key| sent.text.contains(key)) {
        return;
    }
    let start = sent.messages.iter().rposition(Message::speaks).map_or(0, |index| index.saturating_add(1));
    for message in sent.messages.iter().skip(start).filter(|message| message.calls().next().is_some()) {
        let parts = gemini_parts(sent, message);
        let first = parts.iter().find(|part| either(part, "functionCall", "function_call").is_some());
        let signed = |part: &Object<'_>| either(part, "thoughtSignature", "thought_signature").is_some();
        if first.is_some_and(|call| !signed(call)) {
            found.broken(SIGNATURE_MISSING, message);
        }
    }
}

/// What a function responds is an object.
pub(super) fn responses_are_objects(sent: &Sent<'_>, found: &mut Findings) {
    for message in sent.messages.iter().filter(|message| message.results().next().is_some()) {
        for part in gemini_parts(sent, message) {
            let response = either(&part, "functionResponse", "function_response");
            let response = response.and_then(|response| response.object().ok().flatten());
            let value = response.and_then(|response| response.get("response"));
            if value.is_some_and(|value| value.kind() != Kind::Object) {
                found.broken(RESULT_NOT_AN_OBJECT, message);
            }
        }
    }
}
