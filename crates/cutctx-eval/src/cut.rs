//! Where a session is cut into what was and what came.

use crate::share::Share;
use cutctx::types::TranscriptError;
use cutctx::{Role, Transcript};

/// The position of the first turn behind a cut at this share of the turns. Results are not separated from their calls:
/// the cut moves behind them.
pub(crate) fn position(transcript: &Transcript, share: Share) -> usize {
    let turns = transcript.turns();
    let wanted = share.of_these(u64::try_from(turns.len()).unwrap_or(u64::MAX));
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    let is_result =
        |turn: &cutctx::TranscriptTurn| turn.role() == Role::Tool && turn.tool_call_id().is_some();
    let results = turns.iter().skip(wanted).take_while(|turn| is_result(turn)).count();
    wanted.saturating_add(results).min(turns.len())
}

/// The turns before a position.
pub(crate) fn prefix(transcript: &Transcript, position: usize) -> Result<Transcript, TranscriptError> {
    Transcript::new(transcript.turns().iter().take(position).cloned().collect())
}
