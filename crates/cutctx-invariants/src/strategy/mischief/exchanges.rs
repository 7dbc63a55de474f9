//! Drafts that touch what is untouchable, separate exchanges, or take an id that is taken.

use super::{pick, set};
use crate::strategy::drafts::requests_for;
use crate::survey::Survey;
use alloc::vec::Vec;
use cutctx_types::{Action, PlanDraft, SUMMARY_PREFIX};

pub(super) fn touch(draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize) {
    let untouchable: Vec<usize> =
        (0..survey.turns().len()).filter(|position| survey.is_untouchable(*position)).collect();
    if let Some(position) = pick(&untouchable, knob) {
        set(draft, *position, Action::Drop);
    }
}

pub(super) fn split(draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize) {
    drop_first(draft, survey, knob, &Action::Keep);
}

pub(super) fn mix(draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize) {
    drop_first(draft, survey, knob, &Action::Summarize { group: "mixed".into() });
}

/// Drops the first member of an exchange and does something else with the others.
fn drop_first(draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize, others: &Action) {
    for (index, position) in removable_members(survey, 2, knob).into_iter().enumerate() {
        set(draft, position, if index == 0 { Action::Drop } else { others.clone() });
    }
    draft.summarization_requests = requests_for(draft, 1);
}

pub(super) fn take_summary_id(draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize) {
    let mut taken = survey.turns().iter().filter_map(|turn| turn.turn_id().strip_prefix(SUMMARY_PREFIX));
    let Some(group) = taken.find(|group| !group.is_empty()) else { return };
    for position in removable_members(survey, 1, knob) {
        set(draft, position, Action::Summarize { group: group.into() });
    }
    draft.summarization_requests = requests_for(draft, 1);
}

/// The members of one of the removable exchanges that have at least so many.
fn removable_members(survey: &Survey<'_>, least: usize, knob: usize) -> Vec<usize> {
    let exchanges = survey.exchanges().iter().enumerate();
    let removable: Vec<&[usize]> = exchanges
        .filter(|(exchange, members)| survey.is_removable_exchange(*exchange) && members.len() >= least)
        .map(|(_, members)| members)
        .collect();
    pick(&removable, knob).map(|members| members.to_vec()).unwrap_or_default()
}
