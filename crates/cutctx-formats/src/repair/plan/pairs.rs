//! Calls and results: every call answered, every result where its provider looks for it.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::CallState;
use cutctx_types::Role;

use super::{Case, Note, Step};
use crate::format::Dialect;
use crate::layout::{Answer, Mend, Piece, Target};
use crate::repair::change::RepairKind;
use crate::repair::matching::{Answers, CallMatch, Matches, ResultMatch};
use crate::repair::outline::{Message, Part, Side};
use crate::rules::names::{
    CALL_IN_FLIGHT, ORPHAN_RESULT, REPEATED_RESULT, RESULT_NOT_FIRST, SPLIT_RESULTS, UNANSWERED_CALL,
};

const RULES: [&str; 6] =
    [UNANSWERED_CALL, CALL_IN_FLIGHT, ORPHAN_RESULT, REPEATED_RESULT, RESULT_NOT_FIRST, SPLIT_RESULTS];

pub(super) fn plan(case: &Case<'_>) -> Vec<Step> {
    if !case.breaks(&RULES) {
        return Vec::new();
    }
    let matches = Matches::new(case.outline);
    let mut steps = superfluous(case, &matches);
    match case.dialect {
        Dialect::Free => {}
        Dialect::OpenAiChat => steps.extend(behind_calls(case, &matches)),
        Dialect::OpenAiResponses => steps.extend(anywhere_later(case, &matches)),
        Dialect::Anthropic | Dialect::Bedrock | Dialect::Gemini => {
            steps.extend(in_next_message(case, &matches));
        }
    }
    steps
}

/// Results that answer nothing, or once more. What is pinned stays.
fn superfluous(case: &Case<'_>, matches: &Matches<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for result in &matches.results {
        let kind = match result.answers {
            Answers::Nothing => RepairKind::RemovedOrphanResult,
            Answers::Again => RepairKind::RemovedDuplicateResult,
            Answers::Call(_) | Answers::NotYet => continue,
        };
        let (message, part) = result.at;
        if !case.outline.messages.get(message).is_some_and(|message| message.is_pinned) {
            let note = Note::of_call(kind, message, &result.facts.id);
            steps.push(Step::new(Mend::Remove { message, part }, note));
        }
    }
    steps
}

/// Results are records directly behind the one with their calls.
fn behind_calls(case: &Case<'_>, matches: &Matches<'_>) -> Vec<Step> {
    let listed: Vec<(usize, &Message)> = case.outline.listed().collect();
    let by_message = matches.by_message(case.outline.messages.len());
    let mut steps = Vec::new();
    for (place, (index, _)) in listed.iter().enumerate() {
        let calls = by_message.get(*index).map(Vec::as_slice).unwrap_or_default();
        let after = listed.iter().skip(place.saturating_add(1));
        let run: Vec<usize> = if calls.is_empty() {
            Vec::new()
        } else {
            after.take_while(|(_, next)| next.role == Role::Tool).map(|(index, _)| *index).collect()
        };
        let in_run = |result: &ResultMatch<'_>| run.binary_search(&result.at.0).is_ok();
        let own = calls.iter().filter_map(|call| result_of(matches, call)).filter(|result| in_run(result));
        let last = own.map(|result| result.at.0).max().unwrap_or(*index);
        let mut delivery = Delivery::new(case);
        for call in calls {
            delivery.want(call, result_of(matches, call).map(|result| (result, in_run(result))));
        }
        steps.extend(delivery.step(Target::Behind(last)));
    }
    steps
}

/// Results are records anywhere behind their calls.
fn anywhere_later(case: &Case<'_>, matches: &Matches<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for call in matches.calls.iter().filter(|call| call.facts.state != Some(CallState::Aborted)) {
        let result = result_of(matches, call).map(|result| (result, result.at > call.at));
        let mut delivery = Delivery::new(case);
        delivery.want(call, result);
        steps.extend(delivery.step(Target::Behind(call.at.0)));
    }
    steps
}

/// Results are the first parts of the message of the user's side that directly follows their calls.
fn in_next_message(case: &Case<'_>, matches: &Matches<'_>) -> Vec<Step> {
    let listed: Vec<(usize, &Message)> = case.outline.listed().collect();
    let by_message = matches.by_message(case.outline.messages.len());
    let joins = case.dialect != Dialect::Gemini;
    let groups: Vec<&[(usize, &Message)]> = listed
        .chunk_by(|(_, one), (_, next)| one.side() == next.side() && (joins || one.side() == Side::User))
        .collect();
    let mut steps = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        let calls: Vec<&CallMatch<'_>> =
            group.iter().filter_map(|(index, _)| by_message.get(*index)).flatten().copied().collect();
        let next = groups.get(place.saturating_add(1)).copied().unwrap_or_default();
        let next = if next.first().is_some_and(|(_, first)| first.side() == Side::User) { next } else { &[] };
        let Some((last, _)) = group.last().filter(|_| !calls.is_empty()) else { continue };
        let to = next.first().map_or(Target::Behind(*last), |(first, _)| Target::Within(*first));
        let leading = leading(next);
        let mut delivery = Delivery::new(case);
        for call in calls {
            let result = result_of(matches, call);
            delivery.want(call, result.map(|result| (result, leading.contains(&result.at))));
        }
        steps.extend(delivery.step(to));
    }
    steps
}

/// The results with which the first message of a side begins.
fn leading(group: &[(usize, &Message)]) -> BTreeSet<(usize, usize)> {
    let Some((index, first)) = group.first() else { return BTreeSet::new() };
    let results = first.parts.iter().take_while(|part| matches!(part, Part::Result(_))).enumerate();
    results.map(|(part, _)| (*index, part)).collect()
}

fn result_of<'m, 'o>(matches: &'m Matches<'o>, call: &CallMatch<'_>) -> Option<&'m ResultMatch<'o>> {
    matches.results.get(call.result?)
}

/// Results that are to be put somewhere.
struct Delivery<'c> {
    case: &'c Case<'c>,
    pieces: Vec<Piece>,
    notes: Vec<Note>,
}

impl<'c> Delivery<'c> {
    const fn new(case: &'c Case<'c>) -> Self {
        Self { case, pieces: Vec::new(), notes: Vec::new() }
    }

    /// A call wants its result, which may be in its place already.
    fn want(&mut self, call: &CallMatch<'_>, result: Option<(&ResultMatch<'_>, bool)>) {
        let kind = match result {
            Some((_, true)) => return,
            Some((result, false)) => {
                let (message, part) = result.at;
                self.pieces.push(Piece::Part { message, part });
                self.notes.push(Note::of_call(RepairKind::MovedResult, message, &call.facts.id));
                return;
            }
            None if call.is_pending && !self.case.closes_open_calls => return,
            None if call.is_pending => RepairKind::ClosedCall,
            None => RepairKind::AnsweredCall,
        };
        self.pieces.push(Piece::Answer(Answer {
            call_id: call.facts.id.clone(),
            name: call.facts.name.clone(),
            text: String::from(self.case.not_completed),
        }));
        self.notes.push(Note::of_call(kind, call.at.0, &call.facts.id));
    }

    fn step(self, to: Target) -> Option<Step> {
        let Self { pieces, notes, .. } = self;
        (!pieces.is_empty()).then_some(Step { mend: Mend::Deliver { pieces, to }, notes })
    }
}
