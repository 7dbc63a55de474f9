//! System turns, pinned turns and the protected tail are kept.

use super::Proposal;
use crate::violation::Violation;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::ActionKind;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let touched = proposal.rows().filter(|(position, _, action)| {
        action.action.kind() != ActionKind::Keep && proposal.survey.is_untouchable(*position)
    });
    let mut touched: Vec<(Arc<str>, ActionKind)> =
        touched.map(|(_, turn, action)| (turn.turn_id().clone(), action.action.kind())).collect();
    if touched.is_empty() {
        return None;
    }
    touched.sort_unstable();
    touched.truncate(10);
    let (touched_turn_ids, actions) = touched.into_iter().unzip();
    let protected_recent_turns = proposal.survey.budget().protected_recent_turns();
    Some(Violation::Untouchable { touched_turn_ids, actions, protected_recent_turns })
}
