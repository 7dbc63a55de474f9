//! No summary turn takes the id of an existing turn.

use super::Proposal;
use crate::violation::Violation;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{SUMMARY_PREFIX, SummarizationRequest, capped_ids};

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    if proposal.draft.summarization_requests.is_empty() {
        return None;
    }
    let turns = proposal.survey.turns().iter();
    let taken: BTreeSet<&str> =
        turns.filter_map(|turn| turn.turn_id().as_ref().strip_prefix(SUMMARY_PREFIX)).collect();
    let requests = proposal.draft.summarization_requests.iter().map(SummarizationRequest::group_id);
    let colliding: Vec<Arc<str>> = requests.filter(|group| taken.contains(group.as_ref())).cloned().collect();
    (!colliding.is_empty()).then(|| Violation::SummaryIdTaken { group_ids: capped_ids(colliding) })
}
