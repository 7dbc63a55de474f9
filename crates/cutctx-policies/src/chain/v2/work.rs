//! What is decided so far, and how the plan of one more member changes it.

use super::group::Group;
use crate::free_ids::FreeIds;
use crate::proposal::Proposal;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{
    Action, InvalidValue, SUMMARY_PREFIX, SummarizationRequest, TranscriptTurn, Trim, TurnAction,
    TurnReplacement,
};

/// What the ids of stand-ins begin with. Not with the prefix of summaries: a member that names its groups
/// as an earlier member did would be told that the summary's id is taken.
const STAND_IN_PREFIX: &str = "stand-in:";

/// A plan in the making over a surveyed transcript.
pub(super) struct Work<'s, 't> {
    survey: &'s Survey<'t>,
    /// By position: what happens to the turn. Empty until the first plan, whose list it then is.
    actions: Vec<TurnAction>,
    /// By position: the number of the plan whose stub stands there, if one does.
    stub_makers: Vec<usize>,
    /// By plan: the ratio of the estimator that measured its stubs, if the plan names one.
    ratios: Vec<Option<f64>>,
    /// All groups ever opened; a group can only go into a later one.
    groups: Vec<Group>,
    /// What still stands, in order.
    nodes: Vec<Node>,
    /// The tokens of what still stands.
    running: u64,
    group_ids: FreeIds,
    stand_in_ids: FreeIds,
}

/// Something that still stands.
#[derive(Clone, Copy)]
pub(super) enum Node {
    /// The turn at a position.
    Turn(usize),
    /// The stand-in of a group, at the place of the group's first turn.
    StandIn(usize),
}

impl<'s, 't> Work<'s, 't> {
    /// Nothing is decided yet.
    pub(super) fn on(survey: &'s Survey<'t>) -> Self {
        Self {
            survey,
            actions: Vec::new(),
            stub_makers: Vec::new(),
            ratios: Vec::new(),
            groups: Vec::new(),
            nodes: Vec::new(),
            running: survey.transcript().token_estimate(),
            group_ids: FreeIds::after(SUMMARY_PREFIX, survey),
            stand_in_ids: FreeIds::after(STAND_IN_PREFIX, survey),
        }
    }

    pub(super) const fn survey(&self) -> &'s Survey<'t> {
        self.survey
    }

    /// The tokens of what still stands.
    pub(super) const fn running(&self) -> u64 {
        self.running
    }

    /// What happens to the turn at a position.
    pub(super) fn action(&self, position: usize) -> &Action {
        self.actions.get(position).map_or(&Action::Keep, |action| &action.action)
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether every turn is kept.
    pub(super) fn is_untouched(&self) -> bool {
        self.actions.iter().all(|action| matches!(action.action, Action::Keep))
    }

    /// The ratio behind all stubs, where there are stubs and they share one.
    pub(super) fn common_ratio(&self) -> Option<f64> {
        let stubs = self.actions.iter().zip(&self.stub_makers);
        let mut ratios = stubs
            .filter(|(action, _)| matches!(action.action, Action::Mask(_)))
            .map(|(_, maker)| self.ratios.get(*maker).copied().flatten());
        let first = ratios.next()??;
        let is_same = |ratio: Option<f64>| ratio.is_some_and(|ratio| ratio.to_bits() == first.to_bits());
        ratios.all(is_same).then_some(first)
    }

    /// The actions for the turns, and a request for each group that still stands.
    pub(super) fn into_parts(self) -> Result<(Proposal, Vec<SummarizationRequest>), InvalidValue> {
        let mut standing: Vec<Group> = self.groups.into_iter().filter(Group::stands).collect();
        standing.iter_mut().for_each(Group::sort);
        standing.sort_unstable_by_key(Group::first_turn);
        let requests: Result<_, _> =
            standing.into_iter().map(|group| group.into_request(self.survey)).collect();
        let proposal =
            if self.ratios.is_empty() { Proposal::keeping(self.survey) } else { self.actions.into() };
        Ok((proposal, requests?))
    }

    /// Takes over a plan for what stands.
    pub(super) fn absorb(&mut self, plan: CompactionPlan) {
        self.running = plan.tokens_after_estimate();
        self.ratios.push(plan.estimator_ratio());
        let draft = plan.into_draft();
        let groups = self.open_groups(draft.summarization_requests);
        if self.is_untouched() {
            self.begin_with(draft.actions, &groups);
        } else {
            let mut planned = draft.actions.into_iter().map(|planned| planned.action);
            self.settle(&groups, |_| planned.next());
        }
    }

    /// Takes from a plan for the very turns what it makes shorter of locked ones.
    pub(super) fn take_cheaper(&mut self, plan: CompactionPlan) {
        self.ratios.push(plan.estimator_ratio());
        let locked: BTreeSet<usize> =
            self.survey.locked_costs().iter().map(|(position, _)| position).collect();
        for (position, planned) in plan.into_draft().actions.into_iter().enumerate() {
            let action = planned.action;
            let Some(saved @ 1..) =
                cost_of(&action).and_then(|cost| self.cost_at(position).checked_sub(cost))
            else {
                continue;
            };
            if locked.contains(&position) && !self.survey.is_stand_in(position) {
                self.running = self.running.saturating_sub(saved);
                self.shorten(position, action);
            }
        }
    }

    /// What the turn at a position costs, in tokens.
    pub(super) fn cost_at(&self, position: usize) -> u64 {
        self.tokens_of(Node::Turn(position))
    }

    /// Makes the list of a plan for the very turns the list of the work.
    fn begin_with(&mut self, actions: Vec<TurnAction>, groups: &OpenedGroups) {
        let positions = 0..actions.len();
        self.stub_makers = alloc::vec![0; actions.len()];
        self.nodes = positions.clone().map(Node::Turn).collect();
        self.actions = actions;
        let mut slots = positions;
        self.settle(groups, |work| {
            let slot = work.actions.get_mut(slots.next()?)?;
            Some(mem::replace(&mut slot.action, Action::Keep))
        });
    }

    /// Does with each node what is planned for it, and leaves those that still stand: the first node of a group
    /// as its stand-in.
    fn settle(&mut self, groups: &OpenedGroups, mut planned: impl FnMut(&mut Self) -> Option<Action>) {
        let mut nodes = mem::take(&mut self.nodes);
        // Requests stand in order of first turns, so groups are met in order of numbers.
        let mut next_group = groups.first;
        nodes.retain_mut(|node| match planned(self) {
            None | Some(Action::Keep) => true,
            Some(Action::Mask(replacement)) => self.mask(*node, replacement),
            Some(Action::Trim(trim)) => self.trim(*node, trim),
            Some(Action::Drop) => self.drop_node(*node),
            Some(Action::Summarize { group }) => {
                let Some(into) = groups.number_of(&group, next_group) else { return true };
                self.fold(*node, group, into);
                let begins_group = into == next_group;
                if begins_group {
                    *node = Node::StandIn(next_group);
                    next_group = next_group.saturating_add(1);
                }
                begins_group
            }
        });
        self.nodes = nodes;
    }

    /// Opens a group for each request.
    fn open_groups(&mut self, requests: Vec<SummarizationRequest>) -> OpenedGroups {
        let first = self.groups.len();
        let ids: Vec<Arc<str>> = requests.iter().map(|request| Arc::clone(request.group_id())).collect();
        let numbers = ids.iter().cloned().zip(first..).collect();
        for request in requests {
            let group = self.group(request);
            self.groups.push(group);
        }
        OpenedGroups { first, ids, numbers }
    }

    fn group(&mut self, request: SummarizationRequest) -> Group {
        let stand_in = self.stand_in_ids.give_out(|attempt| numbered(request.group_id(), attempt));
        let id = self.group_ids.give_out(|attempt| numbered(request.group_id(), attempt));
        Group::new(id, format!("{STAND_IN_PREFIX}{stand_in}").into(), request)
    }

    /// Masks a node, which still stands.
    fn mask(&mut self, node: Node, replacement: TurnReplacement) -> bool {
        match self.as_own_turn(node) {
            Some(position) => self.shorten(position, Action::Mask(replacement)),
            None => self.ignore(node, replacement.token_estimate),
        }
        true
    }

    /// Trims a node, which still stands.
    fn trim(&mut self, node: Node, trim: Trim) -> bool {
        let cost = trim.token_estimate;
        match self.as_own_turn(node).and_then(|position| Some((position, self.trim_of(position, trim)?))) {
            Some((position, trim)) => self.shorten(position, Action::Trim(trim)),
            None => self.ignore(node, cost),
        }
        true
    }

    /// Lets the last plan shorten a turn.
    fn shorten(&mut self, position: usize, action: Action) {
        self.set(position, action);
        if let Some(maker) = self.stub_makers.get_mut(position) {
            *maker = self.ratios.len().saturating_sub(1);
        }
    }

    /// A trim of what is shown of a turn as one of the turn itself. A stub is not trimmed.
    fn trim_of(&self, position: usize, trim: Trim) -> Option<Trim> {
        match self.action(position) {
            Action::Keep => Some(trim),
            Action::Trim(first) => trim.after(first, self.survey.turns().get(position)?),
            Action::Mask(_) | Action::Summarize { .. } | Action::Drop => None,
        }
    }

    /// Drops a turn, or a stand-in with all turns behind it; it no longer stands.
    fn drop_node(&mut self, node: Node) -> bool {
        match node {
            Node::Turn(position) => self.set(position, Action::Drop),
            Node::StandIn(group) => {
                let turns = self.groups.get_mut(group).map(Group::give_up).unwrap_or_default();
                for position in turns {
                    self.set(position, Action::Drop);
                }
            }
        }
        false
    }

    /// Moves a turn, or all turns behind a stand-in, into a group; `id` is the one that the plan uses.
    fn fold(&mut self, node: Node, id: Arc<str>, into: usize) {
        match node {
            Node::Turn(position) => {
                let Some(group) = self.groups.get_mut(into) else { return };
                let action = Action::Summarize { group: group.take(position, id) };
                self.set(position, action);
            }
            Node::StandIn(earlier) => {
                let turns = self.groups.get_mut(earlier).map(Group::give_up).unwrap_or_default();
                for position in turns {
                    self.fold(Node::Turn(position), Arc::clone(&id), into);
                }
                if let Some(group) = self.groups.get_mut(into) {
                    group.note_stand_in();
                }
            }
        }
    }

    /// The position of a turn that has text of its own: a stand-in, of this chain or of one around it,
    /// has none that could be masked or trimmed.
    fn as_own_turn(&self, node: Node) -> Option<usize> {
        match node {
            Node::Turn(position) => (!self.survey.is_stand_in(position)).then_some(position),
            Node::StandIn(_) => None,
        }
    }

    /// Lets a node stand as it is although the member's plan counts it at another cost.
    fn ignore(&mut self, node: Node, counted: u64) {
        self.running = self.running.saturating_sub(counted).saturating_add(self.tokens_of(node));
    }

    /// What a node costs, in tokens.
    fn tokens_of(&self, node: Node) -> u64 {
        match node {
            Node::Turn(position) => match self.action(position) {
                Action::Keep => self.survey.turns().get(position).map_or(0, TranscriptTurn::token_estimate),
                Action::Mask(replacement) => replacement.token_estimate,
                Action::Trim(trim) => trim.token_estimate,
                Action::Summarize { .. } | Action::Drop => 0,
            },
            Node::StandIn(group) => self.groups.get(group).map_or(0, Group::target_tokens),
        }
    }

    fn set(&mut self, position: usize, action: Action) {
        if let Some(slot) = self.actions.get_mut(position) {
            slot.action = action;
        }
    }
}

/// What a turn costs once it is shortened so, in tokens.
const fn cost_of(action: &Action) -> Option<u64> {
    match action {
        Action::Mask(replacement) => Some(replacement.token_estimate),
        Action::Trim(trim) => Some(trim.token_estimate),
        Action::Keep | Action::Summarize { .. } | Action::Drop => None,
    }
}

/// The groups that a plan opened.
struct OpenedGroups {
    /// The number of the first.
    first: usize,
    /// The ids that the plan uses, in order of numbers.
    ids: Vec<Arc<str>>,
    /// The numbers by these ids.
    numbers: BTreeMap<Arc<str>, usize>,
}

impl OpenedGroups {
    /// The number of a group. Turns of a group are neighbours as a rule, so it is mostly the one that was met
    /// last or the `next` one.
    fn number_of(&self, id: &Arc<str>, next: usize) -> Option<usize> {
        let near = [next.saturating_sub(1), next];
        let met = near.into_iter().find(|number| self.id_of(*number) == Some(id));
        met.or_else(|| self.numbers.get(id).copied())
    }

    fn id_of(&self, number: usize) -> Option<&Arc<str>> {
        self.ids.get(number.checked_sub(self.first)?)
    }
}

/// The id that a member chose, or that with a number behind it.
fn numbered(id: &Arc<str>, attempt: u64) -> Arc<str> {
    if attempt == 0 { Arc::clone(id) } else { format!("{id}~{attempt}").into() }
}
