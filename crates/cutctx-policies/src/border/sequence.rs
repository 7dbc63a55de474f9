//! Control sequences of terminals.

use core::ops::Range;

/// How far back a sequence can begin, in bytes: one with a title or a link holds a text.
const LONGEST: usize = 1_024;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// The sequence inside of which a place is, if it is inside of one.
pub(super) fn around(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let from = at.saturating_sub(LONGEST);
    let mut next = from;
    while let Some(found) = bytes.get(next..at)?.iter().position(|byte| *byte == ESCAPE) {
        let start = next.saturating_add(found);
        let end = bytes.get(start..).and_then(length).map(|length| start.saturating_add(length));
        match end.filter(|end| text.is_char_boundary(*end)) {
            Some(end) if end > at => return Some(start..end),
            Some(end) => next = end,
            None => next = start.saturating_add(1),
        }
    }
    None
}

/// How long the sequence is with which these bytes begin, if it ends.
fn length(bytes: &[u8]) -> Option<usize> {
    let body = bytes.get(2..)?;
    let inner = match bytes.get(1)? {
        b'[' => body.iter().take(LONGEST).position(|byte| !(0x20..=0x3f).contains(byte))?.saturating_add(1),
        b']' | b'P' | b'X' | b'^' | b'_' => string_length(body)?,
        0x20..=0x2f => body.iter().position(|byte| !(0x20..=0x2f).contains(byte))?.saturating_add(1),
        0x30..=0x7e => 0,
        _ => return None,
    };
    Some(inner.saturating_add(2))
}

/// How long a string is with what ends it, a bell or an escape and a backslash.
fn string_length(body: &[u8]) -> Option<usize> {
    let end = body.iter().take(LONGEST).position(|byte| matches!(*byte, BELL | ESCAPE | b'\n'))?;
    match (body.get(end)?, body.get(end.saturating_add(1))) {
        (&BELL, _) => Some(end.saturating_add(1)),
        (&ESCAPE, Some(b'\\')) => Some(end.saturating_add(2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn every_place_inside_of_a_sequence_is_known_to_be() {
        let link = format!("\u{1b}]8;;https://example.org/{}\u{1b}\\", "x".repeat(300));
        let sequences = [
            "\u{1b}[31m",
            "\u{1b}[38;5;196m",
            "\u{1b}[?25l",
            "\u{1b}[K",
            "\u{1b}(B",
            "\u{1b}7",
            "\u{1b}]0;a title\u{7}",
            link.as_str(),
        ];
        for sequence in sequences {
            let text = ["before ", sequence, "\u{e9} behind"].concat();
            let whole = 7..7_usize.saturating_add(sequence.len());
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let expected = (whole.start < at && at < whole.end).then(|| whole.clone());
                assert_eq!(around(&text, at), expected, "{sequence:?} {at}");
            }
        }
    }

    #[test]
    fn what_does_not_end_is_no_sequence() {
        for text in ["\u{1b}", "\u{1b}[", "\u{1b}[31", "\u{1b}]0;a title\nof two lines\u{7}", "\u{1b}\u{e9}"]
        {
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                assert_eq!(around(text, at), None, "{text:?} {at}");
            }
        }
    }
}
