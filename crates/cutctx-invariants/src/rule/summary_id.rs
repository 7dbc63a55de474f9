//! No summary turn takes the id of an existing turn.

use super::Proposal;
use crate::violation::Violation;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{SUMMARY_PREFIX, SummarizationRequest, capped_ids};

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let requests = proposal.draft.summarization_requests.iter().map(SummarizationRequest::group_id);
    // A length is known without looking at the text, so most turns are passed over.
    let lengths: BTreeSet<usize> =
        requests.clone().map(|group| SUMMARY_PREFIX.len().saturating_add(group.len())).collect();
    if lengths.is_empty() {
        return None;
    }
    let ids = proposal.survey.turns().iter().map(|turn| turn.turn_id().as_ref());
    let candidates = ids.filter(|id: &&str| lengths.contains(&id.len()));
    let taken: BTreeSet<&str> = candidates.filter_map(|id| id.strip_prefix(SUMMARY_PREFIX)).collect();
    let colliding: Vec<Arc<str>> = requests.filter(|group| taken.contains(group.as_ref())).cloned().collect();
    (!colliding.is_empty()).then(|| Violation::SummaryIdTaken { group_ids: capped_ids(colliding) })
}
