//! What is decided so far, and how the plan of one more member changes it.

use crate::free_ids::FreeIds;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{Action, SUMMARY_PREFIX, SummarizationRequest, TranscriptTurn, Trim, TurnReplacement};

/// What the ids of stand-ins begin with. Not with the prefix of summaries: a member that names its groups
/// as an earlier member did would be told that the summary's id is taken.
const STAND_IN_PREFIX: &str = "stand-in:";

/// A plan in the making over a surveyed transcript.
pub(super) struct Work<'s, 't> {
    survey: &'s Survey<'t>,
    /// By position: what happens to the turn.
    states: Vec<State>,
    /// All groups ever opened; a group can only go into a later one.
    groups: Vec<Group>,
    /// What still stands, in order.
    nodes: Vec<Node>,
    /// The tokens of what still stands.
    running: u64,
    group_ids: FreeIds,
    stand_in_ids: FreeIds,
}

/// What happens to a turn.
pub(super) enum State {
    Kept,
    Masked {
        replacement: TurnReplacement,
        /// The ratio of the estimator that measured the replacement, if its plan names one.
        ratio: Option<f64>,
    },
    Trimmed(Trim),
    Removed(Removal),
}

/// How turns, or a stand-in with the turns behind it, leave.
#[derive(Clone, Copy)]
pub(super) enum Removal {
    Dropped,
    Folded {
        /// The group's number.
        into: usize,
    },
}

/// Turns that one summary will replace.
pub(super) struct Group {
    pub(super) id: Arc<str>,
    /// The id of its stand-in in projections.
    pub(super) stand_in_id: Arc<str>,
    pub(super) prompt_id: Arc<str>,
    /// What the summary may cost, in tokens.
    pub(super) target: u64,
    /// How the group left, if it did.
    pub(super) removal: Option<Removal>,
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
        let positions = 0..survey.turns().len();
        Self {
            survey,
            states: positions.clone().map(|_| State::Kept).collect(),
            groups: Vec::new(),
            nodes: positions.map(Node::Turn).collect(),
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
    pub(super) fn state(&self, position: usize) -> &State {
        self.states.get(position).unwrap_or(&State::Kept)
    }

    /// By position: what happens to the turn.
    pub(super) fn states(&self) -> &[State] {
        &self.states
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether every turn is kept.
    pub(super) fn is_untouched(&self) -> bool {
        self.states.iter().all(|state| matches!(state, State::Kept))
    }

    /// Takes over a plan for what stands.
    pub(super) fn absorb(&mut self, plan: &CompactionPlan) {
        self.running = plan.tokens_after_estimate();
        let numbers = self.open_groups(plan.summarization_requests());
        let mut placed = self.groups.len().saturating_sub(numbers.len());
        for (node, action) in mem::take(&mut self.nodes).into_iter().zip(plan.actions()) {
            match &action.action {
                Action::Keep => self.nodes.push(node),
                Action::Mask(replacement) => self.mask(node, replacement, plan.estimator_ratio()),
                Action::Trim(trim) => self.trim(node, trim),
                Action::Drop => self.remove(node, Removal::Dropped),
                Action::Summarize { group } => {
                    let Some(into) = numbers.get(group.as_ref()).copied() else { continue };
                    self.remove(node, Removal::Folded { into });
                    // Requests stand in order of first turns, so groups are met in order of numbers.
                    if into == placed {
                        self.nodes.push(Node::StandIn(into));
                        placed = placed.saturating_add(1);
                    }
                }
            }
        }
    }

    /// Opens a group for each request; the numbers by the ids that the plan uses.
    fn open_groups<'p>(&mut self, requests: &'p [SummarizationRequest]) -> BTreeMap<&'p str, usize> {
        let open = |request: &'p SummarizationRequest| {
            let number = self.groups.len();
            let group = self.group(request);
            self.groups.push(group);
            (request.group_id().as_ref(), number)
        };
        requests.iter().map(open).collect()
    }

    fn group(&mut self, request: &SummarizationRequest) -> Group {
        let stand_in = self.stand_in_ids.give_out(|attempt| numbered(request.group_id(), attempt));
        Group {
            id: self.group_ids.give_out(|attempt| numbered(request.group_id(), attempt)),
            stand_in_id: format!("{STAND_IN_PREFIX}{stand_in}").into(),
            prompt_id: Arc::clone(request.prompt_id()),
            target: request.target_tokens(),
            removal: None,
        }
    }

    fn mask(&mut self, node: Node, replacement: &TurnReplacement, ratio: Option<f64>) {
        match self.as_own_turn(node) {
            Some(position) => {
                self.set(position, State::Masked { replacement: replacement.clone(), ratio });
            }
            None => self.ignore(node, replacement.token_estimate),
        }
        self.nodes.push(node);
    }

    fn trim(&mut self, node: Node, trim: &Trim) {
        let own = self.as_own_turn(node);
        match own.filter(|position| !matches!(self.state(*position), State::Masked { .. })) {
            Some(position) => self.set(position, State::Trimmed(trim.clone())),
            None => self.ignore(node, trim.token_estimate),
        }
        self.nodes.push(node);
    }

    fn remove(&mut self, node: Node, removal: Removal) {
        match node {
            Node::Turn(position) => self.set(position, State::Removed(removal)),
            Node::StandIn(group) => {
                if let Some(group) = self.groups.get_mut(group) {
                    group.removal = Some(removal);
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
            Node::Turn(position) => match self.state(position) {
                State::Kept => self.survey.turns().get(position).map_or(0, TranscriptTurn::token_estimate),
                State::Masked { replacement, .. } => replacement.token_estimate,
                State::Trimmed(trim) => trim.token_estimate,
                State::Removed(_) => 0,
            },
            Node::StandIn(group) => self.groups.get(group).map_or(0, |group| group.target),
        }
    }

    fn set(&mut self, position: usize, state: State) {
        if let Some(slot) = self.states.get_mut(position) {
            *slot = state;
        }
    }
}

/// The id that a member chose, or that with a number behind it.
fn numbered(id: &Arc<str>, attempt: u64) -> Arc<str> {
    if attempt == 0 { Arc::clone(id) } else { format!("{id}~{attempt}").into() }
}
