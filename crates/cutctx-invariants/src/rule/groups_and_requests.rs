//! Every group that an action names is requested, and every requested group has turns.

use super::Proposal;
use crate::groups::Group;
use crate::violation::Violation;
use cutctx_types::capped_ids;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let those = |wanted: fn(&Group<'_>) -> bool| {
        capped_ids(proposal.groups.iter().filter(|group| wanted(group)).map(|group| group.id.clone()))
    };
    let groups_without_request = those(|group| group.requests == 0);
    let requests_without_turns = those(|group| group.positions.is_empty());
    if groups_without_request.is_empty() && requests_without_turns.is_empty() {
        return None;
    }
    Some(Violation::GroupsAndRequests { groups_without_request, requests_without_turns })
}
