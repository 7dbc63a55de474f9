//! The transcript as the members so far would leave it.

use super::states::{State, States};
use alloc::vec::Vec;
use cutctx_types::{InvalidValue, Role, Transcript, TranscriptTurn};

/// The turns that are left, with a stand-in at each group's first turn.
pub(super) struct Projection {
    pub(super) transcript: Transcript,
    /// The position in the real transcript that each turn comes from.
    pub(super) origins: Vec<usize>,
}

impl Projection {
    /// The real transcript itself.
    pub(super) fn unchanged(transcript: &Transcript) -> Self {
        Self { transcript: transcript.clone(), origins: (0..transcript.len()).collect() }
    }

    /// What the states leave of the real turns.
    pub(super) fn of(turns: &[TranscriptTurn], states: &States) -> Result<Self, InvalidValue> {
        let mut projected: Vec<TranscriptTurn> = Vec::with_capacity(turns.len());
        let mut origins: Vec<usize> = Vec::with_capacity(turns.len());
        for (position, (turn, state)) in turns.iter().zip(states.iter()).enumerate() {
            if let Some(turn) = project(turn, position, state, states)? {
                projected.push(turn);
                origins.push(position);
            }
        }
        Ok(Self { transcript: Transcript::new(projected)?, origins })
    }
}

fn project(
    turn: &TranscriptTurn,
    position: usize,
    state: &State,
    states: &States,
) -> Result<Option<TranscriptTurn>, InvalidValue> {
    let shortened = |content, tokens| Some(turn.clone().with_content(content, tokens));
    Ok(match state {
        State::Keep => Some(turn.clone()),
        State::Mask(stub) => shortened(stub.content.clone(), stub.token_estimate),
        State::Trim(trim) => shortened(turn.content().clone(), trim.token_estimate),
        State::Drop => None,
        State::Summarize(group) => stand_in(states, *group, position)?,
    })
}

/// The stand-in of a group, if the turn at this position is the group's first.
fn stand_in(states: &States, group: usize, position: usize) -> Result<Option<TranscriptTurn>, InvalidValue> {
    let Some(group) = states.group(group).filter(|group| group.positions.first() == Some(&position)) else {
        return Ok(None);
    };
    Ok(Some(TranscriptTurn::new(group.summary_turn_id(), Role::Assistant, "", group.target_tokens)?))
}
