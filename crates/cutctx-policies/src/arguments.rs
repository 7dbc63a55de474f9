//! Less of the arguments of a call.

use crate::border::{whole_end, whole_start};
use crate::calls::spelled;
use crate::clip::Limits;
use crate::json::{escape_or_character, members, unescaped, value_texts};
use crate::trimming::TurnPart;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::KeptPart;

/// A call without its arguments: what stays is its tool and the brackets of an object, where there was one that held
/// something.
pub(crate) fn emptied(part: &TurnPart<'_>) -> Option<KeptPart> {
    let arguments = object_of(part)?;
    let inner = arguments.start.saturating_add(1)..arguments.end.saturating_sub(1);
    let holds = part.text.get(inner.clone()).is_some_and(|inner| !inner.trim().is_empty());
    let kept = [0..inner.start, inner.end..part.text.len()];
    holds.then(|| KeptPart::new(part.index, kept.into_iter().map(|range| placed(part, &range)).collect()))
}

/// A call with the texts among its arguments cut to these limits, each to its two ends, where one is too long. What was
/// JSON stays JSON.
pub(crate) fn clipped(part: &TurnPart<'_>, limits: &Limits) -> Option<KeptPart> {
    let arguments = object_of(part)?;
    let text = part.text.get(arguments.clone())?;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for value in value_texts(text) {
        let Some(cut) = cut_of(text, &value, limits) else { continue };
        ranges.push(from..cut.start.saturating_add(arguments.start));
        from = cut.end.saturating_add(arguments.start);
    }
    if from == 0 {
        return None;
    }
    ranges.push(from..part.text.len());
    Some(KeptPart::new(part.index, ranges.iter().map(|range| placed(part, range)).collect()))
}

/// Where the arguments of a call stand in its part, if they are an object.
fn object_of(part: &TurnPart<'_>) -> Option<Range<usize>> {
    let (_, arguments) = spelled(part.text)?;
    let text = part.text.get(arguments.clone())?;
    let start = arguments.start.saturating_add(text.len().saturating_sub(text.trim_start().len()));
    let end = start.saturating_add(text.trim().len());
    members(text).map(|_| start..end)
}

/// How many characters on each side of a border are looked at: a terminal's sequence, or a family, is no longer.
const NEAR: usize = 32;

/// What goes of a text that is too long; its borders part no escape, and nothing that a reader sees as one character
/// once the escapes are read.
fn cut_of(text: &str, value: &Range<usize>, limits: &Limits) -> Option<Range<usize>> {
    let inner = text.get(value.clone())?;
    let count = characters(inner).count();
    if count <= limits.max() {
        return None;
    }
    let head = border_near(inner, limits.head(), whole_end);
    let tail = border_near(inner, count.saturating_sub(limits.tail()), whole_start);
    Some(value.start.saturating_add(head)..value.start.saturating_add(tail))
}

/// The place before the character of a number, moved by `whole` to where nothing is parted.
fn border_near(inner: &str, number: usize, whole: impl Fn(&str, usize) -> usize) -> usize {
    let first = number.saturating_sub(NEAR);
    let before = number.saturating_sub(first);
    let ends = characters(inner).chain([inner.len()]);
    let places: Vec<usize> = ends.skip(first).take(before.saturating_add(NEAR).saturating_add(1)).collect();
    let mut plain = String::new();
    let mut borders = Vec::with_capacity(places.len());
    for pair in places.windows(2) {
        borders.push(plain.len());
        let &[start, end] = pair else { continue };
        plain.push_str(&unescaped(inner.get(start..end).unwrap_or_default()));
    }
    borders.push(plain.len());
    let asked = borders.get(before).copied().unwrap_or(plain.len());
    let found = borders.binary_search(&whole(&plain, asked)).unwrap_or(before);
    places.get(found).copied().unwrap_or(inner.len())
}

/// Where each character of the inside of a JSON text begins.
fn characters(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let length = escape_or_character(text.get(at..)?)?;
        let start = at;
        at = at.saturating_add(length);
        Some(start)
    })
}

fn placed(part: &TurnPart<'_>, range: &Range<usize>) -> Range<usize> {
    let start = part.bounds.start;
    start.saturating_add(range.start)..start.saturating_add(range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trimming::parts_of;
    use alloc::format;
    use cutctx_types::{Part, PartKind, Role, TranscriptTurn, Trim};
    use proptest::prelude::*;

    /// What stays of a text among arguments, spelled as it was.
    fn cut(text: &str, max: usize, head: usize, tail: usize) -> String {
        let call = format!("[call write {{\"text\":\"{text}\"}}]");
        let turn = TranscriptTurn::new("a", Role::Assistant, call.as_str(), 900).unwrap();
        let turn = turn.with_parts(vec![Part::new(PartKind::CallArguments, call.len(), 900)]).unwrap();
        let kept = clipped(&parts_of(&turn)[0], &Limits::known(max, head, tail)).unwrap();
        let cut = Trim::new(vec![kept], 1).cut(&turn).content;
        String::from(cut.strip_prefix("[call write {\"text\":\"").unwrap().strip_suffix("\"}]").unwrap())
    }

    #[test]
    fn no_escape_is_parted() {
        let text = r#"\\\n\u00e9\n\ud83d\ude00 the middle \ud83d\ude00\t\""#;
        assert_eq!(cut(text, 9, 4, 3), r#"\\\n\u00e9\n…\ud83d\ude00\t\""#);
        assert_eq!(
            cut(r"\ud83d\ude00\ud83d\ude00 the middle \ud83d\ude00", 9, 1, 1),
            r"\ud83d\ude00…\ud83d\ude00"
        );
        assert_eq!(cut(r"\ud83d\ude00\ud83d\ude00 the middle \ud83d", 9, 1, 1), r"\ud83d\ude00…\ud83d");
    }

    #[test]
    fn what_is_one_character_to_a_reader_is_not_parted_however_it_is_spelled() {
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        let escaped = r"\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67";
        for spelled in [family, escaped] {
            let text = ["ab", spelled, " the middle ", spelled, "cd"].concat();
            assert_eq!(cut(&text, 12, 4, 5), "ab…cd");
            assert_eq!(cut(&text, 14, 7, 7), ["ab", spelled, "…", spelled, "cd"].concat());
        }
        assert_eq!(cut(r"e\u0301e\u0301 the middle \u0301x", 9, 3, 2), r"e\u0301…x");
        assert_eq!(cut(r"a\u001b[31mred the middle\u001b[0mb", 9, 3, 2), "a…b");
    }

    proptest! {
        #[test]
        fn what_is_cut_is_json_still(
            text in "([a-z]|\u{1f468}|\u{200d}|\u{301}|\\\\u[0-9a-f]{4}|\\\\ud83d\\\\ude00|\\\\n|\\\\\\\\){20,60}",
            head in 0_usize..9,
            tail in 1_usize..9,
        ) {
            let left = cut(&text, 18, head, tail);
            let whole = serde_json::from_str::<String>(&format!("\"{text}\"")).is_ok();
            prop_assert!(!whole || serde_json::from_str::<String>(&format!("\"{left}\"")).is_ok(), "{left}");
        }
    }
}
