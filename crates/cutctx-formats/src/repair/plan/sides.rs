//! Who speaks after whom, and who speaks first.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Case, Note, Step};
use crate::layout::Mend;
use crate::repair::change::RepairKind;
use crate::repair::outline::Message;
use crate::rules::names::{CALL_NOT_AFTER_USER, FIRST_NOT_USER, ROLES_NOT_ALTERNATING};

/// What a first message says that takes the place of a lost one.
const BEGINNING: &str = "(The beginning of this conversation is missing.)";

/// Neighbours of one side become one message: of a run of them, all up to the last one that breaks a rule.
pub(super) fn joined(case: &Case<'_>) -> Vec<Step> {
    let rules = [ROLES_NOT_ALTERNATING, CALL_NOT_AFTER_USER];
    let breaking: Vec<usize> = case.breaking(&rules).into_iter().map(|(index, _)| index).collect();
    let listed: Vec<(usize, &Message)> = case.outline.listed().collect();
    let runs = listed.chunk_by(|(_, before), (_, message)| before.side() == message.side());
    runs.flat_map(|run| joined_run(run, &breaking)).collect()
}

fn joined_run(run: &[(usize, &Message)], breaking: &[usize]) -> Vec<Step> {
    let Some(((to, _), others)) = run.split_first() else { return Vec::new() };
    let breaks = |(index, _): &(usize, &Message)| breaking.binary_search(index).is_ok();
    let count = others.iter().rposition(breaks).map_or(0, |last| last.saturating_add(1));
    let join = |(index, _): &(usize, &Message)| {
        let note = Note::new(RepairKind::JoinedMessages, *index);
        Step::new(Mend::Join { message: *index, to: *to }, note)
    };
    others.iter().take(count).map(join).collect()
}

/// The user speaks first.
pub(super) fn opened(case: &Case<'_>) -> Vec<Step> {
    let Some((first, _)) = case.outline.listed().next() else { return Vec::new() };
    let breaking = case.breaking(&[FIRST_NOT_USER, CALL_NOT_AFTER_USER]);
    if breaking.first().is_none_or(|(index, _)| *index != first) {
        return Vec::new();
    }
    let note = Note::new(RepairKind::AddedOpening, first);
    alloc::vec![Step::new(Mend::Open { text: String::from(BEGINNING) }, note)]
}
