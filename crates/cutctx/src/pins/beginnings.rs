//! Turns by their ids, and by the beginnings of ids.

use super::PinError;
use cutctx_types::TranscriptTurn;

/// The fewest characters that the beginning of an id needs: shorter ones are too easily mistyped.
const SHORTEST: usize = 8;

/// The ids of a transcript in order, each with its position.
#[derive(Debug)]
pub(super) struct Beginnings<'t> {
    sorted: Vec<(&'t str, usize)>,
}

impl<'t> Beginnings<'t> {
    pub(super) fn of(turns: &'t [TranscriptTurn]) -> Self {
        let ids = turns.iter().enumerate().map(|(position, turn)| (turn.turn_id().as_ref(), position));
        let mut sorted: Vec<_> = ids.collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// The position of the turn with this id, or of the only one whose id begins so.
    pub(super) fn find(&self, id: &str) -> Result<usize, PinError> {
        let start = self.sorted.partition_point(|(other, _)| *other < id);
        let mut found = self.sorted.iter().skip(start).take_while(|(other, _)| other.starts_with(id));
        let unknown = || PinError::NoSuchTurn { turn_id: id.into() };
        let (first, position) = found.next().ok_or_else(unknown)?;
        if *first == id {
            return Ok(*position);
        }
        if id.chars().count() < SHORTEST {
            return Err(unknown());
        }
        match found.count() {
            0 => Ok(*position),
            others => Err(PinError::Ambiguous { beginning: id.into(), turns: others.saturating_add(1) }),
        }
    }
}
