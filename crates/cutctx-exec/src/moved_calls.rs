//! Which part a result answers, when parts of the turn that called have moved.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use cutctx_types::{CutPiece, Role, TranscriptTurn};

/// A part that no turn has: its result answers a call that is not told any more.
const GONE: u32 = u32::MAX;

/// The calls of trimmed turns whose results are still to come: by exchange, the part that each part has become.
#[derive(Default)]
pub(crate) struct MovedCalls<'t> {
    by_exchange: BTreeMap<&'t str, Vec<(usize, usize)>>,
}

impl<'t> MovedCalls<'t> {
    /// Notes a turn that stands in the view, with the pieces that it was cut to, if any.
    pub(crate) fn note(&mut self, turn: &'t TranscriptTurn, pieces: Option<&[CutPiece]>) {
        let Some(exchange) = turn.tool_call_id().filter(|_| turn.role() == Role::Assistant) else { return };
        match pieces {
            Some(pieces) => {
                let moved = pieces.iter().map(|piece| (piece.part, piece.into)).collect();
                self.by_exchange.insert(exchange, moved);
            }
            None => drop(self.by_exchange.remove(exchange)),
        }
    }

    /// The turn, answering the part that the call has become.
    pub(crate) fn led(&self, turn: TranscriptTurn) -> TranscriptTurn {
        let moved = turn.tool_call_id().and_then(|exchange| self.by_exchange.get(exchange));
        let Some((part, moved)) = turn.answers().zip(moved) else { return turn };
        let place = moved.partition_point(|(from, _)| u32::try_from(*from).is_ok_and(|from| from < part));
        let found = moved.get(place).filter(|(from, _)| u32::try_from(*from) == Ok(part));
        let into = found.and_then(|(_, into)| u32::try_from(*into).ok());
        turn.with_answers(into.unwrap_or(GONE))
    }
}
