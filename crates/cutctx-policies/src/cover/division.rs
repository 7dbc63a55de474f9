//! How a part of a turn falls into units.

use super::chunks::{Sizes, escaped_pieces, pieces};
use super::field::{Cutting, characters_of};
use crate::calls::spelled;
use crate::json::{members, value_texts};
use crate::trimming::TurnPart;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::{PartKind, Role, Trim};

/// How a part falls into units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// It is one; what is no text is as long as a text of its tokens.
    Whole,
    /// As arguments of a call.
    Call,
    /// As what a tool answered.
    Result,
    /// As what was said.
    Talk,
}

impl Cut {
    /// Cuts a part.
    pub(super) fn division(self, part: &TurnPart<'_>, cutting: &Cutting) -> Division {
        match self {
            Self::Whole if part.kind == PartKind::Media => Division::whole(part, characters_of(part.tokens)),
            Self::Whole => Division::whole(part, 0),
            Self::Call => Division::of_call(part.text, cutting.talk),
            Self::Result => Division::plain(part.text, cutting.results),
            Self::Talk => Division::plain(part.text, cutting.talk),
        }
    }

    /// Where the units of a part stand in the turn's content, in bytes.
    pub(super) fn ranges(
        self,
        part: &TurnPart<'_>,
        cutting: &Cutting,
        skips_marks: bool,
    ) -> impl Iterator<Item = Range<usize>> {
        let pieces = if self == Self::Whole {
            alloc::vec![(0..part.bounds.len(), 0)]
        } else {
            self.division(part, cutting).pieces
        };
        let (start, text) = (part.bounds.start, part.text);
        let units = pieces.into_iter().map(|(range, _)| range);
        units
            .filter(move |range| !(skips_marks && is_mark(text, range)))
            .map(move |range| start.saturating_add(range.start)..start.saturating_add(range.end))
    }
}

/// The pieces of a part: ranges of its text in bytes, with their lengths in characters.
pub(super) struct Division {
    pub(super) pieces: Vec<(Range<usize>, usize)>,
    /// How many of them, the first ones, come with any other.
    pub(super) frame: usize,
}

/// How many texts of one call are cut at the most; the others belong to the frame. What stands around them is looked at
/// with every piece, and no agent writes that many long texts in one call.
const MOST_CUT: usize = 64;

impl Division {
    /// One piece, of its length or of so many characters if it is shorter.
    pub(super) fn whole(part: &TurnPart<'_>, least: usize) -> Self {
        Self { pieces: alloc::vec![(0..part.text.len(), part.text.chars().count().max(least))], frame: 0 }
    }

    /// Lines, or pieces of several.
    pub(super) fn plain(text: &str, sizes: Sizes) -> Self {
        Self { pieces: pieces(text, sizes), frame: 0 }
    }

    /// The long texts among the arguments of a call in pieces; all that stands around them comes with any of these, so
    /// that a call stays one, and JSON stays JSON. A short call is one piece.
    pub(super) fn of_call(text: &str, sizes: Sizes) -> Self {
        let Some((_, arguments)) = spelled(text) else { return Self::plain(text, sizes) };
        let inner = text.get(arguments.clone()).unwrap_or_default();
        let placed = |range: Range<usize>, from: usize| {
            from.saturating_add(range.start)..from.saturating_add(range.end)
        };
        let mut cut: Vec<(Range<usize>, usize)> = Vec::new();
        let mut texts = 0_usize;
        if members(inner).is_some() {
            for value in value_texts(inner) {
                if texts >= MOST_CUT {
                    break;
                }
                let from = arguments.start.saturating_add(value.start);
                let pieces = escaped_pieces(inner.get(value).unwrap_or_default(), sizes);
                if pieces.len() > 1 {
                    texts = texts.saturating_add(1);
                    cut.extend(pieces.into_iter().map(|(range, length)| (placed(range, from), length)));
                }
            }
        } else {
            let pieces = pieces(inner, sizes);
            let is_long = pieces.len() > 1;
            cut.extend(
                pieces
                    .into_iter()
                    .filter(|_| is_long)
                    .map(|(range, length)| (placed(range, arguments.start), length)),
            );
        }
        Self::framed(text, cut)
    }

    /// The pieces that are cut, behind all that stands around them.
    fn framed(text: &str, cut: Vec<(Range<usize>, usize)>) -> Self {
        let mut pieces: Vec<(Range<usize>, usize)> = Vec::with_capacity(cut.len());
        let mut from = 0;
        let end = text.len()..text.len();
        for range in cut.iter().map(|(range, _)| range.clone()).chain(core::iter::once(end)) {
            let around = from..range.start;
            from = range.end;
            if !around.is_empty() {
                let characters = text.get(around.clone()).unwrap_or_default().chars().count();
                pieces.push((around, characters));
            }
        }
        let frame = if cut.is_empty() { 0 } else { pieces.len() };
        pieces.extend(cut);
        Self { pieces, frame }
    }
}

/// Whether a piece is nothing but the mark of a cut. It is no unit: a turn of which only that was chosen would say nothing,
/// and cost little enough to be chosen first. Between units it stays or comes back as what it is.
pub(super) fn is_mark(text: &str, range: &Range<usize>) -> bool {
    let piece = text.get(range.clone()).unwrap_or_default().trim_start();
    piece.starts_with(Trim::MARK) && Trim::is_mark(piece.trim_end())
}

/// Whether a part of a turn of this role is what a tool answered.
pub(super) fn is_result(role: Role, kind: PartKind) -> bool {
    kind == PartKind::Result || (role == Role::Tool && kind == PartKind::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { lines: 2, characters: 20, cut_at: 20 };

    fn division(text: &str) -> (Vec<&str>, Vec<&str>) {
        let division = Division::of_call(text, SIZES);
        let mut pieces: Vec<&str> =
            division.pieces.iter().map(|(range, _)| text.get(range.clone()).unwrap()).collect();
        let cut = pieces.split_off(division.frame);
        (pieces, cut)
    }

    #[test]
    fn a_short_call_is_one_piece() {
        let call = r#"[call read {"path":"a.rs"}]"#;
        assert_eq!(division(call), (vec![], vec![call]));
    }

    #[test]
    fn long_texts_of_a_call_are_cut_at_lines_and_the_rest_is_their_frame() {
        let call = r#"[call write {"path":"a.rs","text":"one\ntwo\nthree\nfour"}]"#;
        let frame = vec![r#"[call write {"path":"a.rs","text":""#, r#""}]"#];
        assert_eq!(division(call), (frame, vec![r"one\ntwo\n", r"three\nfour"]));
    }

    #[test]
    fn arguments_that_are_no_json_are_cut_like_texts() {
        let call = "[call patch one\ntwo\nthree]";
        assert_eq!(division(call), (vec!["[call patch ", "]"], vec!["one\ntwo\n", "three"]));
    }

    #[test]
    fn what_stands_around_the_pieces_of_a_call_is_bounded() {
        let texts = r#""a\nb\nc\nd","#.repeat(1_000);
        let call = alloc::format!(r#"[call write {{"texts":[{texts}"end"]}}]"#);
        let (frame, cut) = division(&call);
        assert_eq!((frame.len(), cut.len()), (65, 128));
        assert_eq!([frame, cut].concat().iter().map(|piece| piece.len()).sum::<usize>(), call.len());
    }
}
