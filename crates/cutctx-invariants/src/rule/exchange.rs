//! A tool exchange is never separated: all of it stays, or all of it goes the same way.
//!
//! Kept, masked and trimmed turns mix freely.

use super::Proposal;
use crate::groups::name_alike;
use crate::violation::Violation;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{ActionKind, TurnAction, capped_ids};

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let actions = &proposal.draft.actions;
    let separated = |members: &&[usize]| !stays_together(members, actions);
    let members = proposal.survey.exchanges().iter().find(separated)?;
    Some(describe(&members.iter().filter_map(|position| actions.get(*position)).collect::<Vec<_>>()))
}

/// Whether all members stay, or all of them go the same way.
fn stays_together(members: &[usize], actions: &[TurnAction]) -> bool {
    let Some((first, rest)) = members.split_first() else { return true };
    let Some(first) = actions.get(*first) else { return true };
    let alike =
        |action: &TurnAction| first.action.removes() == action.action.removes() && name_alike(first, action);
    rest.iter().filter_map(|position| actions.get(*position)).all(alike)
}

fn describe(actions: &[&TurnAction]) -> Violation {
    let all_go = actions.iter().all(|action| action.action.removes());
    if all_go { mixed(actions) } else { split(actions) }
}

fn split(actions: &[&TurnAction]) -> Violation {
    let ids = |removes: bool| {
        let side = actions.iter().filter(|action| action.action.removes() == removes);
        capped_ids(side.map(|action| action.turn_id.clone()))
    };
    Violation::SplitExchange { removed_turn_ids: ids(true), retained_turn_ids: ids(false) }
}

fn mixed(actions: &[&TurnAction]) -> Violation {
    let mut kinds: Vec<ActionKind> = actions.iter().map(|action| action.action.kind()).collect();
    kinds.sort_unstable_by_key(|kind| kind.as_str());
    kinds.dedup();
    let group_of = |action: &&TurnAction| action.action.group().cloned().unwrap_or_else(|| Arc::from(""));
    let mut groups: Vec<Arc<str>> = actions.iter().map(group_of).collect();
    groups.sort_unstable();
    groups.dedup();
    Violation::MixedExchange {
        turn_ids: capped_ids(actions.iter().map(|action| action.turn_id.clone())),
        actions: kinds,
        summary_groups: capped_ids(groups),
    }
}
