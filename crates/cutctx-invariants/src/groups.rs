//! Which turns and requests name which summary group.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::{PlanDraft, TurnAction, classify};

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
        let acted = runs(&draft.actions).map(|(run, id)| (Some(run), id));
        let mentions: Vec<(Option<Range<usize>>, &Arc<str>)> = requested.chain(acted).collect();
        let mut of_mention = classify(mentions.iter().map(|(_, id)| Some(id.as_ref())));
        let groups = collect(mentions, &of_mention);
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

/// The runs of actions that name the same group, by position. Turns of a group are neighbours as a rule, so
/// there are few.
fn runs(actions: &[TurnAction]) -> impl Iterator<Item = (Range<usize>, &Arc<str>)> {
    let mut start = 0_usize;
    actions.chunk_by(name_alike).filter_map(move |actions| {
        let run = start..start.saturating_add(actions.len());
        start = run.end;
        Some((run, actions.first()?.action.group()?))
    })
}

/// Whether both actions name the same group, or neither names one.
pub(crate) fn name_alike(left: &TurnAction, right: &TurnAction) -> bool {
    match (left.action.group(), right.action.group()) {
        (Some(left), Some(right)) => Arc::ptr_eq(left, right) || left == right,
        (left, right) => left.is_none() && right.is_none(),
    }
}

fn collect<'p>(mentions: Vec<(Option<Range<usize>>, &'p Arc<str>)>, of_mention: &[usize]) -> Vec<Group<'p>> {
    let mut groups: Vec<Group<'p>> = Vec::new();
    for ((run, id), group) in mentions.into_iter().zip(of_mention) {
        if *group == groups.len() {
            groups.push(Group { id, requests: 0, positions: Vec::new() });
        }
        let Some(group) = groups.get_mut(*group) else { continue };
        match run {
            Some(run) => group.positions.extend(run),
            None => group.requests = group.requests.saturating_add(1),
        }
    }
    groups
}
