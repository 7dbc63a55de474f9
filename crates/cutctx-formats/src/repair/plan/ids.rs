//! Ids that repeat or are misspelled.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Case, Note, Step};
use crate::format::Dialect;
use crate::fresh_ids::FreshIds;
use crate::layout::Mend;
use crate::repair::change::RepairKind;
use crate::repair::matching::{At, CallMatch, Matches};
use crate::rules::names::{CALL_ID_SPELLING, REPEATED_CALL_ID, REPEATED_ITEM_ID};

/// How many characters stand before a number: the limit of an id, 64, leaves room for one.
const STEM: usize = 52;

/// Copies of records.
pub(super) fn copies(case: &Case<'_>) -> Vec<Step> {
    let note = |(message, _)| Note::new(RepairKind::RemovedCopy, message);
    let notes: Vec<Note> = case.breaking(&[REPEATED_ITEM_ID]).into_iter().map(note).collect();
    if notes.is_empty() { Vec::new() } else { alloc::vec![Step { mend: Mend::RemoveCopies, notes }] }
}

/// Calls whose id another one has, or that have one that the provider does not take. The result follows its call.
pub(super) fn respelled(case: &Case<'_>) -> Vec<Step> {
    if !case.breaks(&[REPEATED_CALL_ID, CALL_ID_SPELLING]) {
        return Vec::new();
    }
    let matches = Matches::new(case.outline);
    let taken = matches.calls.iter().map(|call| call.facts.id.clone()).collect();
    let mut ids = FreshIds::new(taken, STEM);
    let mut seen: BTreeSet<(Option<usize>, &str)> = BTreeSet::new();
    let mut steps = Vec::new();
    for call in &matches.calls {
        // One provider wants ids that are unique in the request, the others in their message.
        let scope = (case.dialect != Dialect::Anthropic).then_some(call.at.0);
        let repeats = !call.facts.id.is_empty() && !seen.insert((scope, call.facts.id.as_str()));
        let spelled = spelled(&call.facts.id, case.dialect);
        if spelled != call.facts.id || (repeats && case.breaks(&[REPEATED_CALL_ID])) {
            let fresh = ids.give_out(&spelled);
            steps.extend(renamed(call, &matches, &fresh));
        }
    }
    steps
}

fn renamed(call: &CallMatch<'_>, matches: &Matches<'_>, to: &str) -> Vec<Step> {
    let from = &call.facts.id;
    let mend = |(message, part): At| Mend::Rename { message, part, from: from.clone(), to: String::from(to) };
    let note = Note::of_call(RepairKind::RenamedCall, call.at.0, from);
    let result = call.result.and_then(|result| matches.results.get(result));
    let result = result.map(|result| Step { mend: mend(result.at), notes: Vec::new() });
    [Step::new(mend(call.at), note)].into_iter().chain(result).collect()
}

/// The id as its provider takes it.
fn spelled(id: &str, dialect: Dialect) -> String {
    let (more, longest) = match dialect {
        Dialect::Anthropic => ("_-", usize::MAX),
        Dialect::Bedrock => ("_-.:", 64),
        Dialect::Free | Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::Gemini => {
            return String::from(id);
        }
    };
    let allowed = |character: char| character.is_ascii_alphanumeric() || more.contains(character);
    let clean = id.chars().map(|character| if allowed(character) { character } else { '_' });
    let clean: String = clean.take(longest).collect();
    if clean.is_empty() { String::from("call") } else { clean }
}
