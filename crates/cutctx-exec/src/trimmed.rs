//! What a trimmed turn says.

use cutctx_types::{TranscriptTurn, Trim};

/// A turn with less of its parts, as [`Trim::cut`] lays it out.
///
/// Text and parts are those of the planned turn, for which the trim was checked.
pub(crate) fn trimmed(turn: &TranscriptTurn, planned: &TranscriptTurn, trim: &Trim) -> TranscriptTurn {
    let cut = trim.cut(planned);
    let bare = turn.clone().with_content(cut.content, trim.token_estimate);
    // Parts that are laid one after the other do tile.
    bare.clone().with_parts(cut.parts).unwrap_or(bare)
}
