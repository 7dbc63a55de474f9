//! Where a text may be cut.

use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::Trim;

/// How far back a sequence of control characters can begin, in bytes.
const LONGEST_SEQUENCE: usize = 32;

/// The beginning and the end of a text, of at most this many characters each and in bytes from `start`; `None` where
/// they would meet.
///
/// A cut falls on the border of a line where one is near enough that no more than half of a piece is lost, and else on
/// one of what a reader sees as a character; never inside of a terminal's control sequence.
pub(crate) fn ends_of(text: &str, start: usize, head: usize, tail: usize) -> Option<Vec<Range<usize>>> {
    let (head, tail) = (head_end(text, head), tail_start(text, tail));
    let within = |range: Range<usize>| start.saturating_add(range.start)..start.saturating_add(range.end);
    let pieces = [0..head, tail..text.len()];
    (head < tail).then(|| pieces.into_iter().filter(|piece| !piece.is_empty()).map(within).collect())
}

/// Whether a text has been cut before: a line of it is nothing but the mark.
pub(crate) fn is_cut(text: &str) -> bool {
    text.lines().any(|line| line == Trim::MARK)
}

/// Whether a text has more characters than this, without counting all of a long one.
pub(crate) fn is_longer(text: &str, characters: usize) -> bool {
    text.len() > characters && text.chars().nth(characters).is_some()
}

fn head_end(text: &str, characters: usize) -> usize {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let head = text.get(..end).unwrap_or_default();
    if text.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n')) {
        return end;
    }
    let least = end.div_euclid(2);
    head.rfind('\n').filter(|line_end| *line_end >= least).unwrap_or_else(|| whole_end(text, end))
}

fn tail_start(text: &str, characters: usize) -> usize {
    let Some(before) = characters.checked_sub(1) else { return text.len() };
    let start = text.char_indices().rev().nth(before).map_or(0, |(at, _)| at);
    let tail = text.get(start..).unwrap_or_default();
    if start == 0 || text.get(..start).is_some_and(|before| before.ends_with('\n')) {
        return start;
    }
    let most = tail.len().div_euclid(2);
    let line = tail.find('\n').filter(|line_end| *line_end < most);
    line.map_or_else(|| whole_start(text, start), |line_end| start.saturating_add(line_end).saturating_add(1))
}

/// The last border at or before `at` that parts nothing that belongs together.
fn whole_end(text: &str, at: usize) -> usize {
    let mut end = open_sequence(text, at).map_or(at, |(start, _)| start);
    while end > 0 && joins(text, end) {
        end = text
            .get(..end)
            .and_then(|before| before.char_indices().next_back())
            .map_or(0, |(start, _)| start);
    }
    end
}

/// The first border at or after `at` that parts nothing that belongs together.
fn whole_start(text: &str, at: usize) -> usize {
    let mut start = open_sequence(text, at).map_or(at, |(_, end)| end);
    while start < text.len() && joins(text, start) {
        let next = text.get(start..).and_then(|rest| rest.chars().next());
        start = start.saturating_add(next.map_or(1, char::len_utf8));
    }
    start
}

/// The control sequence of a terminal inside of which a place is, from its first to behind its last byte.
fn open_sequence(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let from = at.saturating_sub(LONGEST_SEQUENCE);
    let start = from.saturating_add(bytes.get(from..at)?.iter().rposition(|byte| *byte == 0x1b)?);
    let body = bytes.get(start.saturating_add(2)..)?;
    let is_sequence = bytes.get(start.saturating_add(1)) == Some(&b'[') || start.saturating_add(1) == at;
    let length = body.iter().take(LONGEST_SEQUENCE).position(|byte| (0x40..=0x7e).contains(byte))?;
    let end = start.saturating_add(length).saturating_add(3);
    (is_sequence && at < end && text.is_char_boundary(end)).then_some((start, end))
}

/// Whether the characters on both sides of a place are one to the reader.
fn joins(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at..).and_then(|after| after.chars().next());
    before == Some('\u{200d}') || after.is_some_and(continues) || (before, after) == (Some('\r'), Some('\n'))
}

/// Whether a character changes the one before it: marks, selectors, skin tones, joiners.
const fn continues(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5bd}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{93a}'..='\u{94d}'
            | '\u{e31}'
            | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{200c}'..='\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{3099}'..='\u{309a}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(text: &str, head: usize, tail: usize) -> Vec<&str> {
        ends_of(text, 0, head, tail).unwrap().into_iter().map(|range| text.get(range).unwrap()).collect()
    }

    #[test]
    fn cuts_fall_between_lines_where_lines_are_short() {
        let text = "first line\nsecond line\nthird line\nfourth line\nfifth line";
        assert_eq!(pieces(text, 15, 15), ["first line", "fifth line"]);
        assert_eq!(pieces(text, 22, 0), ["first line\nsecond line"]);
        assert_eq!(pieces(text, 0, 11), ["fifth line"]);
    }

    #[test]
    fn long_lines_are_cut_between_what_a_reader_sees_as_characters() {
        assert_eq!(pieces("abcdefghij", 3, 2), ["abc", "ij"]);
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        let text = ["xy", family, "some more text", "e\u{301}z"].concat();
        assert_eq!(pieces(&text, 4, 2), ["xy", "z"]);
        assert_eq!(pieces("a\u{1b}[31mred text here\u{1b}[0mb", 4, 3), ["a", "b"]);
    }

    #[test]
    fn pieces_that_would_meet_are_no_cut() {
        assert_eq!(ends_of("abcdef", 0, 4, 2), None);
        assert_eq!(ends_of("", 0, 4, 2), None);
        assert_eq!(ends_of("abcdefg", 10, 4, 2), Some(alloc::vec![10..14, 15..17]));
    }

    proptest! {
        #[test]
        fn pieces_lie_on_borders_and_are_no_longer_than_asked(
            text in "([a-z]|\n|é|漢|\u{1f468}|\u{200d}|\u{301}|\u{1b}|\\[3|m|\r\n){0,60}",
            head in 0_usize..30,
            tail in 0_usize..30,
        ) {
            if let Some(ranges) = ends_of(&text, 0, head, tail) {
                let kept: usize = ranges.iter().map(|range| text.get(range.clone()).unwrap().chars().count()).sum();
                prop_assert!(kept <= head.saturating_add(tail));
                prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
            }
        }
    }
}
