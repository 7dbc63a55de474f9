//! Scenarios that are simpler than a given one.

use crate::strategy::Scenario;
use alloc::vec::Vec;
use cutctx_types::{CompactionBudget, Transcript, TranscriptTurn};

/// Scenarios with one turn less, one turn plainer, or a plainer budget. Every one of them is strictly
/// simpler, so that simplifying ends.
pub(super) fn simpler(scenario: &Scenario) -> impl Iterator<Item = Scenario> {
    let turns = 0..scenario.transcript.len();
    let fewer = turns.clone().filter_map(|position| without(scenario, position));
    let plainer = turns.filter_map(|position| with_plain(scenario, position));
    fewer.chain(plainer).chain(plainer_budget(scenario))
}

fn without(scenario: &Scenario, position: usize) -> Option<Scenario> {
    let turns = scenario.transcript.turns().iter().enumerate();
    let rest = turns.filter(|(other, _)| *other != position).map(|(_, turn)| turn.clone());
    Some(Scenario::new(Transcript::new(rest.collect()).ok()?, scenario.budget))
}

/// The turn at a position without its parts and its tool's name.
fn with_plain(scenario: &Scenario, position: usize) -> Option<Scenario> {
    let mut turns = scenario.transcript.turns().to_vec();
    let slot = turns.get_mut(position)?;
    let plain = plain(slot)?;
    if *slot == plain {
        return None;
    }
    *slot = plain;
    Some(Scenario::new(Transcript::new(turns).ok()?, scenario.budget))
}

fn plain(turn: &TranscriptTurn) -> Option<TranscriptTurn> {
    let (id, content) = (turn.turn_id().clone(), turn.content().clone());
    let plain = TranscriptTurn::new(id, turn.role(), content, turn.token_estimate()).ok()?;
    let plain = plain.pinned_like(turn).with_metadata(turn.metadata().clone());
    Some(match turn.tool_call_id() {
        Some(call) => plain.with_tool_call_id(call),
        None => plain,
    })
}

/// The budget without its target, without permission to clip, and with no protected turns.
fn plainer_budget(scenario: &Scenario) -> Vec<Scenario> {
    let budget = scenario.budget;
    let with = |budget| Scenario::new(scenario.transcript.clone(), budget);
    let untargeted = CompactionBudget::new(budget.max_tokens())
        .with_protected_recent_turns(budget.protected_recent_turns())
        .with_clip_active(budget.clip_active());
    let unclipped = budget.with_clip_active(false);
    let unprotected = budget.with_protected_recent_turns(0);
    [untargeted, unclipped, unprotected].into_iter().filter(|plainer| *plainer != budget).map(with).collect()
}
