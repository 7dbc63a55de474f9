//! Whether a text is JSON: fast, and without a word about what is wrong with one that is not.
//!
//! What is accepted here is what `serde_json` accepts. What is not, such as a text nested very deep, is for the parser to
//! judge, which also says where a fault is.

use super::ends::{DEEPEST, Noting};
use super::node::Node;
use super::walk::{end_of_string, less, matches, words};

/// The one value that a text is, with white space around it.
pub(super) fn value(text: &str, start: usize) -> Option<Node<'_>> {
    noted_value(text, start, &mut Noting::nothing())
}

/// As [`value`], noting where the objects and arrays in it end.
pub(super) fn noted_value<'a>(text: &'a str, start: usize, noting: &mut Noting<'_>) -> Option<Node<'a>> {
    let bytes = text.as_bytes();
    let opening = blank(bytes, 0);
    let end = value_end(bytes, opening, noting)?;
    let whole = blank(bytes, end) == bytes.len();
    let value = text.get(opening..end).filter(|_| whole)?;
    Some(Node::checked(value, start.saturating_add(opening), false))
}

/// The object, the array or the string that a text begins with, whatever follows.
pub(super) fn leading(text: &str, start: usize) -> Option<Node<'_>> {
    let bytes = text.as_bytes();
    let opening = blank(bytes, 0);
    bytes.get(opening).filter(|byte| matches!(byte, b'{' | b'[' | b'"'))?;
    let end = value_end(bytes, opening, &mut Noting::nothing())?;
    Some(Node::checked(text.get(opening..end)?, start.saturating_add(opening), false))
}

/// The objects and arrays that are open, the innermost one in the lowest bit: set for an object.
#[derive(Default)]
struct Open {
    objects: u64,
    depth: usize,
}

impl Open {
    fn push(&mut self, object: bool) -> Option<()> {
        self.objects = self.objects.wrapping_shl(1) | u64::from(object);
        self.depth = self.depth.saturating_add(1);
        (self.depth <= DEEPEST).then_some(())
    }

    const fn pop(&mut self) {
        self.objects = self.objects.wrapping_shr(1);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether the innermost one is an object; `None` where nothing is open.
    fn is_object(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.objects & 1 == 1)
    }
}

/// The place behind the value that begins here.
fn value_end(bytes: &[u8], opening: usize, noting: &mut Noting<'_>) -> Option<usize> {
    let mut open = Open::default();
    let mut place = opening;
    loop {
        place = match *bytes.get(place)? {
            b'"' => string_end(bytes, place)?,
            mark @ (b'{' | b'[') => {
                let inside = blank(bytes, next(place));
                if closes(*bytes.get(inside)?, mark == b'{') {
                    next(inside)
                } else {
                    open.push(mark == b'{')?;
                    noting.opens(place);
                    place = if mark == b'{' { value_of_member(bytes, inside)? } else { inside };
                    continue;
                }
            }
            _ => scalar_end(bytes, place)?,
        };
        match following(bytes, place, &mut open, noting)? {
            (end, false) => return Some(end),
            (value, true) => place = value,
        }
    }
}

/// Closes what is closed behind a value. The place of the next value, or the end where nothing is open any more.
fn following(bytes: &[u8], behind: usize, open: &mut Open, noting: &mut Noting<'_>) -> Option<(usize, bool)> {
    let mut place = behind;
    while let Some(object) = open.is_object() {
        place = blank(bytes, place);
        let byte = *bytes.get(place)?;
        place = next(place);
        if byte == b',' {
            let token = blank(bytes, place);
            return Some((if object { value_of_member(bytes, token)? } else { token }, true));
        }
        if !closes(byte, object) {
            return None;
        }
        open.pop();
        noting.closes(place);
    }
    Some((place, false))
}

const fn closes(byte: u8, object: bool) -> bool {
    byte == if object { b'}' } else { b']' }
}

/// The place of the value of the member whose key opens here.
fn value_of_member(bytes: &[u8], key: usize) -> Option<usize> {
    bytes.get(key).filter(|byte| **byte == b'"')?;
    let colon = blank(bytes, string_end(bytes, key)?);
    bytes.get(colon).filter(|byte| **byte == b':')?;
    Some(blank(bytes, next(colon)))
}

/// The place behind the string that opens here.
fn string_end(bytes: &[u8], opening: usize) -> Option<usize> {
    let inside = bytes.get(next(opening)..)?;
    let ends = |word: u64| matches(word, b'"') | matches(word, b'\\') | less(word, b' ');
    let short = words(inside, ends).filter(|end| inside.get(*end) == Some(&b'"'));
    if let Some(end) = short {
        return Some(next(opening).saturating_add(next(end)));
    }
    let end = end_of_string(inside)?;
    let said = inside.get(..end)?;
    (has_no_controls(said) && escapes_are_sound(said)).then(|| next(opening).saturating_add(next(end)))
}

fn has_no_controls(text: &[u8]) -> bool {
    let (blocks, rest) = text.as_chunks::<32>();
    // Without a branch it becomes a few wide instructions.
    let controls = |bytes: &[u8]| bytes.iter().fold(0, |any, byte| any | u8::from(*byte < b' ')) != 0;
    blocks.iter().all(|block| !controls(block)) && !controls(rest)
}

fn escapes_are_sound(text: &[u8]) -> bool {
    let mut rest = text;
    let near = |rest: &[u8]| words(rest, |word| matches(word, b'\\'));
    while let Some(place) = near(rest).or_else(|| memchr::memchr(b'\\', rest)) {
        let escape = rest.get(next(place)..).unwrap_or_default();
        let length = match escape.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 1,
            Some(b'u') if escape.get(1..5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => {
                5
            }
            _ => return false,
        };
        rest = escape.get(length..).unwrap_or_default();
    }
    true
}

/// The place behind the number or the word that begins here.
fn scalar_end(bytes: &[u8], opening: usize) -> Option<usize> {
    let rest = bytes.get(opening..)?;
    for word in [b"true".as_slice(), b"false", b"null"] {
        if rest.starts_with(word) {
            return Some(opening.saturating_add(word.len()));
        }
    }
    number_end(bytes, opening)
}

fn number_end(bytes: &[u8], opening: usize) -> Option<usize> {
    let is = |place: usize, wanted: &[u8]| bytes.get(place).is_some_and(|byte| wanted.contains(byte));
    let first = if is(opening, b"-") { next(opening) } else { opening };
    let mut end = if is(first, b"0") { next(first) } else { digits(bytes, first)? };
    if is(end, b".") {
        end = digits(bytes, next(end))?;
    }
    if is(end, b"eE") {
        let power = next(end);
        end = digits(bytes, if is(power, b"+-") { next(power) } else { power })?;
    }
    Some(end)
}

/// The place behind at least one digit.
fn digits(bytes: &[u8], place: usize) -> Option<usize> {
    let count = bytes.get(place..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then(|| place.saturating_add(count))
}

/// The first place from this one on that is no white space.
fn blank(bytes: &[u8], from: usize) -> usize {
    let mut place = from;
    while matches!(bytes.get(place), Some(b' ' | b'\n' | b'\t' | b'\r')) {
        place = next(place);
    }
    place
}

const fn next(place: usize) -> usize {
    place.saturating_add(1)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    /// What `serde_json` makes of a text.
    fn parsed(text: &str) -> Option<String> {
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Some(String::from(raw.get()))
    }

    fn ours(text: &str) -> Option<String> {
        value(text, 0).map(|node| String::from(node.text()))
    }

    #[test]
    fn the_same_texts_are_accepted() {
        let long = "x".repeat(70);
        for text in [
            "{}",
            "[]",
            " { } ",
            "[1]",
            "[1,]",
            "[,1]",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "{1:2}",
            "[1 2]",
            "]",
            "}",
            "[}",
            "{]",
            "",
            " ",
            "01",
            "-",
            "-0",
            "-01",
            "1.",
            "1.5",
            ".5",
            "1e",
            "1e+",
            "1E-7",
            "1e5",
            "tru",
            "true",
            "truex",
            "nullnull",
            "false ",
            "\"",
            "\"a",
            "\"\\\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12G4\"",
            "\"\\uD83D\"",
            "\"\t\"",
            "\"\u{7f}\"",
            "[\"\\\\\"]",
            "{\"a\":[{\"b\":[]}],\"c\":\"}\"}",
            "1 2",
            "[[]",
            "[]]",
        ] {
            assert_eq!(ours(text), parsed(text), "{text}");
        }
        for inside in ["\\n", "\n", "\u{1f}", "\\q", "\\u00e9", "é", "\\\"", "\\\\"] {
            let text = format!("\"{long}{inside}{long}\"");
            assert_eq!(ours(&text), parsed(&text), "{inside:?}");
        }
    }

    #[test]
    fn what_is_nested_deep_is_left_to_the_parser() {
        let nested = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
        assert!(ours(&nested(65)).is_some() && ours(&nested(66)).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_024))]

        #[test]
        fn any_text_is_judged_as_by_the_parser(
            text in r#"([{}\[\],: ]|"a"|"b":|"\\n"|1|-2\.5|true|null|\\|"|é){0,14}"#,
        ) {
            prop_assert_eq!(ours(&text), parsed(&text));
        }

        #[test]
        fn any_string_is_judged_as_by_the_parser(text in r#"([a-z]{1,30}|\\[nubx"\\]|\\u00[0-9a-g]{2}|[\t\n]|é|"){0,8}"#) {
            let text = format!("\"{text}\"");
            prop_assert_eq!(ours(&text), parsed(&text));
        }
    }
}
