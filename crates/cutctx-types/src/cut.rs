//! What a trimmed turn says.

use crate::mark::MARK;
use crate::part::{Part, PartKind};
use crate::trim::{KeptPart, Trim};
use crate::turn::TranscriptTurn;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// A turn with less of its parts, laid out: what it says, how that is divided, and where each piece comes from.
///
/// Each stretch that was cut leaves one line with a mark: between ranges, between parts, at the
/// beginning and at the end. It may tell how much was cut out of a part ([`Trim::mark_of`]), not that whole parts are gone. A mark inside a divisible part belongs to it; one for whole parts that
/// are gone is a text part of its own, so that indivisible parts stay byte for byte what they were. In the arguments of
/// a call a mark is no line but the character alone. A
/// cut part keeps its share of its estimate, by bytes and rounded up; marks are not estimated, since
/// the turn's estimate is the trim's.
///
/// `Debug` prints lengths, not text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CutTurn {
    /// What it says.
    pub content: String,
    /// Its parts; none where the turn had none.
    pub parts: Vec<Part>,
    /// The pieces of the turn's own content, in order.
    pub pieces: Vec<CutPiece>,
}

/// A piece of a turn that a trim leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CutPiece {
    /// Where it begins in what is left, in bytes.
    pub at: usize,
    /// The part of what is left that it belongs to.
    pub into: usize,
    /// The part of the turn that it comes from.
    pub part: usize,
    /// Where it stands in the turn's content, in bytes.
    pub range: Range<usize>,
}

impl Trim {
    /// What this trim leaves of a turn.
    ///
    /// ```
    /// use cutctx_types::{KeptPart, Role, TranscriptTurn, Trim};
    /// let turn = TranscriptTurn::new("t", Role::Tool, "0123456789", 3)?;
    /// let trim = Trim::new(vec![KeptPart::new(0, vec![0..2, 8..10])], 1);
    /// assert_eq!(trim.cut(&turn).content, "01\n…\n89");
    /// # Ok::<(), cutctx_types::TurnError>(())
    /// ```
    #[must_use]
    pub fn cut(&self, turn: &TranscriptTurn) -> CutTurn {
        Cutter::new(turn.content(), self).cut(turn)
    }

    /// The turn as this trim leaves it, at the trim's estimate.
    ///
    /// ```
    /// use cutctx_types::{KeptPart, Role, TranscriptTurn, Trim};
    /// let turn = TranscriptTurn::new("t", Role::Tool, "0123456789", 3)?;
    /// let trimmed = Trim::new(vec![KeptPart::new(0, vec![0..2])], 1).applied_to(&turn);
    /// assert_eq!((trimmed.content().as_ref(), trimmed.token_estimate()), ("01\n…", 1));
    /// # Ok::<(), cutctx_types::TurnError>(())
    /// ```
    #[must_use]
    pub fn applied_to(&self, turn: &TranscriptTurn) -> TranscriptTurn {
        let cut = self.cut(turn);
        let bare = turn.clone().with_content(cut.content, self.token_estimate);
        // Parts that are laid one after the other do tile.
        bare.clone().with_parts(cut.parts).unwrap_or(bare)
    }
}

impl fmt::Debug for CutTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CutTurn")
            .field("content_bytes", &self.content.len())
            .field("parts", &self.parts)
            .field("pieces", &self.pieces)
            .finish()
    }
}

/// Lays the kept pieces and the marks one after the other.
struct Cutter<'t> {
    content: &'t str,
    trim: &'t Trim,
    text: String,
    parts: Vec<Part>,
    pieces: Vec<CutPiece>,
    /// Whether the text ends with a mark's line.
    after_mark: bool,
}

impl<'t> Cutter<'t> {
    const fn new(content: &'t str, trim: &'t Trim) -> Self {
        Self { content, trim, text: String::new(), parts: Vec::new(), pieces: Vec::new(), after_mark: false }
    }

    fn cut(mut self, turn: &TranscriptTurn) -> CutTurn {
        let whole = [Part::new(PartKind::Text, self.content.len(), turn.token_estimate())];
        let parts = if turn.parts().is_empty() { whole.as_slice() } else { turn.parts() };
        let mut pending = self.trim.kept.iter().peekable();
        let mut start = 0;
        for (index, part) in parts.iter().enumerate() {
            let bounds = start..part.end;
            match pending.next_if(|kept| kept.part == index) {
                Some(kept) => self.keep(part, &bounds, kept),
                None if bounds.is_empty() => {}
                None => self.leave_out(),
            }
            start = part.end;
        }
        self.finish(!turn.parts().is_empty())
    }

    fn keep(&mut self, part: &Part, bounds: &Range<usize>, kept: &KeptPart) {
        let mut next = bounds.start;
        for range in &kept.ranges {
            if range.start > next {
                self.mark_in(part.kind, &(next..range.start));
            }
            self.copy(kept.part, range);
            next = range.end;
        }
        if next < bounds.end {
            self.mark_in(part.kind, &(next..bounds.end));
        }
        self.parts.push(Part::new(part.kind, self.text.len(), share(part, bounds, kept)));
    }

    fn leave_out(&mut self) {
        if self.mark(MARK) {
            self.parts.push(Part::new(PartKind::Text, self.text.len(), 0));
        }
    }

    fn copy(&mut self, part: usize, range: &Range<usize>) {
        let piece = self.content.get(range.clone()).unwrap_or_default();
        self.pieces.push(CutPiece {
            at: self.text.len(),
            into: self.parts.len(),
            part,
            range: range.clone(),
        });
        self.text.push_str(piece);
        self.after_mark &= piece.is_empty();
    }

    /// Marks that a stretch of a part is gone.
    fn mark_in(&mut self, kind: PartKind, gone: &Range<usize>) {
        if kind == PartKind::CallArguments {
            self.text.push_str(MARK);
            self.after_mark = false;
        } else {
            let gone = self.content.get(gone.clone()).unwrap_or_default();
            self.mark(&self.trim.mark_of(gone));
        }
    }

    /// Writes a mark on a line of its own, unless one has just been written.
    fn mark(&mut self, mark: &str) -> bool {
        if self.after_mark {
            return false;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(mark);
        self.text.push('\n');
        self.after_mark = true;
        true
    }

    /// The text does not end with a mark's line end.
    fn finish(mut self, has_parts: bool) -> CutTurn {
        if self.after_mark {
            self.text.pop();
        }
        let end = self.text.len();
        self.parts.iter_mut().for_each(|part| part.end = part.end.min(end));
        let parts = if has_parts { self.parts } else { Vec::new() };
        CutTurn { content: self.text, parts, pieces: self.pieces }
    }
}

/// The tokens of what is kept of a part.
fn share(part: &Part, bounds: &Range<usize>, kept: &KeptPart) -> u64 {
    let bytes = kept.ranges.iter().fold(0_usize, |sum, range| sum.saturating_add(range.len()));
    if bytes == bounds.len() {
        return part.token_estimate;
    }
    let kept = widened(bytes).saturating_mul(u128::from(part.token_estimate));
    u64::try_from(kept.div_ceil(widened(bounds.len()).max(1))).unwrap_or(part.token_estimate)
}

fn widened(bytes: usize) -> u128 {
    u128::try_from(bytes).unwrap_or(u128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::Role;
    use alloc::vec;

    #[test]
    fn a_mark_in_arguments_breaks_no_line_so_that_json_stays_json() {
        let text = r#"[call write {"text":"0123456789"}]"#;
        let turn = TranscriptTurn::new("a", Role::Assistant, text, 9).unwrap();
        let turn = turn.with_parts(vec![Part::new(PartKind::CallArguments, text.len(), 9)]).unwrap();
        let trim = Trim::new(vec![KeptPart::new(0, vec![0..23, 28..text.len()])], 7);
        let cut = trim.cut(&turn);
        assert_eq!(cut.content, r#"[call write {"text":"01…789"}]"#);
        assert_eq!(cut.parts, [Part::new(PartKind::CallArguments, cut.content.len(), 8)]);
        assert_eq!(cut.pieces[1], CutPiece { at: 26, into: 0, part: 0, range: 28..text.len() });
    }

    #[test]
    fn debug_shows_no_text() {
        let turn = TranscriptTurn::new("t", Role::Tool, "secret stuff", 3).unwrap();
        let first = 0..6;
        let shown = alloc::format!("{:?}", Trim::new(vec![KeptPart::new(0, vec![first])], 1).cut(&turn));
        assert!(!shown.contains("secret"), "{shown}");
    }
}
