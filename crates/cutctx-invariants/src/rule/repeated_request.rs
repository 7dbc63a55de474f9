//! No summary group is requested twice.

use super::Proposal;
use crate::violation::Violation;
use cutctx_types::capped_ids;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    if proposal.groups.iter().all(|group| group.requests < 2) {
        return None;
    }
    let requests = &proposal.draft.summarization_requests;
    let group_ids = capped_ids(requests.iter().map(|request| request.group_id().clone()));
    Some(Violation::RepeatedRequest { group_ids })
}
