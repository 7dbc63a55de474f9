//! Whether fates that were stored are ones that a plan could have given.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_messages::MessageEstimator;
use cutctx_types::{
    Action, CompactionBudget, PlanDraft, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
};

use super::runs::Run;

/// The fates of these turns as runs have them, where the rules of plans accept them and none is about a turn behind the
/// first so many, which are the ones that the runs were made of: what is stored may have been written by anybody.
///
/// What a shortened turn takes is no more than the turn does, whatever was counted then, and not much less than what is
/// left of it. Which turns are pinned may have changed since, and a result may have come late: what may not go any more is
/// brought back.
pub(in super::super) fn legal(
    runs: Vec<Run>,
    turns: &[TranscriptTurn],
    bound: usize,
    estimator: &dyn MessageEstimator,
) -> Option<Legal> {
    let total = runs.iter().fold(0_usize, |sum, (_, count)| sum.saturating_add(*count));
    if total > bound.min(turns.len()) {
        return None;
    }
    let known = runs.into_iter().flat_map(|(action, count)| core::iter::repeat_n(action, count));
    let padded = known.chain(core::iter::repeat(Action::Keep));
    let mut actions: Vec<Action> = padded.take(turns.len()).collect();
    each_shorter(turns, &mut actions, |turn, _, tokens| tokens.min(turn.token_estimate()));
    let changed = bring_back(turns, &mut actions, total);
    if !is_plan(turns, &actions) {
        return None;
    }
    each_shorter(turns, &mut actions, |_, left, tokens| {
        let least = left.map(|text| estimator.text(text)).fold(0, u64::saturating_add);
        if tokens < least / MOST_UNDERCOUNTED { least } else { tokens }
    });
    Some(Legal { actions, changed })
}

/// Fates that a plan could have given.
#[derive(Debug, Default)]
pub(in super::super) struct Legal {
    /// One for each turn.
    pub(in super::super) actions: Vec<Action>,
    /// The first turn that is brought back.
    pub(in super::super) changed: Option<usize>,
}

/// Keeps what is pinned and would be gone, with the exchange that it belongs to, or would say something else. Only what
/// is pinned for its place, and was cut as a last resort, stays so. Exchanges go on with the turns behind the first so many, which had no
/// fate yet, so that they are kept, too. The first turn that is brought back.
fn bring_back(turns: &[TranscriptTurn], actions: &mut [Action], known: usize) -> Option<usize> {
    let pinned = turns.iter().zip(&*actions).filter(|(turn, action)| turn.pinned() && is_gone(action));
    let pinned = pinned.map(|(turn, _)| turn);
    let late = turns.iter().skip(known);
    let exchanges: BTreeSet<&str> = pinned.chain(late).filter_map(TranscriptTurn::tool_call_id).collect();
    let mut first = None;
    for ((turn, action), at) in turns.iter().zip(actions).zip(0_usize..) {
        let with_another = || turn.tool_call_id().is_some_and(|id| exchanges.contains(id));
        if turn.pinned() && !may_stay(turn, action) || is_gone(action) && with_another() {
            *action = Action::Keep;
            first = first.or(Some(at));
        }
    }
    first
}

const fn is_gone(action: &Action) -> bool {
    matches!(action, Action::Drop | Action::Summarize { .. })
}

/// Whether a turn that is pinned may have this fate.
fn may_stay(turn: &TranscriptTurn, action: &Action) -> bool {
    match action {
        Action::Keep => true,
        Action::Trim(_) => turn.pinned_in_place(),
        Action::Drop | Action::Mask(_) | Action::Summarize { .. } => false,
    }
}

/// Counts are not believed to be wrong by more than this factor.
const MOST_UNDERCOUNTED: u64 = 8;

/// Counts each turn anew that is masked or trimmed, by the turn, the texts that are left of it and the count so far.
fn each_shorter(
    turns: &[TranscriptTurn],
    actions: &mut [Action],
    count: impl Fn(&TranscriptTurn, &mut dyn Iterator<Item = &str>, u64) -> u64,
) {
    for (turn, action) in turns.iter().zip(actions) {
        match action {
            Action::Mask(stub) => {
                let mut left = core::iter::once(&*stub.content);
                stub.token_estimate = count(turn, &mut left, stub.token_estimate);
            }
            Action::Trim(trim) => {
                let ranges = trim.kept.iter().flat_map(|kept| &kept.ranges);
                let mut left = ranges.filter_map(|range| turn.content().get(range.clone()));
                trim.token_estimate = count(turn, &mut left, trim.token_estimate);
            }
            Action::Keep | Action::Drop | Action::Summarize { .. } => {}
        }
    }
}

fn is_plan(turns: &[TranscriptTurn], actions: &[Action]) -> bool {
    let budget = CompactionBudget::new(u64::MAX).with_protected_recent_turns(0);
    let unpinned = turns.iter().map(|turn| turn.clone().with_pinned(false)).collect();
    let Ok(transcript) = Transcript::new(unpinned) else { return false };
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
