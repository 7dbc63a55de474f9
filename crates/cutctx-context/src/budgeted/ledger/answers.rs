//! Which part a result answers, when parts of the turn that called have moved.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::{Action, Role, TranscriptTurn};

/// A part that no turn has: the result answers a call that is not told any more.
const GONE: u32 = u32::MAX;

/// The calls of trimmed turns whose results are still to come: by exchange, what each part has become.
#[derive(Debug, Default)]
pub(super) struct MovedCalls(BTreeMap<Arc<str>, Vec<(u32, u32)>>);

impl MovedCalls {
    /// Notes a turn that is shown, with the source's where less of it is.
    pub(super) fn note(
        &mut self,
        source: Option<&TranscriptTurn>,
        shown: &TranscriptTurn,
        action: Option<&Action>,
    ) {
        let Some(exchange) = shown.tool_call_id().filter(|_| shown.role() == Role::Assistant) else { return };
        if let (Some(source), Some(Action::Trim(trim))) = (source, action) {
            let part = |part: usize| u32::try_from(part).ok();
            let pieces = trim.cut(source).pieces;
            let moved = pieces.iter().filter_map(|piece| Some((part(piece.part)?, part(piece.into)?)));
            self.0.insert(exchange.into(), moved.collect());
        } else if !self.0.is_empty() {
            self.0.remove(exchange);
        }
    }

    /// The part that the call in this part of the calling turn has become.
    pub(super) fn answered(&self, result: &TranscriptTurn, part: u32) -> u32 {
        let moved = result.tool_call_id().and_then(|exchange| self.0.get(exchange));
        let Some(moved) = moved else { return part };
        let place = moved.partition_point(|(from, _)| *from < part);
        moved.get(place).filter(|(from, _)| *from == part).map_or(GONE, |(_, into)| *into)
    }
}
