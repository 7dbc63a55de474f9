//! Drafts that the rules accept.

use super::Scenario;
use super::trims::sound_trim;
use crate::plan::CompactionPlan;
use crate::survey::Survey;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{
    Action, DeclaredFigures, PlanDraft, SUMMARY_PREFIX, SummarizationRequest, TurnAction, TurnReplacement,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// What a legal draft is made from, given a scenario.
#[derive(Debug, Clone)]
pub(super) struct DraftSeed {
    choices: Vec<Choice>,
    target: u64,
    ratio: Option<f64>,
    declares: bool,
}

/// What happens to an exchange, where it is allowed.
#[derive(Debug, Clone, Copy)]
enum Choice {
    Keep,
    Drop,
    /// Into the group of this number.
    Fold(u8),
    /// Each member is kept, masked or trimmed, as the knob says.
    Shorten(u16),
}

pub(super) fn draft_seeds() -> impl Strategy<Value = DraftSeed> {
    let choice = prop_oneof![
        1 => Just(Choice::Keep),
        2 => Just(Choice::Drop),
        4 => (0_u8..3).prop_map(Choice::Fold),
        4 => any::<u16>().prop_map(Choice::Shorten),
    ];
    let ratio =
        prop_oneof![3 => Just(None), 1 => Just(Some(4.0)), 1 => Just(Some(-0.0)), 1 => Just(Some(3.7))];
    (vec(choice, 0..24), 0_u64..600, ratio, any::<bool>())
        .prop_map(|(choices, target, ratio, declares)| DraftSeed { choices, target, ratio, declares })
}

/// A draft that keeps everything.
pub(super) fn keep_all(survey: &Survey<'_>) -> PlanDraft {
    let keep = |id: &Arc<str>| TurnAction::new(Arc::clone(id), Action::Keep);
    PlanDraft::new("scripted", "1.0.0", survey.turns().iter().map(|turn| keep(turn.turn_id())).collect())
}

pub(super) fn legal_draft(scenario: &Scenario, seed: &DraftSeed) -> PlanDraft {
    let Ok(survey) = scenario.survey() else { return PlanDraft::new("scripted", "1.0.0", Vec::new()) };
    let mut draft = keep_all(&survey);
    draft.estimator_ratio = seed.ratio;
    for (exchange, members) in survey.exchanges().iter().enumerate() {
        let choice = pick(&seed.choices, exchange);
        decide(&mut draft, &survey, members, choice, survey.is_removable_exchange(exchange));
    }
    draft.summarization_requests = requests_for(&draft, seed.target);
    if seed.declares {
        draft.declared = honest_figures(&draft, &survey);
    }
    draft
}

/// Choices are used over again when there are more exchanges.
fn pick(choices: &[Choice], exchange: usize) -> Choice {
    let index = exchange.checked_rem(choices.len());
    index.and_then(|index| choices.get(index)).copied().unwrap_or(Choice::Keep)
}

fn decide(draft: &mut PlanDraft, survey: &Survey<'_>, members: &[usize], choice: Choice, removable: bool) {
    for position in members {
        let action = match choice {
            Choice::Drop if removable => Action::Drop,
            Choice::Fold(group) if removable => Action::Summarize { group: free_group(survey, group) },
            Choice::Shorten(knob) if !survey.is_untouchable(*position) => shorten(survey, *position, knob),
            Choice::Shorten(knob) if survey.is_clippable(*position) => trim(survey, *position, knob.into()),
            Choice::Keep | Choice::Drop | Choice::Fold(_) | Choice::Shorten(_) => continue,
        };
        if let Some(slot) = draft.actions.get_mut(*position) {
            slot.action = action;
        }
    }
}

/// A group of which no turn claims to be the summary.
fn free_group(survey: &Survey<'_>, number: u8) -> Arc<str> {
    let mut group = match number {
        0 => String::from("a"),
        1 => String::from("g\0\u{1F600}"),
        number => format!("g{number}"),
    };
    let taken = |group: &str| {
        let id = format!("{SUMMARY_PREFIX}{group}");
        survey.turns().iter().any(|turn| turn.turn_id().as_ref() == id)
    };
    while taken(&group) {
        group.push('\'');
    }
    group.into()
}

fn shorten(survey: &Survey<'_>, position: usize, knob: u16) -> Action {
    let knob = usize::from(knob).wrapping_add(position);
    let mask = || TurnReplacement::new("[cut]", u64::try_from(knob & 0x3F).unwrap_or_default());
    match knob.checked_rem(3) {
        Some(0) => Action::Keep,
        Some(1) => Action::Mask(mask()),
        _ => trim(survey, position, knob),
    }
}

fn trim(survey: &Survey<'_>, position: usize, knob: usize) -> Action {
    let turn = survey.turns().get(position);
    turn.and_then(|turn| sound_trim(turn, knob)).map_or(Action::Keep, Action::Trim)
}

/// One request a group, in order of first turns.
pub(super) fn requests_for(draft: &PlanDraft, target: u64) -> Vec<SummarizationRequest> {
    let mut groups: Vec<(Arc<str>, Vec<Arc<str>>)> = Vec::new();
    for action in &draft.actions {
        let Some(group) = action.action.group() else { continue };
        match groups.iter_mut().find(|(known, _)| known == group) {
            Some((_, turns)) => turns.push(action.turn_id.clone()),
            None => groups.push((group.clone(), alloc::vec![action.turn_id.clone()])),
        }
    }
    let request = |(group, turns)| SummarizationRequest::new(group, turns, target, "brief").ok();
    groups.into_iter().filter_map(request).collect()
}

/// The figures that a plan made of this draft has.
pub(super) fn honest_figures(draft: &PlanDraft, survey: &Survey<'_>) -> Option<DeclaredFigures> {
    let mut bare = draft.clone();
    bare.declared = None;
    let plan = CompactionPlan::check(bare, survey).ok()?;
    let (before, after) = (plan.tokens_before(), plan.tokens_after_estimate());
    Some(DeclaredFigures::new(before.into(), after.into(), plan.budget_unmet()))
}
