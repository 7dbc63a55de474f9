//! Passing over JSON that a parser has accepted before: the ends of values are found, and nothing is checked again.
//!
//! A text that is no JSON after all gives `None` or a wrong end inside of the text, never a panic.

use alloc::vec::Vec;

use super::node::{Member, Node, Object};
use super::splices::Span;

/// The members that an object has room for before it grows.
const ROOM: usize = 8;

/// How many bytes of a string are looked at one word after the other, before the search that is made for long ones.
const WORDS: usize = 3;

/// Every byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of every byte of a word.
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The members of the object that a node is.
pub(super) fn members<'a>(node: &Node<'a>) -> Option<Vec<Member<'a>>> {
    Walk::into(node).members()
}

/// The elements of the array that a node is.
pub(super) fn elements<'a>(node: &Node<'a>) -> Option<Vec<Node<'a>>> {
    let mut walk = Walk::into(node);
    let mut found = Vec::new();
    while walk.next_of(b']')? {
        found.push(walk.value()?);
    }
    Some(found)
}

/// The elements of the array that a node is, taken apart; what is no object is `None`.
pub(super) fn objects<'a>(node: &Node<'a>) -> Option<Vec<Option<Object<'a>>>> {
    let mut walk = Walk::into(node);
    let mut found = Vec::new();
    while walk.next_of(b']')? {
        let object = if walk.byte()? == b'{' { Some(walk.object()?) } else { None };
        if object.is_none() {
            walk.value()?;
        }
        found.push(object);
    }
    Some(found)
}

/// A place in a text.
struct Walk<'a> {
    node: Node<'a>,
    place: usize,
}

impl<'a> Walk<'a> {
    /// Behind the opening bracket of a node.
    const fn into(node: &Node<'a>) -> Self {
        Self { node: *node, place: 1 }
    }

    /// Whether another member or element follows, which then is the next token; behind the closing mark otherwise.
    fn next_of(&mut self, closing: u8) -> Option<bool> {
        let mut byte = self.token()?;
        if byte == b',' {
            self.step();
            byte = self.token()?;
        }
        let closes = byte == closing;
        if closes {
            self.step();
        }
        Some(!closes)
    }

    fn members(&mut self) -> Option<Vec<Member<'a>>> {
        let mut found = Vec::with_capacity(ROOM);
        while self.next_of(b'}')? {
            let key = self.value()?;
            if self.token()? != b':' {
                return None;
            }
            self.step();
            self.token()?;
            found.push(Member::new(key, self.value()?));
        }
        Some(found)
    }

    /// The object that opens here.
    fn object(&mut self) -> Option<Object<'a>> {
        let opening = self.place;
        self.step();
        let members = self.members()?;
        let place = |inside: usize| self.node.start().saturating_add(inside);
        Some(Object::new(Span { start: place(opening), end: place(self.place) }, members))
    }

    /// The value that begins here.
    fn value(&mut self) -> Option<Node<'a>> {
        let (bytes, opening) = (self.node.text().as_bytes(), self.place);
        let (end, plain) = match self.byte()? {
            b'"' => string_end(bytes, opening)?,
            b'{' | b'[' => (self.node.noted_end(opening).or_else(|| container_end(bytes, opening))?, false),
            _ => (scalar_end(bytes, opening), false),
        };
        let text = self.node.text().get(opening..end).filter(|text| !text.is_empty())?;
        self.place = end;
        Some(self.node.child(text, opening, plain))
    }

    fn byte(&self) -> Option<u8> {
        self.node.text().as_bytes().get(self.place).copied()
    }

    /// The first byte at or behind this place that is no white space; the place becomes its.
    fn token(&mut self) -> Option<u8> {
        loop {
            let byte = self.byte()?;
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.step();
        }
    }

    const fn step(&mut self) {
        self.place = self.place.saturating_add(1);
    }
}

/// The place behind the string that opens here, and whether nothing in it is escaped.
pub(crate) fn string_end(bytes: &[u8], opening: usize) -> Option<(usize, bool)> {
    let behind = |end: usize| opening.saturating_add(2).saturating_add(end);
    let inside = bytes.get(opening.saturating_add(1)..)?;
    let ends = |word: u64| matches(word, b'"') | matches(word, b'\\');
    let first = words(inside, ends).or_else(|| memchr::memchr2(b'"', b'\\', inside))?;
    if inside.get(first) == Some(&b'"') {
        return Some((behind(first), true));
    }
    let end = end_of_string(inside.get(first..)?)?;
    Some((behind(first.saturating_add(end)), false))
}

/// The first of the bytes that are looked for, if it stands in the first words of a text.
#[inline]
pub(super) fn words(bytes: &[u8], hits: impl Fn(u64) -> u64) -> Option<usize> {
    let mut rest = bytes;
    for word in 0..WORDS {
        let (chunk, after) = rest.split_first_chunk::<8>()?;
        let hits = hits(u64::from_le_bytes(*chunk));
        if hits != 0 {
            let byte = usize::try_from(hits.trailing_zeros()).ok()?.wrapping_shr(3);
            return Some(word.wrapping_shl(3).saturating_add(byte));
        }
        rest = after;
    }
    None
}

/// How far the quote is that ends a string, given from behind its first quote on: the first one with an even number of
/// backslashes before it.
pub(super) fn end_of_string(inside: &[u8]) -> Option<usize> {
    let (mut from, mut escaped_to) = (0_usize, 0_usize);
    loop {
        let quote = from.saturating_add(memchr::memchr(b'"', inside.get(from..)?)?);
        let before = inside.get(escaped_to..quote)?;
        if before.last() != Some(&b'\\') {
            return Some(quote);
        }
        let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes.is_multiple_of(2) {
            return Some(quote);
        }
        from = quote.saturating_add(1);
        escaped_to = from;
    }
}

/// The highest bit of each byte of a word that is this one. Bits above the lowest one may be wrong.
pub(super) const fn matches(word: u64, byte: u8) -> u64 {
    less(word ^ ONES.wrapping_mul(byte as u64), 1)
}

/// The highest bit of each byte of a word that is less than this one, which is 128 at most. Bits above the lowest one may
/// be wrong.
pub(super) const fn less(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(ONES.wrapping_mul(byte as u64)) & !word & HIGHS
}

/// The place behind the object or the array that opens here.
fn container_end(bytes: &[u8], opening: usize) -> Option<usize> {
    let (mut place, mut depth) = (opening, 0_usize);
    loop {
        match *bytes.get(place)? {
            b'"' => {
                place = string_end(bytes, place)?.0;
                continue;
            }
            b'{' | b'[' => depth = depth.saturating_add(1),
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        place = place.saturating_add(1);
        if depth == 0 {
            return Some(place);
        }
    }
}

/// The place behind the number or the word that begins here.
fn scalar_end(bytes: &[u8], opening: usize) -> usize {
    let rest = bytes.get(opening..).unwrap_or_default();
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\t' | b'\r');
    opening.saturating_add(rest.iter().position(ends).unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use alloc::borrow::Cow;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    use super::super::parse;
    use super::*;

    fn shown(node: &Node<'_>) -> String {
        format!("{:?} {}", node.span(), node.text())
    }

    fn shown_members(members: &[Member<'_>]) -> Vec<[String; 2]> {
        members.iter().map(|member| [shown(&member.key), shown(&member.value)]).collect()
    }

    /// What is found, and what the parser finds, in a value and in all that it holds.
    fn check(text: &str, start: usize) {
        let node = parse::value(text, start).unwrap();
        let plain = node.text().starts_with('"') && !node.text().contains('\\');
        assert_eq!(node.string().is_some(), node.text().starts_with('"'));
        if node.text().starts_with('{') {
            let (slow, fast) = (parse::parsed_members(text, start).unwrap(), members(&node).unwrap());
            assert_eq!(shown_members(&fast), shown_members(&slow));
            for value in fast.iter().flat_map(|member| [member.key, member.value]) {
                let read: Option<String> = serde_json::from_str(value.text()).ok();
                assert_eq!(value.string().map(Cow::into_owned), read);
                check(value.text(), value.start());
            }
        } else if node.text().starts_with('[') {
            let (slow, fast) = (parse::parsed_elements(text, start).unwrap(), elements(&node).unwrap());
            assert_eq!(
                fast.iter().map(shown).collect::<Vec<_>>(),
                slow.iter().map(shown).collect::<Vec<_>>()
            );
            let taken: Vec<_> =
                objects(&node).unwrap().iter().map(|object| of_object(object.as_ref())).collect();
            let one_by_one: Vec<_> =
                fast.iter().map(|node| of_object(node.object().unwrap().as_ref())).collect();
            assert_eq!(taken, one_by_one);
            for value in &fast {
                check(value.text(), value.start());
            }
        }
        assert!(!plain || matches!(node.string(), Some(Cow::Borrowed(_))));
    }

    fn of_object(object: Option<&Object<'_>>) -> Option<(Span, Vec<[String; 2]>)> {
        object.map(|object| (object.span(), shown_members(object.members())))
    }

    fn json() -> impl Strategy<Value = String> {
        let string = r#""([a-zé😀{}\[\],: ]{0,40}|\\[nrtbf/"\\]|\\u00e9|\\ud83d\\ude00){0,6}""#;
        let blank = "[ \n\t\r]{0,2}";
        let leaf = prop_oneof!["-?(0|[1-9][0-9]{0,4})(\\.[0-9]{1,3})?", "true|false|null", string];
        leaf.prop_recursive(4, 40, 5, move |inner| {
            let element = (blank, inner, blank).prop_map(|(before, value, after)| before + &value + &after);
            let member = (blank, string, blank, element.clone())
                .prop_map(|(before, key, after, value)| before + &key + &after + ":" + &value);
            prop_oneof![
                prop::collection::vec(element, 0..5).prop_map(|all| format!("[{}]", all.join(","))),
                prop::collection::vec(member, 0..5).prop_map(|all| format!("{{{}}}", all.join(","))),
            ]
        })
    }

    #[test]
    fn empty_and_blank_containers_are_passed_over() {
        for text in ["{}", "[]", "{ }", "[ \n ]", r#"{"":""}"#, r#"{"a\"}":[{}],"b":"\\"}"#, "[[],{},[{}]]"] {
            check(text, 7);
        }
    }

    #[test]
    fn what_is_no_json_gives_nothing() {
        for text in ["{", "[", "[1", "{\"a", "{\"a\"", "{\"a\":", "{\"a\" 1}", "[\"\\", "[{\"a\":1]", "[,,]"]
        {
            let node = Node::trusted(text, 0);
            assert!(members(&node).is_none() && objects(&node).is_none(), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn the_same_is_found_as_by_a_parser(text in json(), start in 0..9_usize) {
            check(&text, start);
        }

        #[test]
        fn any_text_is_survived(text in r#"[{}\[\],:"\\a1 ]{0,20}"#) {
            let node = Node::trusted(&text, 3);
            drop((members(&node), elements(&node), objects(&node)));
        }

        #[test]
        fn the_end_of_a_string_is_found_wherever_it_is(
            run in r#"([a-zé😀]{1,30}|\\["\\n]){0,6}"#,
            tail in "[a-z\"\\\\]{0,20}",
        ) {
            let text = format!("\"{run}\"{tail}");
            let end = run.len().saturating_add(2);
            prop_assert_eq!(string_end(text.as_bytes(), 0), Some((end, !run.contains('\\'))));
            prop_assert_eq!(string_end(format!("\"{run}").as_bytes(), 0), None);
        }
    }
}
