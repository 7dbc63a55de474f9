//! A request names exactly its group's turns, in transcript order.

use super::{Proposal, first_ten};
use crate::violation::Violation;
use alloc::sync::Arc;
use cutctx_types::SummarizationRequest;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let mut requests = proposal.draft.summarization_requests.iter().enumerate();
    requests.find_map(|(index, request)| check_one(proposal, index, request))
}

fn check_one(proposal: &Proposal<'_, '_>, index: usize, request: &SummarizationRequest) -> Option<Violation> {
    let positions = &proposal.groups.of_request(index)?.positions;
    let acted = positions.iter().filter_map(|position| proposal.draft.actions.get(*position));
    let acted = acted.map(|action| &action.turn_id);
    let same = |(left, right): (&Arc<str>, &Arc<str>)| Arc::ptr_eq(left, right) || left == right;
    let asked = request.turn_ids();
    if asked.len() == positions.len() && asked.iter().zip(acted.clone()).all(same) {
        return None;
    }
    Some(Violation::RequestTurns {
        group_id: request.group_id().clone(),
        request_turn_ids: first_ten(asked),
        action_turn_ids: first_ten(acted),
    })
}
