//! What stands in a text that is held for the middle of a long string that is not.
//!
//! The string keeps its beginning and its end. Between them stand two characters that no text may be exchanged with
//! (U+FDD0 is no character), and a number between the two. A file that has them itself is read whole. Strings with
//! equal middles have the same number, so that strings are equal exactly when they were.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write;
use core::ops::Range;

/// A character that is none.
const MARK: char = '\u{fdd0}';

/// How many bytes a stand-in has.
pub(super) const LENGTH: usize = 14;

/// How many digits its number has.
const DIGITS: usize = 8;

/// Strings of at least this many bytes lose their middle.
const LONG: usize = 512;

/// How many bytes of a long string stay at least, at its beginning and at its end.
const HEAD: usize = 128;
const TAIL: usize = 64;

/// How far is looked for a place to cut at.
const REACH: usize = 160;

/// The longest escape, a pair of surrogates. Nothing is cut closer behind a backslash.
const ESCAPE: usize = 12;

/// The middle of the inside of a JSON string; `None` where it is too short or has no place to cut at.
pub(super) fn middle(inside: &str) -> Option<Range<usize>> {
    if inside.len() < LONG {
        return None;
    }
    let start = place_to_cut(inside, HEAD)?;
    let end = place_to_cut(inside, inside.len().saturating_sub(TAIL.saturating_add(REACH)))?;
    let says_something = inside.get(..start).is_some_and(says_something);
    (says_something && end.saturating_sub(start) > LENGTH).then_some(start..end)
}

/// The first place from here on that cuts no character and no escape.
fn place_to_cut(inside: &str, from: usize) -> Option<usize> {
    let fits = |place: &usize| {
        let before = inside.as_bytes().get(place.saturating_sub(ESCAPE)..*place).unwrap_or_default();
        inside.is_char_boundary(*place) && !before.contains(&b'\\')
    };
    (from..from.saturating_add(REACH)).find(fits)
}

/// Whether there is a letter or a digit that is no part of an escape: then the string is not blank.
fn says_something(inside: &str) -> bool {
    inside.split('\\').skip(1).any(|run| run.chars().skip(5).any(char::is_alphanumeric))
        || inside.split('\\').next().is_some_and(|run| run.chars().any(char::is_alphanumeric))
}

/// Whether a text has the mark itself, be it spelled out or not.
pub(super) fn is_marked(text: &str) -> bool {
    let escaped = |(place, _): (usize, &str)| {
        let digits = text.get(place.saturating_add(2)..place.saturating_add(6));
        digits.is_some_and(|digits| digits.eq_ignore_ascii_case("fdd0"))
    };
    text.contains(MARK) || text.match_indices("\\u").any(escaped)
}

/// Adds the stand-in with this number.
pub(super) fn push(number: u32, text: &mut String) {
    // Writing to a string does not fail.
    write!(text, "{MARK}{number:0DIGITS$x}{MARK}").unwrap_or(());
}

/// The first stand-in of a text: what is before it, its number, and what is after it.
pub(super) fn first(text: &str) -> Option<(&str, u32, &str)> {
    let mut from = 0_usize;
    loop {
        let place = from.saturating_add(text.get(from..)?.find(MARK)?);
        let (before, rest) = text.split_at_checked(place)?;
        if let Some((number, after)) = leading(rest) {
            return Some((before, number, after));
        }
        from = place.saturating_add(MARK.len_utf8());
    }
}

fn leading(text: &str) -> Option<(u32, &str)> {
    let (digits, after) = text.strip_prefix(MARK)?.split_at_checked(DIGITS)?;
    Some((u32::from_str_radix(digits, 16).ok()?, after.strip_prefix(MARK)?))
}

/// The text with what its stand-ins stand for.
pub(super) fn filled<'t, E>(
    text: &'t str,
    mut fetch: impl FnMut(u32) -> Result<String, E>,
) -> Result<Cow<'t, str>, E> {
    let mut full = String::new();
    let mut rest = text;
    while let Some((before, number, after)) = first(rest) {
        full.push_str(before);
        full.push_str(&fetch(number)?);
        rest = after;
    }
    if rest.len() == text.len() {
        return Ok(Cow::Borrowed(text));
    }
    full.push_str(rest);
    Ok(Cow::Owned(full))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;
    use core::convert::Infallible;
    use proptest::prelude::*;

    use super::*;
    use crate::raw::Node;

    #[test]
    fn a_stand_in_is_found_again() {
        let mut text = String::from("a\u{fdd0}b");
        push(0x1F, &mut text);
        assert_eq!(text.len(), "a\u{fdd0}b".len() + LENGTH);
        text.push('c');
        assert_eq!(first(&text), Some(("a\u{fdd0}b", 0x1F, "c")));
        assert_eq!(filled(&text, |number| Ok::<_, Infallible>(format!("<{number}>"))), Ok("a\u{fdd0}b<31>c".into()));
        assert_eq!(first("\u{fdd0}0000000g\u{fdd0}\u{fdd0}1\u{fdd0}"), None);
    }

    #[test]
    fn marks_are_seen_in_any_spelling() {
        assert!(is_marked("x\u{fdd0}") && is_marked(r"x\uFdD0") && is_marked(r"\\\ufdd0"));
        assert!(!is_marked(r"x\ufdd1 fdd0") && !is_marked(r"\ufdd"));
    }

    #[test]
    fn blank_strings_stay_whole() {
        for blank in [" ", "\\n", "\\u0020", "\\t \\r"] {
            assert_eq!(middle(&blank.repeat(700)), None, "{blank}");
        }
        assert!(middle(&format!("\\na{}", "\\n        \\t             ".repeat(90))).is_none());
        assert!(middle(&format!("\\nabcdefg{}", "\\n        \\t             ".repeat(90))).is_some());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn a_cut_string_reads_as_the_whole_one(
            inside in r#"([a-z é€😀]{1,9}|\\[n"\\]|\\u00e9|\\ud83d\\ude00){0,200}"#,
        ) {
            if let Some(middle) = middle(&inside) {
                let read = |inside: &str| {
                    let quoted = format!("\"{inside}\"");
                    Node::parse(&quoted, 0).unwrap().string().unwrap().into_owned()
                };
                prop_assert!(middle.start >= HEAD && middle.end + TAIL <= inside.len());
                let pieces: Vec<_> =
                    [&inside[..middle.start], &inside[middle.clone()], &inside[middle.end..]].map(read).into();
                prop_assert_eq!(pieces.concat(), read(&inside));
                prop_assert!(!read(&inside[..middle.start]).trim().is_empty());
            } else {
                prop_assert!(inside.len() < 1_000 || inside.contains('\\') || inside.trim().is_empty());
            }
        }
    }
}
