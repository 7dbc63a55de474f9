//! What a member of a chain is shown.

use super::group::Group;
use super::work::{Node, Work};
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{Action, InvalidValue, Role, Transcript, TranscriptTurn, Trim};

/// What still stands, as a transcript.
pub(super) struct Projection {
    pub(super) transcript: Transcript,
    /// By position: whether the turn stands in for a summary.
    pub(super) stand_ins: Vec<bool>,
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
        Ok(Self { transcript: Transcript::new(turns?)?, stand_ins: nodes.map(is_stand_in).collect() })
    }
}

fn shown(node: Node, work: &Work<'_, '_>) -> Result<Option<TranscriptTurn>, InvalidValue> {
    match node {
        Node::Turn(position) => {
            let turn = work.survey().turns().get(position);
            turn.map(|turn| as_decided(turn, work.action(position))).transpose()
        }
        Node::StandIn(group) => work.groups().get(group).map(stand_in).transpose(),
    }
}

fn as_decided(turn: &TranscriptTurn, action: &Action) -> Result<TranscriptTurn, InvalidValue> {
    match action {
        Action::Keep | Action::Summarize { .. } | Action::Drop => Ok(turn.clone()),
        Action::Mask(replacement) => {
            Ok(turn.clone().with_content(Arc::clone(&replacement.content), replacement.token_estimate))
        }
        Action::Trim(trim) => at_the_cost_of(turn, trim),
    }
}

/// A trimmed turn shows all of its text at its new cost, so that the ranges of another trim, and the
/// digest in a stub, are about the turn itself.
fn at_the_cost_of(turn: &TranscriptTurn, trim: &Trim) -> Result<TranscriptTurn, InvalidValue> {
    let shown = turn.clone().with_content(Arc::clone(turn.content()), trim.token_estimate);
    Ok(shown.with_parts(turn.parts().to_vec())?)
}

fn stand_in(group: &Group) -> Result<TranscriptTurn, InvalidValue> {
    Ok(TranscriptTurn::new(Arc::clone(group.stand_in_id()), Role::Assistant, "", group.target_tokens())?)
}
