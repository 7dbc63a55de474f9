//! Where a text may be cut.

mod cluster;
mod fence;
mod sequence;

use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::Trim;

use cluster::joins;

/// The beginning and the end of a text, of at most this many characters each and in bytes from `start`; `None` where
/// they would meet.
///
/// A cut falls on the border of a line where one is near enough that no more than half of a piece is lost, and else on
/// one of what a reader sees as a character; never inside of a terminal's control sequence. Where what goes holds one
/// end of a block of code in Markdown without the other, that line stays, as a piece of its own and beyond what was
/// asked for.
pub(crate) fn ends_of(text: &str, start: usize, head: usize, tail: usize) -> Option<Vec<Range<usize>>> {
    let (head, tail) = (head_end(text, head), tail_start(text, tail));
    let within = |range: Range<usize>| start.saturating_add(range.start)..start.saturating_add(range.end);
    (head < tail).then(|| fence::whole(text, head, tail).into_iter().map(within).collect())
}

/// Whether a text has been cut before: a line of it is nothing but a mark.
pub(crate) fn is_cut(text: &str) -> bool {
    text.lines().any(Trim::is_mark)
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
pub(crate) fn whole_end(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        if let Some(open) = sequence::around(text, end) {
            end = open.start;
        } else if end > 0 && joins(text, end) {
            let before = text.get(..end).and_then(|before| before.char_indices().next_back());
            end = before.map_or(0, |(start, _)| start);
        } else {
            return end;
        }
    }
}

/// The first border at or after `at` that parts nothing that belongs together.
pub(crate) fn whole_start(text: &str, at: usize) -> usize {
    let mut start = at;
    loop {
        if let Some(open) = sequence::around(text, start) {
            start = open.end;
        } else if start < text.len() && joins(text, start) {
            let next = text.get(start..).and_then(|rest| rest.chars().next());
            start = start.saturating_add(next.map_or(1, char::len_utf8));
        } else {
            return start;
        }
    }
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
