//! What calls say: their arguments and how their ids are spelled.

use super::findings::Findings;
use super::names::{CALL_ID_SPELLING, INVALID_ARGUMENTS};
use super::sent::{Arguments, CallFacts, Message};

/// Arguments are JSON, of whatever kind. None at all are those of a tool that takes none.
pub(super) fn are_json(messages: &[Message], found: &mut Findings) {
    each(messages, INVALID_ARGUMENTS, |call| call.arguments == Arguments::Invalid, found);
}

/// Arguments are a JSON object.
pub(super) fn are_objects(messages: &[Message], found: &mut Findings) {
    let wrong = |call: &CallFacts| matches!(call.arguments, Arguments::Invalid | Arguments::OtherJson);
    each(messages, INVALID_ARGUMENTS, wrong, found);
}

/// Ids have at most so many characters.
pub(super) fn ids_at_most(most: usize, messages: &[Message], found: &mut Findings) {
    each(messages, CALL_ID_SPELLING, |call| call.id.chars().count() > most, found);
}

/// Ids have a character and only those that are `allowed`, at most so many.
pub(super) fn ids_of(allowed: fn(char) -> bool, most: usize, messages: &[Message], found: &mut Findings) {
    let wrong = |call: &CallFacts| {
        call.id.is_empty() || call.id.chars().count() > most || !call.id.chars().all(allowed)
    };
    each(messages, CALL_ID_SPELLING, wrong, found);
}

fn each(messages: &[Message], rule: &str, is_wrong: impl Fn(&CallFacts) -> bool, found: &mut Findings) {
    for message in messages {
        message
            .calls()
            .filter(|call| is_wrong(call))
            .for_each(|call| found.broken_by(rule, message, &call.id));
    }
}
