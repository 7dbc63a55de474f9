//! What a member of a chain is shown.

use super::group::Group;
use super::work::{Node, Work};
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{Action, InvalidValue, Role, Transcript, TranscriptTurn};

/// What still stands, as a transcript.
pub(super) struct Projection {
    pub(super) transcript: Transcript,
    /// By position: whether the turn stands in for a summary.
    pub(super) stand_ins: Vec<bool>,
    /// By position: the turns that were trimmed, as the transcript has them.
    pub(super) originals: BTreeMap<usize, TranscriptTurn>,
}

impl Projection {
    pub(super) fn of(work: &Work<'_, '_>) -> Result<Self, InvalidValue> {
        let nodes = work.nodes().iter();
        let turns: Result<Vec<TranscriptTurn>, InvalidValue> =
            nodes.clone().filter_map(|node| shown(*node, work).transpose()).collect();
        let is_stand_in = |node: &Node| match *node {
            Node::Turn(position) => work.survey().is_stand_in(position),
            Node::StandIn(_) => true,
        };
        let originals =
            nodes.clone().enumerate().filter_map(|(place, node)| Some((place, original(*node, work)?)));
        let originals = originals.collect();
        Ok(Self {
            transcript: Transcript::new(turns?)?,
            stand_ins: nodes.map(is_stand_in).collect(),
            originals,
        })
    }
}

fn shown(node: Node, work: &Work<'_, '_>) -> Result<Option<TranscriptTurn>, InvalidValue> {
    match node {
        Node::Turn(position) => {
            let turn = work.survey().turns().get(position);
            Ok(turn.map(|turn| as_decided(turn, work.action(position))))
        }
        Node::StandIn(group) => work.groups().get(group).map(stand_in).transpose(),
    }
}

/// A turn that was trimmed, by this chain or by one around it, as the transcript has it.
fn original(node: Node, work: &Work<'_, '_>) -> Option<TranscriptTurn> {
    let Node::Turn(position) = node else { return None };
    let (own, original) = (work.survey().turns().get(position)?, work.survey().original(position)?);
    let is_changed =
        !matches!(work.action(position), Action::Keep) || !Arc::ptr_eq(own.content(), original.content());
    is_changed.then(|| original.clone())
}

/// A turn as it will read.
fn as_decided(turn: &TranscriptTurn, action: &Action) -> TranscriptTurn {
    match action {
        Action::Keep | Action::Summarize { .. } | Action::Drop => turn.clone(),
        Action::Mask(replacement) => {
            turn.clone().with_content(Arc::clone(&replacement.content), replacement.token_estimate)
        }
        Action::Trim(trim) => trim.applied_to(turn),
    }
}

fn stand_in(group: &Group) -> Result<TranscriptTurn, InvalidValue> {
    Ok(TranscriptTurn::new(Arc::clone(group.stand_in_id()), Role::Assistant, "", group.target_tokens())?)
}
