//! What a trimmed turn says.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::{KeptPart, Part, PartKind, TranscriptTurn, Trim};

/// The line that stands where text was cut out.
const MARK: &str = "…";

/// A turn with less of its parts.
///
/// Each stretch that was cut leaves one line with a mark: between ranges, between parts, at the
/// beginning and at the end. A mark inside a divisible part belongs to it; one for whole parts that
/// are gone is a text part of its own, so that indivisible parts stay byte for byte what they were. A
/// cut part keeps its share of its estimate, by bytes and rounded up; marks are not estimated, since
/// the turn's estimate is the trim's.
///
/// Text and parts are those of the planned turn, for which the trim was checked.
pub(crate) fn trimmed(turn: &TranscriptTurn, planned: &TranscriptTurn, trim: &Trim) -> TranscriptTurn {
    let (text, parts) = Cutter::new(planned.content()).cut(planned, trim);
    let bare = turn.clone().with_content(text, trim.token_estimate);
    if planned.parts().is_empty() {
        return bare;
    }
    // Parts that are laid one after the other do tile.
    bare.clone().with_parts(parts).unwrap_or(bare)
}

/// Lays the kept pieces and the marks one after the other.
struct Cutter<'t> {
    content: &'t str,
    text: String,
    parts: Vec<Part>,
    /// Whether the text ends with a mark's line.
    after_mark: bool,
}

impl<'t> Cutter<'t> {
    const fn new(content: &'t str) -> Self {
        Self { content, text: String::new(), parts: Vec::new(), after_mark: false }
    }

    fn cut(mut self, planned: &TranscriptTurn, trim: &Trim) -> (String, Vec<Part>) {
        let whole = [Part::new(PartKind::Text, self.content.len(), planned.token_estimate())];
        let parts = if planned.parts().is_empty() { whole.as_slice() } else { planned.parts() };
        let mut pending = trim.kept.iter().peekable();
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
        self.finish()
    }

    fn keep(&mut self, part: &Part, bounds: &Range<usize>, kept: &KeptPart) {
        let mut next = bounds.start;
        for range in &kept.ranges {
            if range.start > next {
                self.mark();
            }
            self.copy(range);
            next = range.end;
        }
        if next < bounds.end {
            self.mark();
        }
        self.parts.push(Part::new(part.kind, self.text.len(), share(part, bounds, kept)));
    }

    fn leave_out(&mut self) {
        if self.mark() {
            self.parts.push(Part::new(PartKind::Text, self.text.len(), 0));
        }
    }

    fn copy(&mut self, range: &Range<usize>) {
        let piece = self.content.get(range.clone()).unwrap_or_default();
        self.text.push_str(piece);
        self.after_mark &= piece.is_empty();
    }

    /// Writes a mark on a line of its own, unless one has just been written.
    fn mark(&mut self) -> bool {
        if self.after_mark {
            return false;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(MARK);
        self.text.push('\n');
        self.after_mark = true;
        true
    }

    /// The text does not end with a mark's line end.
    fn finish(mut self) -> (String, Vec<Part>) {
        if self.after_mark {
            self.text.pop();
        }
        let end = self.text.len();
        self.parts.iter_mut().for_each(|part| part.end = part.end.min(end));
        (self.text, self.parts)
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
