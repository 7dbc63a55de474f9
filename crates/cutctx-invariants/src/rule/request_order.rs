//! The requests stand in order of their groups' first turns.

use super::{Proposal, first_ten};
use crate::violation::Violation;
use cutctx_types::SummarizationRequest;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let requests = &proposal.draft.summarization_requests;
    let first_turn = |index| proposal.groups.of_request(index)?.positions.first().copied();
    if (0..requests.len()).filter_map(first_turn).is_sorted() {
        return None;
    }
    Some(Violation::RequestOrder {
        group_ids: first_ten(requests.iter().map(SummarizationRequest::group_id)),
    })
}
