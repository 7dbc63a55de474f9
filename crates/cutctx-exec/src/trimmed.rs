//! What a trimmed turn says.

use alloc::vec::Vec;
use cutctx_types::{CutPiece, TranscriptTurn, Trim};

/// A turn with less of its parts, as [`Trim::cut`] lays it out, and the pieces that it is made of.
///
/// Text and parts are those of the planned turn, for which the trim was checked.
pub(crate) fn trimmed(
    turn: &TranscriptTurn,
    planned: &TranscriptTurn,
    trim: &Trim,
) -> (TranscriptTurn, Vec<CutPiece>) {
    let cut = trim.cut(planned);
    let bare = turn.clone().with_content(cut.content, trim.token_estimate);
    // Parts that are laid one after the other do tile.
    (bare.clone().with_parts(cut.parts).unwrap_or(bare), cut.pieces)
}
