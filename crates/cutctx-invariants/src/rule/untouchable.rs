//! System turns, pinned turns and the protected tail are kept; where the budget lets them be clipped, all but system turns
//! and what its owner pinned may be trimmed.

use super::Proposal;
use crate::violation::Violation;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::ActionKind;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let touched = proposal.rows().filter(|(position, _, action)| {
        let (survey, kind) = (proposal.survey, action.action.kind());
        let is_clipped = kind == ActionKind::Trim && survey.is_clippable(*position);
        kind != ActionKind::Keep && survey.is_untouchable(*position) && !is_clipped
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
