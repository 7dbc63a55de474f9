//! Texts in pieces: the units that are chosen.

use crate::json::escape_or_character;
use alloc::vec::Vec;
use core::ops::Range;

/// How long pieces are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    /// The most lines of a piece.
    pub(super) lines: usize,
    /// The most characters of a piece.
    pub(super) characters: usize,
    /// Where a line that alone has more characters is cut, or a little before.
    pub(super) cut_at: usize,
}

/// How many bytes a line has, about.
const LINE: usize = 40;

/// Pieces of whole lines where lines are short enough; they tile the text. Each comes with its length in
/// characters.
pub(super) fn pieces(text: &str, sizes: Sizes) -> Vec<(Range<usize>, usize)> {
    pieces_of(text, sizes, first_line, |rest| rest.chars().next().map(char::len_utf8))
}

/// Pieces of the inside of a text in JSON: an escape counts as the character that it stands for, and none is parted.
pub(super) fn escaped_pieces(text: &str, sizes: Sizes) -> Vec<(Range<usize>, usize)> {
    pieces_of(text, sizes, first_escaped_line, escape_or_character)
}

/// How long the first line of a text is, in bytes and in characters.
fn first_line(text: &str) -> (usize, usize) {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let (mut length, mut continuing) = (0_usize, 0_u32);
    for word in words.iter().map(|word| u64::from_le_bytes(*word)) {
        let line_breaks = places_of_line_breaks(word);
        // Up to the first line break, or all of it.
        let seen = line_breaks ^ line_breaks.wrapping_sub(1);
        continuing = continuing.saturating_add((places_of_continuing_bytes(word) & seen).count_ones());
        length = length.saturating_add(usize::try_from(seen.count_ones() / 8).unwrap_or(0));
        if line_breaks != 0 {
            return (length, characters_of(length, continuing));
        }
    }
    for byte in rest {
        length = length.saturating_add(1);
        continuing = continuing.saturating_add(u32::from(byte & 0b1100_0000 == 0b1000_0000));
        if *byte == b'\n' {
            break;
        }
    }
    (length, characters_of(length, continuing))
}

fn characters_of(bytes: usize, continuing: u32) -> usize {
    bytes.saturating_sub(usize::try_from(continuing).unwrap_or(usize::MAX))
}

/// One bit in every byte that continues a character.
const fn places_of_continuing_bytes(word: u64) -> u64 {
    (word >> 7) & !(word >> 6) & EACH_BYTE
}

/// The highest bit of the first byte that is a line break, and of some after that one.
const fn places_of_line_breaks(word: u64) -> u64 {
    let no_bits = word ^ (EACH_BYTE.wrapping_mul(0x0a));
    no_bits.wrapping_sub(EACH_BYTE) & !no_bits & (EACH_BYTE << 7)
}

/// The lowest bit of each byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// How long the first line is inside a text in JSON, in bytes and in characters.
fn first_escaped_line(text: &str) -> (usize, usize) {
    let (mut end, mut characters) = (0_usize, 0_usize);
    while let Some(length) = text.get(end..).and_then(escape_or_character) {
        let character = text.get(end..end.saturating_add(length));
        end = end.saturating_add(length);
        characters = characters.saturating_add(1);
        if matches!(character, Some("\n" | "\\n")) {
            break;
        }
    }
    (end, characters)
}

/// Pieces of a text; `first_line` says how long its first line is, `step` how long its first character, in bytes.
fn pieces_of(
    text: &str,
    sizes: Sizes,
    first_line: impl Fn(&str) -> (usize, usize),
    step: impl Fn(&str) -> Option<usize>,
) -> Vec<(Range<usize>, usize)> {
    let expected = text.len().checked_div(LINE.saturating_mul(sizes.lines));
    let mut pieces = Vec::with_capacity(expected.unwrap_or(0));
    let mut open = Open::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (length, characters) = first_line(rest);
        let (line, after) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
        rest = after;
        if open.is_full_for(characters, sizes) {
            pieces.extend(open.close());
        }
        if characters > sizes.characters {
            cut_line(line, open.end, sizes.cut_at, &step, &mut pieces);
            open = Open::at(open.end.saturating_add(line.len()));
        } else {
            open.take(line, characters);
        }
    }
    pieces.extend(open.close());
    pieces
}

/// Where each character of a text begins, in bytes, with its length.
fn steps(text: &str, step: impl Fn(&str) -> Option<usize>) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0_usize;
    core::iter::from_fn(move || {
        let length = step(text.get(at..)?)?;
        let start = at;
        at = start.saturating_add(length);
        Some((start, length))
    })
}

/// A piece that may still grow.
#[derive(Default)]
struct Open {
    start: usize,
    end: usize,
    lines: usize,
    characters: usize,
}

impl Open {
    const fn at(start: usize) -> Self {
        Self { start, end: start, lines: 0, characters: 0 }
    }

    const fn is_full_for(&self, characters: usize, sizes: Sizes) -> bool {
        self.lines >= sizes.lines || self.characters.saturating_add(characters) > sizes.characters
    }

    fn take(&mut self, line: &str, characters: usize) {
        self.end = self.end.saturating_add(line.len());
        self.lines = self.lines.saturating_add(1);
        self.characters = self.characters.saturating_add(characters);
    }

    /// The piece, unless it is empty; the next one begins where it ends.
    fn close(&mut self) -> Option<(Range<usize>, usize)> {
        let closed = (self.start..self.end, self.characters);
        *self = Self::at(self.end);
        (!closed.0.is_empty()).then_some(closed)
    }
}

/// Cuts a long line: behind the last white space of the second half of a piece, else in mid-word.
fn cut_line(
    line: &str,
    start: usize,
    cut_at: usize,
    step: impl Fn(&str) -> Option<usize>,
    pieces: &mut Vec<(Range<usize>, usize)>,
) {
    let mut start = start;
    let mut rest = line;
    while !rest.is_empty() {
        let (length, characters) = piece_of_line(rest, cut_at.max(1), &step);
        let end = start.saturating_add(length.max(1));
        pieces.push((start..end, characters));
        start = end;
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
}

/// The length of the first piece of a line, in bytes and in characters.
fn piece_of_line(line: &str, cut_at: usize, step: impl Fn(&str) -> Option<usize>) -> (usize, usize) {
    let mut characters = 0_usize;
    let mut at_space = None;
    for (at, length) in steps(line, step) {
        if characters >= cut_at {
            return at_space.unwrap_or((at, characters));
        }
        characters = characters.saturating_add(1);
        let end = at.saturating_add(length);
        let is_space = line.get(at..end).is_some_and(|character| character.trim().is_empty());
        if is_space && characters.saturating_mul(2) > cut_at {
            at_space = Some((end, characters));
        }
    }
    (line.len(), characters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINES: Sizes = Sizes { lines: 1, characters: 360, cut_at: 240 };

    fn cut(text: &str, sizes: Sizes) -> Vec<&str> {
        pieces(text, sizes).into_iter().map(|(range, _)| text.get(range).unwrap()).collect()
    }

    #[test]
    fn results_fall_into_lines() {
        assert_eq!(cut("one\n\ntwo", LINES), ["one\n", "\n", "two"]);
        assert!(cut("", LINES).is_empty());
    }

    #[test]
    fn chunks_end_with_a_line_before_they_are_too_long() {
        let sizes = Sizes { lines: 2, characters: 8, cut_at: 8 };
        assert_eq!(cut("a\nb\nc\nlonger\nab\n", sizes), ["a\nb\n", "c\n", "longer\n", "ab\n"]);
    }

    #[test]
    fn long_lines_are_cut_behind_white_space_where_there_is_some() {
        let sizes = Sizes { lines: 1, characters: 8, cut_at: 6 };
        assert_eq!(cut("abcd efgh ijklmno\nx\n", sizes), ["abcd ", "efgh ", "ijklmn", "o\n", "x\n"]);
    }

    #[test]
    fn escapes_are_characters_and_those_of_line_breaks_end_lines() {
        let sizes = Sizes { lines: 1, characters: 4, cut_at: 3 };
        let text = r#"a\nb\\nc\"\"\"\u00e9z"#;
        let cut: Vec<&str> =
            escaped_pieces(text, sizes).into_iter().map(|(range, _)| text.get(range).unwrap()).collect();
        assert_eq!(cut, [r"a\n", r"b\\n", r#"c\"\""#, r#"\"\u00e9z"#]);
    }

    proptest! {
        #[test]
        fn the_first_line_is_measured(text in "(\\PC|\n|[a-z]{1,9}){0,40}") {
            let line = text.split_inclusive('\n').next().unwrap_or_default();
            prop_assert_eq!(first_line(&text), (line.len(), line.chars().count()));
        }

        #[test]
        fn pieces_tile_the_text_and_are_short(text in "(\\PC|\n| ){0,120}", lines in 1_usize..4, characters in 1_usize..20) {
            let sizes = Sizes { lines, characters, cut_at: characters };
            let pieces = pieces(&text, sizes);
            let mut next = 0;
            for (range, length) in pieces {
                prop_assert_eq!(range.start, next);
                let piece = text.get(range.clone()).unwrap();
                prop_assert_eq!(piece.chars().count(), length);
                prop_assert!(length <= characters && length > 0 && piece.split_inclusive('\n').count() <= lines);
                next = range.end;
            }
            prop_assert_eq!(next, text.len());
        }
    }
}
