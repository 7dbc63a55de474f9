//! What stands in a text that is held for the middle of a long string that is not.
//!
//! The string keeps its beginning and its end. Between them stands a mark that no text may be exchanged with (U+FDD0 is
//! no character), a number, how many bytes are missing, and the mark again. A file that has the mark itself is read
//! whole. Strings with equal middles have the same number, so that strings are equal exactly when they were.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write;
use core::ops::Range;

use memchr::memmem;

/// A character that is none.
const MARK: char = '\u{fdd0}';

/// How many bytes a stand-in has.
pub(crate) const LENGTH: usize = 22;

/// How many digits each of its two figures has.
const DIGITS: usize = 8;

/// How many bytes of a long string stay at least, at its beginning and at its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    head: usize,
    tail: usize,
}

impl Ends {
    pub(super) const SHORT: Self = Self { head: 64, tail: 32 };
    pub(super) const LONG: Self = Self { head: 192, tail: 192 };
}

/// Strings lose their middle that have so many bytes more than stay of them at least.
const LONG: usize = 160;

/// How many blank bytes may stand before the words that tell who speaks.
const BLANK: usize = 128;

/// How far is looked for a place to cut at.
const REACH: usize = 64;

/// The longest escape, a pair of surrogates. Nothing is cut closer behind a backslash.
const ESCAPE: usize = 12;

/// The middle of the inside of a JSON string; `None` where it is too short or has no place to cut at.
pub(super) fn middle(inside: &str, ends: Ends) -> Option<Range<usize>> {
    let Ends { head, tail } = ends;
    let last = inside.len().saturating_sub(tail);
    if last < head.saturating_add(LONG) {
        return None;
    }
    let start = (head..head.saturating_add(REACH)).find(|place| can_cut(inside, *place))?;
    let end = (last.saturating_sub(REACH)..=last).rev().find(|place| can_cut(inside, *place))?;
    let says_something = inside.get(..start).is_some_and(says_something);
    (says_something && end.saturating_sub(start) > LENGTH).then_some(start..end)
}

/// Whether a cut at this place parts no character and no escape.
fn can_cut(inside: &str, place: usize) -> bool {
    let before = inside.as_bytes().get(place.saturating_sub(ESCAPE)..place).unwrap_or_default();
    inside.is_char_boundary(place) && !before.contains(&b'\\')
}

/// Whether there is a letter or a digit that is no part of an escape: then the string is not blank.
fn says_something(inside: &str) -> bool {
    inside.split('\\').skip(1).any(|run| run.chars().skip(5).any(char::is_alphanumeric))
        || inside.split('\\').next().is_some_and(|run| run.chars().any(char::is_alphanumeric))
}

/// Whether a JSON string, given from its first quote on, begins with a tag, with an escape that may be one, or with so
/// much white space that it may begin in what is cut out.
pub(super) fn is_tagged(quoted: &str) -> bool {
    let inside = quoted.strip_prefix('"').unwrap_or(quoted);
    let mut rest = inside.trim_start();
    while let Some(after) = ["\\n", "\\r", "\\t", "\\f"].iter().find_map(|blank| rest.strip_prefix(*blank)) {
        rest = after.trim_start();
    }
    rest.starts_with('<') || rest.starts_with("\\u") || inside.len().saturating_sub(rest.len()) > BLANK
}

/// Whether a JSON string, given from its first quote on, is data without escapes, or a link whose data, if it has some,
/// begins in what stays of it.
pub(super) fn is_data(quoted: &str) -> bool {
    let inside = quoted.strip_prefix('"').unwrap_or(quoted);
    let plain = inside.find(['"', '\\']).is_some_and(|end| inside.as_bytes().get(end) == Some(&b'"'));
    let head = inside.as_bytes().get(..Ends::LONG.head).unwrap_or(inside.as_bytes());
    plain && (!inside.starts_with("data:") || head.contains(&b','))
}

/// Whether a text has the mark itself, be it spelled out or not.
pub(super) fn is_marked(text: &str) -> bool {
    let bytes = text.as_bytes();
    let escaped = |place: usize| {
        let digits = bytes.get(place.saturating_add(2)..place.saturating_add(6));
        digits.is_some_and(|digits| digits.eq_ignore_ascii_case(b"fdd0"))
    };
    text.contains(MARK) || memmem::find_iter(bytes, "\\u").any(escaped)
}

/// What stands for a middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StandIn {
    /// Which middle it is.
    pub(super) number: u32,
    /// How many bytes the middle has.
    pub(crate) missing: u32,
}

impl StandIn {
    pub(super) fn push_to(self, text: &mut String) {
        let Self { number, missing } = self;
        // Writing to a string does not fail.
        write!(text, "{MARK}{number:0DIGITS$x}{missing:0DIGITS$x}{MARK}").unwrap_or(());
    }

    fn leading(text: &str) -> Option<(Self, &str)> {
        let (number, rest) = text.strip_prefix(MARK)?.split_at_checked(DIGITS)?;
        let (missing, after) = rest.split_at_checked(DIGITS)?;
        let figure = |digits: &str| u32::from_str_radix(digits, 16).ok();
        Some((Self { number: figure(number)?, missing: figure(missing)? }, after.strip_prefix(MARK)?))
    }
}

/// The first stand-in of a text, with what is before it and what is after it.
pub(crate) fn first(text: &str) -> Option<(&str, StandIn, &str)> {
    let mut from = 0_usize;
    loop {
        let place = from.saturating_add(text.get(from..)?.find(MARK)?);
        let (before, rest) = text.split_at_checked(place)?;
        if let Some((stand_in, after)) = StandIn::leading(rest) {
            return Some((before, stand_in, after));
        }
        from = place.saturating_add(MARK.len_utf8());
    }
}

/// How many bytes a text has where nothing of it is missing.
pub(crate) fn whole_length(text: &str) -> usize {
    let (mut length, mut rest) = (text.len(), text);
    while let Some((_, stand_in, after)) = first(rest) {
        let missing = usize::try_from(stand_in.missing).unwrap_or(usize::MAX);
        length = length.saturating_sub(LENGTH).saturating_add(missing);
        rest = after;
    }
    length
}

/// The text with what its stand-ins stand for.
pub(super) fn filled<E>(
    text: &str,
    mut fetch: impl FnMut(StandIn) -> Result<String, E>,
) -> Result<Cow<'_, str>, E> {
    let mut full = String::new();
    let mut rest = text;
    while let Some((before, stand_in, after)) = first(rest) {
        full.push_str(before);
        full.push_str(&fetch(stand_in)?);
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
    use core::convert::Infallible;
    use proptest::prelude::*;

    use super::*;
    use crate::raw::Node;

    #[test]
    fn a_stand_in_is_found_again() {
        let (mut text, put) = (String::from("a\u{fdd0}b"), StandIn { number: 0x1F, missing: 4_000 });
        put.push_to(&mut text);
        assert_eq!(text.len(), "a\u{fdd0}b".len() + LENGTH);
        text.push('c');
        assert_eq!(first(&text), Some(("a\u{fdd0}b", put, "c")));
        assert_eq!(whole_length(&text), "a\u{fdd0}bc".len() + 4_000);
        let filled = filled(&text, |found| Ok::<_, Infallible>(format!("<{}>", found.number)));
        assert_eq!(filled, Ok("a\u{fdd0}b<31>c".into()));
        assert_eq!(first("\u{fdd0}000000000000000g\u{fdd0}\u{fdd0}1\u{fdd0}"), None);
    }

    #[test]
    fn marks_are_seen_in_any_spelling() {
        assert!(is_marked("x\u{fdd0}") && is_marked(r"x\uFdD0") && is_marked(r"\\\ufdd0"));
        assert!(!is_marked(r"x\ufdd1 fdd0") && !is_marked(r"\ufdd"));
    }

    #[test]
    fn tags_are_seen_behind_blanks_and_escapes() {
        assert!([r#""<a>"#, r#"" \n\t <a>"#, r#""\u003ca>"#].into_iter().all(is_tagged));
        assert!(![r#""a <b>"#, r#""\"<b>"#, r#""\\n<"#].into_iter().any(is_tagged));
    }

    #[test]
    fn blank_strings_stay_whole() {
        for blank in [" ", "\\n", "\\u0020", "\\t \\r"] {
            assert_eq!(middle(&blank.repeat(700), Ends::SHORT), None, "{blank}");
        }
        assert!(middle(&format!("\\na{}", "\\n        \\t             ".repeat(90)), Ends::SHORT).is_none());
        assert!(
            middle(&format!("\\nabcdefg{}", "\\n        \\t             ".repeat(90)), Ends::SHORT).is_some()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn a_cut_string_reads_as_the_whole_one(
            inside in r#"([a-z é€😀]{1,9}|\\[n"\\]|\\u00e9|\\ud83d\\ude00){0,200}"#,
            long in any::<bool>(),
        ) {
            let ends = if long { Ends::LONG } else { Ends::SHORT };
            if let Some(middle) = middle(&inside, ends) {
                let read = |inside: &str| {
                    let quoted = format!("\"{inside}\"");
                    Node::parse(&quoted, 0).unwrap().string().unwrap().into_owned()
                };
                prop_assert!(middle.start >= ends.head && middle.end.saturating_add(ends.tail) <= inside.len());
                let (head, rest) = inside.split_at(middle.start);
                let (cut, tail) = rest.split_at(middle.len());
                prop_assert_eq!([head, cut, tail].map(read).concat(), read(&inside));
                prop_assert!(!read(head).trim().is_empty());
            } else {
                prop_assert!(inside.len() < ends.head.saturating_add(ends.tail).saturating_add(LONG).saturating_add(REACH) || inside.contains('\\') || inside.trim().is_empty());
            }
        }
    }
}
