//! Calls whose results may still come: no breach, but a session that stopped in the middle of one.

use alloc::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::names::{CALL_IN_FLIGHT, UNANSWERED_CALL};
use super::sent::Message;
use super::{Rule, Severity};
use crate::format::Dialect;

/// The rule of a dialect for such calls.
pub(super) const fn rule(dialect: Dialect) -> Rule {
    dialect.rule(
        CALL_IN_FLIGHT,
        Severity::Advice,
        "a tool call is in flight: it is the last act of the session, or waits for a person",
        "none is needed while its result may come; `cutctx repair --close-open-calls` answers it",
        "observed in sessions that were copied while a tool ran",
    )
}

/// Of the calls without a result sets those apart that are in flight. One whose result is there and out of place is not.
pub(super) fn set_apart(messages: &[Message], found: &mut Findings) {
    if !found.has(UNANSWERED_CALL) {
        return;
    }
    let started = last_act(messages);
    let calls = messages.iter().flat_map(|message| message.client_calls().map(move |call| (message, call)));
    let told: BTreeMap<(usize, &str), bool> = calls
        .filter_map(|(message, call)| Some(((message.index, call.id.as_str()), call.is_pending?)))
        .collect();
    let late = messages.iter().skip(started.unwrap_or(messages.len())).flat_map(Message::answers);
    let late: BTreeSet<&str> = late.map(|result| result.id.as_str()).filter(|id| !id.is_empty()).collect();
    found.rename(UNANSWERED_CALL, CALL_IN_FLIGHT, |violation| {
        let id = violation.call_id.as_deref().unwrap_or_default();
        let is_last = started.is_some_and(|started| violation.record >= started) && !late.contains(id);
        told.get(&(violation.record, id)).copied().unwrap_or(is_last)
    });
}

/// The first message of the session's last act, where that is calls after which nobody said anything. New calls after
/// results are a new act.
fn last_act(messages: &[Message]) -> Option<usize> {
    let mut started = None;
    let mut answered = false;
    for message in messages {
        if message.is_models() && message.client_calls().next().is_some() {
            started = started.filter(|_| !answered).or(Some(message.index));
            answered = false;
        } else if message.is_models() || message.speaks() {
            started = None;
        } else {
            answered |= message.results().next().is_some();
        }
    }
    started
}
