//! Calls and their results: complete, once, and where the provider looks for them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::slice;

use cutctx_types::Role;

use super::findings::Findings;
use super::joined::{Group, Side};
use super::names::{
    CALL_NOT_AFTER_USER, ORPHAN_RESULT, REPEATED_CALL_ID, REPEATED_RESULT, RESULT_NAME_DIFFERS,
    RESULT_NOT_FIRST, SPLIT_RESULTS, UNANSWERED_CALL,
};
use super::sent::{CallFacts, Message, Part};

/// Results stand in tool messages directly after the message with the calls, in any order.
pub(super) fn in_tool_messages(messages: &[Message], found: &mut Findings) {
    let mut open = Open::default();
    for message in messages {
        if message.role == Role::Tool {
            open.answer(message, found);
        } else {
            open.close(found);
            open = Open::of(message);
        }
    }
    open.close(found);
}

/// The calls of the message before, and which of them have results.
#[derive(Debug, Default)]
struct Open<'m> {
    message: Option<&'m Message>,
    answered: BTreeMap<&'m str, bool>,
    /// Whether there is a call of the old kind, which has no id.
    has_nameless: bool,
}

impl<'m> Open<'m> {
    fn of(message: &'m Message) -> Self {
        let ids = message.client_calls().map(|call| call.id.as_str());
        let answered = ids.filter(|id| !id.is_empty()).map(|id| (id, false)).collect();
        let has_nameless = message.client_calls().any(|call| call.id.is_empty());
        Self { message: Some(message), answered, has_nameless }
    }

    fn answer(&mut self, message: &Message, found: &mut Findings) {
        for result in message.answers() {
            match self.answered.get_mut(result.id.as_str()) {
                Some(answered) if *answered => found.broken_by(REPEATED_RESULT, message, &result.id),
                Some(answered) => *answered = true,
                None if result.id.is_empty() && self.has_nameless => {}
                None => found.broken_by(ORPHAN_RESULT, message, &result.id),
            }
        }
    }

    fn close(&self, found: &mut Findings) {
        let Some(message) = self.message else { return };
        for (id, _) in self.answered.iter().filter(|(_, answered)| !**answered) {
            found.broken_by(UNANSWERED_CALL, message, id);
        }
    }
}

/// Results stand in the message of the user's side that directly follows the calls, before everything else in it.
pub(super) fn in_the_next_message(groups: &[Group<'_>], found: &mut Findings) {
    for (index, group) in groups.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| groups.get(before));
        let after = groups.get(index.saturating_add(1));
        answers_of(group, before, found);
        open_calls(group, after, found);
    }
}

fn answers_of(group: &Group<'_>, before: Option<&Group<'_>>, found: &mut Findings) {
    let calls = before.map(|before| before.client_calls().map(|(_, call)| call.id.as_str()).collect());
    let calls: BTreeSet<&str> = calls.unwrap_or_default();
    let mut answered = BTreeSet::new();
    for (message, result) in group.results() {
        if !calls.contains(result.id.as_str()) {
            found.broken_by(ORPHAN_RESULT, message, &result.id);
        } else if !answered.insert(result.id.as_str()) {
            found.broken_by(REPEATED_RESULT, message, &result.id);
        }
    }
}

fn open_calls(group: &Group<'_>, after: Option<&Group<'_>>, found: &mut Findings) {
    let results = after.map(|after| after.results().map(|(_, result)| result.id.as_str()).collect());
    let answered: BTreeSet<&str> = results.unwrap_or_default();
    for (message, call) in group.client_calls().filter(|(_, call)| !answered.contains(call.id.as_str())) {
        found.broken_by(UNANSWERED_CALL, message, &call.id);
    }
}

/// The results come first in what the user's side says.
pub(super) fn results_first(groups: &[Group<'_>], found: &mut Findings) {
    for group in groups {
        let mut rest = group.parts().skip_while(|part| matches!(part, Part::Result(_)));
        if let Some(first) = group.messages.first()
            && rest.any(|part| matches!(part, Part::Result(_)))
        {
            found.broken(RESULT_NOT_FIRST, first);
        }
    }
}

/// The results of one parallel batch stand in one message.
pub(super) fn results_together(groups: &[Group<'_>], found: &mut Findings) {
    for group in groups.iter().filter(|group| group.side == Side::User) {
        let carriers = group.messages.iter().filter(|message| message.results().next().is_some());
        for message in carriers.skip(1) {
            found.broken(SPLIT_RESULTS, message);
        }
    }
}

/// A result comes anywhere after its call. Where an id repeats, it belongs to the nearest earlier call that is open. A
/// call that the file says was stopped needs none.
pub(super) fn anywhere(messages: &[Message], found: &mut Findings) {
    let mut open: BTreeMap<&str, Vec<(&Message, &CallFacts)>> = BTreeMap::new();
    for message in messages {
        for part in &message.parts {
            match part {
                Part::Call(call) if !call.server_side => {
                    open.entry(&call.id).or_default().push((message, call));
                }
                Part::Result(result) if !result.is_provisional => {
                    match open.get_mut(result.id.as_str()).map(Vec::pop) {
                        Some(Some(_)) => {}
                        Some(None) => found.broken_by(REPEATED_RESULT, message, &result.id),
                        None => found.broken_by(ORPHAN_RESULT, message, &result.id),
                    }
                }
                Part::Call(_)
                | Part::Result(_)
                | Part::Text(_)
                | Part::Reasoning
                | Part::SignedReasoning
                | Part::ServerResult
                | Part::Medium => {}
            }
        }
    }
    for (message, call) in open.values().flatten().filter(|(_, call)| !call.is_aborted) {
        found.broken_by(UNANSWERED_CALL, message, &call.id);
    }
}

/// The message after one with calls has just as many results; only their number and names count, because ids may be
/// missing. Messages of the model that call one after the other may be answered together.
pub(super) fn by_number(messages: &[Message], found: &mut Findings) {
    let mut rest = messages;
    while let Some((message, after)) = rest.split_first() {
        let calls = message.client_calls().count();
        rest = after;
        if let Some(answered) = answered_together(calls, after) {
            rest = answered;
        } else if calls > 0 {
            rest = answer_by_number(message, calls, after, found);
        } else {
            message.results().for_each(|result| found.broken_by(ORPHAN_RESULT, message, &result.id));
        }
    }
}

/// Where neighbouring messages of the model call and the next message has as many results as they have calls together:
/// what comes after that.
fn answered_together(calls: usize, after: &[Message]) -> Option<&[Message]> {
    let callers = after.iter().take_while(|next| next.is_models() && next.client_calls().next().is_some());
    let more: Vec<usize> = callers.map(|caller| caller.client_calls().count()).collect();
    let (answer, rest) = after.get(more.len()..)?.split_first()?;
    let all = more.iter().copied().fold(calls, usize::saturating_add);
    let fits = calls > 0 && !more.is_empty() && !answer.is_models() && answer.results().count() == all;
    fits.then_some(rest)
}

/// A message with calls comes directly after one of the user's side, or after one with calls.
pub(super) fn calls_after_user(messages: &[Message], found: &mut Findings) {
    let mut before: Option<&Message> = None;
    for message in messages {
        let is_lost = |before: &Message| before.is_models() && before.client_calls().next().is_none();
        if message.client_calls().next().is_some() && before.is_none_or(is_lost) {
            found.broken(CALL_NOT_AFTER_USER, message);
        }
        before = Some(message);
    }
}

/// Compares a message's calls with the results that follow. Returns what comes after these.
fn answer_by_number<'m>(
    message: &Message,
    calls: usize,
    after: &'m [Message],
    found: &mut Findings,
) -> &'m [Message] {
    let answers = |message: &Message| message.results().count();
    let carriers = after.iter().take_while(|next| !next.is_models() && answers(next) > 0).count();
    let first = after.first().map_or(0, answers);
    let (run, rest) = after.split_at_checked(carriers).unwrap_or((&[], after));
    let all: usize = run.iter().map(answers).fold(0, usize::saturating_add);
    if first < calls && all == calls {
        run.iter().skip(1).for_each(|message| found.broken(SPLIT_RESULTS, message));
        return rest;
    }
    (first..calls).for_each(|_| found.broken(UNANSWERED_CALL, message));
    let Some((answer, rest)) = after.split_first().filter(|_| first > 0) else { return after };
    (calls..first).for_each(|_| found.broken(ORPHAN_RESULT, answer));
    if first == calls && names_differ(message, answer) {
        found.broken(RESULT_NAME_DIFFERS, answer);
    }
    rest
}

fn names_differ(calls: &Message, answer: &Message) -> bool {
    let mut called: Vec<&str> = calls.client_calls().map(|call| call.name.as_str()).collect();
    let named: Option<Vec<&str>> = answer.results().map(|result| result.name.as_deref()).collect();
    let Some(mut named) = named else { return false };
    called.sort_unstable();
    named.sort_unstable();
    called != named
}

/// No message makes two calls of one id.
pub(super) fn ids_unique_in_message(messages: &[Message], found: &mut Findings) {
    for message in messages {
        ids_unique(slice::from_ref(message), found);
    }
}

/// No two calls of the request have one id.
pub(super) fn ids_unique(messages: &[Message], found: &mut Findings) {
    let mut ids = BTreeSet::new();
    for message in messages {
        let named = message.calls().filter(|call| !call.id.is_empty());
        for call in named.filter(|call| !ids.insert(call.id.as_str())).collect::<Vec<_>>() {
            found.broken_by(REPEATED_CALL_ID, message, &call.id);
        }
    }
}
