//! Whether fates that were stored are ones that a plan could have given.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{
    Action, CompactionBudget, PlanDraft, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
};

use super::runs::Run;

/// The fates of these turns as runs have them, where the rules of plans accept them: what is stored may have been written
/// by anybody.
///
/// What a shortened turn takes is no more than the turn does, whatever was counted then.
pub(in super::super) fn legal(runs: Vec<Run>, turns: &[TranscriptTurn]) -> Option<Vec<Action>> {
    let total = runs.iter().fold(0_usize, |sum, (_, count)| sum.saturating_add(*count));
    if total > turns.len() {
        return None;
    }
    let known = runs.into_iter().flat_map(|(action, count)| core::iter::repeat_n(action, count));
    let padded = known.chain(core::iter::repeat(Action::Keep));
    let actions: Vec<Action> = turns.iter().zip(padded).map(|(turn, action)| counted(turn, action)).collect();
    is_plan(turns, &actions).then_some(actions)
}

fn counted(turn: &TranscriptTurn, mut action: Action) -> Action {
    if let Action::Mask(stub) = &mut action {
        stub.token_estimate = stub.token_estimate.min(turn.token_estimate());
    } else if let Action::Trim(trim) = &mut action {
        trim.token_estimate = trim.token_estimate.min(turn.token_estimate());
    }
    action
}

fn is_plan(turns: &[TranscriptTurn], actions: &[Action]) -> bool {
    let budget = CompactionBudget::new(u64::MAX).with_protected_recent_turns(0);
    let Ok(transcript) = Transcript::new(turns.to_vec()) else { return false };
    let Ok(survey) = Survey::new(&transcript, &budget) else { return false };
    let Some(requests) = requests(turns, actions) else { return false };
    let each = turns.iter().zip(actions);
    let each = each.map(|(turn, action)| TurnAction::new(Arc::clone(turn.turn_id()), action.clone()));
    let draft = PlanDraft::new("stored", "2.0.0", each.collect()).with_requests(requests);
    CompactionPlan::check(draft, &survey).is_ok()
}

/// The requests that ask for the groups, in order of their first turns.
fn requests(turns: &[TranscriptTurn], actions: &[Action]) -> Option<Vec<SummarizationRequest>> {
    let mut order: Vec<&Arc<str>> = Vec::new();
    let mut members: BTreeMap<&Arc<str>, Vec<Arc<str>>> = BTreeMap::new();
    for (turn, action) in turns.iter().zip(actions) {
        let Action::Summarize { group } = action else { continue };
        let ids = members.entry(group).or_default();
        if ids.is_empty() {
            order.push(group);
        }
        ids.push(Arc::clone(turn.turn_id()));
    }
    let request = |group: &Arc<str>| {
        let ids = members.get(group).cloned().unwrap_or_default();
        SummarizationRequest::new(Arc::clone(group), ids, 0, "stored").ok()
    };
    order.into_iter().map(request).collect()
}
