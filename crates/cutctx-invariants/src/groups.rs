//! Which turns and requests name which summary group.

use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{PlanDraft, classify};

/// One summary group of a draft.
#[derive(Debug)]
pub(crate) struct Group<'p> {
    pub(crate) id: &'p Arc<str>,
    /// How many requests name it.
    pub(crate) requests: usize,
    /// The positions of the actions that name it, in order.
    pub(crate) positions: Vec<usize>,
}

/// The summary groups of a draft, in order of first mention, requests first.
#[derive(Debug)]
pub(crate) struct Groups<'p> {
    groups: Vec<Group<'p>>,
    /// The group of each request.
    of_request: Vec<usize>,
}

impl<'p> Groups<'p> {
    pub(crate) fn of(draft: &'p PlanDraft) -> Self {
        let requested = draft.summarization_requests.iter().map(|request| (None, request.group_id()));
        let acted = draft
            .actions
            .iter()
            .enumerate()
            .filter_map(|(position, action)| Some((Some(position), action.action.group()?)));
        let mentions: Vec<(Option<usize>, &Arc<str>)> = requested.chain(acted).collect();
        let mut of_mention = classify(mentions.iter().map(|(_, id)| Some(id.as_ref())));
        let groups = collect(&mentions, &of_mention);
        of_mention.truncate(draft.summarization_requests.len());
        Self { groups, of_request: of_mention }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Group<'p>> {
        self.groups.iter()
    }

    /// The group that the request at an index names.
    pub(crate) fn of_request(&self, request: usize) -> Option<&Group<'p>> {
        self.of_request.get(request).and_then(|group| self.groups.get(*group))
    }
}

fn collect<'p>(mentions: &[(Option<usize>, &'p Arc<str>)], of_mention: &[usize]) -> Vec<Group<'p>> {
    let mut groups: Vec<Group<'p>> = Vec::new();
    for ((position, id), group) in mentions.iter().zip(of_mention) {
        if *group == groups.len() {
            groups.push(Group { id, requests: 0, positions: Vec::new() });
        }
        let Some(group) = groups.get_mut(*group) else { continue };
        match position {
            Some(position) => group.positions.push(*position),
            None => group.requests = group.requests.saturating_add(1),
        }
    }
    groups
}
