//! Drafts without rhyme or reason.

use super::Scenario;
use super::texts::ids;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{
    Action, DeclaredFigures, KeptPart, PlanDraft, SummarizationRequest, Trim, TurnAction, TurnReplacement,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// What a garbage draft is made from, given a scenario.
#[derive(Debug, Clone)]
pub(super) struct GarbageSeed {
    actions: Vec<(Name, Action)>,
    /// Whether the actions are for the scenario's turns in order, as far as they go.
    aligned: bool,
    requests: Vec<(String, Vec<Name>, u64)>,
    ratio: Option<f64>,
    declared: Option<DeclaredFigures>,
}

/// The id of a turn: one of the scenario's by number, or another.
#[derive(Debug, Clone)]
enum Name {
    Known(usize),
    Other(String),
}

pub(super) fn garbage_seeds() -> impl Strategy<Value = GarbageSeed> {
    let requests = vec(("[abgs]|span", vec(names(), 1..4), any::<u64>()), 0..4);
    let declared = (-2_i128..50, any::<i128>(), any::<bool>())
        .prop_map(|(before, after, unmet)| DeclaredFigures::new(before, after, unmet));
    let figures = (proptest::option::of(any::<f64>()), proptest::option::weighted(0.3, declared));
    (vec((names(), actions()), 0..20), prop::bool::weighted(0.8), requests, figures).prop_map(
        |(actions, aligned, requests, (ratio, declared))| GarbageSeed {
            actions,
            aligned,
            requests,
            ratio,
            declared,
        },
    )
}

fn names() -> impl Strategy<Value = Name> {
    prop_oneof![4 => (0_usize..20).prop_map(Name::Known), 1 => ids().prop_map(Name::Other)]
}

fn actions() -> impl Strategy<Value = Action> {
    let ranges = vec((0_usize..30, 0_usize..30).prop_map(|(start, end)| start..end), 0..3);
    let kept = (0_usize..4, ranges).prop_map(|(part, ranges)| KeptPart::new(part, ranges));
    prop_oneof![
        6 => Just(Action::Keep),
        2 => Just(Action::Drop),
        1 => any::<u64>().prop_map(|tokens| Action::Mask(TurnReplacement::new("", tokens))),
        2 => "[abgs]?|span".prop_map(|group| Action::Summarize { group: group.into() }),
        1 => (vec(kept, 0..3), any::<u8>())
            .prop_map(|(kept, tokens)| Action::Trim(Trim::new(kept, tokens.into()).with_counts(tokens % 2 == 1))),
    ]
}

pub(super) fn garbage_draft(scenario: &Scenario, seed: &GarbageSeed) -> PlanDraft {
    let named = |(name, action): &(Name, Action)| TurnAction::new(id_of(scenario, name), action.clone());
    let mut actions: Vec<TurnAction> = seed.actions.iter().map(named).collect();
    if seed.aligned {
        actions = align(scenario, actions);
    }
    let request = |(group, names, target): &(String, Vec<Name>, u64)| {
        let turns = names.iter().map(|name| id_of(scenario, name)).collect();
        SummarizationRequest::new(group.as_str(), turns, *target, "p").ok()
    };
    let requests = seed.requests.iter().filter_map(request).collect();
    let mut draft = PlanDraft::new("garbage", "", actions).with_requests(requests);
    draft.estimator_ratio = seed.ratio;
    draft.declared = seed.declared;
    draft
}

fn id_of(scenario: &Scenario, name: &Name) -> Arc<str> {
    let turns = scenario.transcript.turns();
    match name {
        Name::Other(id) => id.as_str().into(),
        Name::Known(number) => {
            let turn = number.checked_rem(turns.len()).and_then(|index| turns.get(index));
            turn.map_or_else(|| "nobody".into(), |turn| turn.turn_id().clone())
        }
    }
}

/// The same actions, given to the scenario's turns in order; turns without one are kept.
fn align(scenario: &Scenario, actions: Vec<TurnAction>) -> Vec<TurnAction> {
    let dealt = actions.into_iter().map(|action| action.action).chain(core::iter::repeat(Action::Keep));
    let turns = scenario.transcript.turns().iter();
    turns.zip(dealt).map(|(turn, action)| TurnAction::new(turn.turn_id().clone(), action)).collect()
}
