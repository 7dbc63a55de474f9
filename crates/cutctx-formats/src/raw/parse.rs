//! Splitting JSON text into the texts of its parts, by `serde_json`'s raw values.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::node::{Listed, Member, Node};

/// JSON text that cannot be read: where, and whether it just stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} JSON at byte {offset}", if *truncated { "incomplete" } else { "malformed" })]
#[non_exhaustive]
pub struct SyntaxError {
    /// Byte offset in the file at which reading stopped.
    pub offset: usize,
    /// The text ended inside a value.
    pub truncated: bool,
}

pub(super) fn value(text: &str, start: usize) -> Result<Node<'_>, SyntaxError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let raw = <&RawValue>::deserialize(&mut reader).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(placed(raw, text, start))
}

/// The first value of a text and the offset just after it, whatever follows.
pub(super) fn first_value(text: &str, start: usize) -> Option<Node<'_>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let raw = values.next()?.ok()?;
    Some(placed(raw, text, start))
}

pub(super) fn members(text: &str, start: usize) -> Result<Vec<Member<'_>>, SyntaxError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let found =
        reader.deserialize_map(Members { text, start }).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

/// The members of an object as [`members`] gives them, and the elements of the last array under one of `lists`, all in
/// one pass.
pub(super) fn members_and_list<'a>(
    text: &'a str,
    start: usize,
    lists: &[&str],
) -> Result<Listing<'a>, SyntaxError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let visitor = ListingMembers { text, start, lists };
    let found = reader.deserialize_map(visitor).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

/// Members, and the place and the elements of one array among their values.
pub(super) type Listing<'a> = (Vec<Member<'a>>, Option<Listed<'a>>);

pub(super) fn elements(text: &str, start: usize) -> Result<Vec<Node<'_>>, SyntaxError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let found =
        reader.deserialize_seq(Elements { text, start }).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

/// The text of a JSON string, quotes and escapes resolved.
pub(super) fn unescape(quoted: &str) -> Option<String> {
    let plain = unescape_plain(quoted).or_else(|| serde_json::from_str(quoted).ok());
    plain.or_else(|| unescape_lossy(quoted))
}

/// The text of a string whose escapes are all of one character, as those of line ends are.
fn unescape_plain(quoted: &str) -> Option<String> {
    let mut rest = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(rest.len());
    while let Some(place) = rest.find('\\') {
        let (run, escape) = rest.split_at_checked(place)?;
        text.push_str(run);
        text.push(unescaped(*escape.as_bytes().get(1)?)?);
        rest = escape.get(2..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// What a backslash and this byte stand for; `None` for those that need more than one byte.
const fn unescaped(byte: u8) -> Option<char> {
    Some(match byte {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        _ => return None,
    })
}

/// Read as bytes `serde_json` lets half surrogate pairs through.
fn unescape_lossy(quoted: &str) -> Option<String> {
    let mut reader = serde_json::Deserializer::from_str(quoted);
    let bytes = reader.deserialize_bytes(Bytes).ok()?;
    Some(repaired(&bytes))
}

/// Each half pair is three bytes that are no UTF-8; one U+FFFD stands for the three.
fn repaired(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().first() == Some(&0xED) {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

pub(super) fn placed<'a>(raw: &'a RawValue, text: &'a str, start: usize) -> Node<'a> {
    let inside = raw.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    Node::trusted(raw.get(), start.saturating_add(inside))
}

pub(super) fn located(error: &serde_json::Error, text: &str, start: usize) -> SyntaxError {
    let inside = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .fold(error.column().saturating_sub(1), usize::saturating_add);
    SyntaxError { offset: start.saturating_add(inside.min(text.len())), truncated: error.is_eof() }
}

struct Members<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Visitor<'a> for Members<'a> {
    type Value = Vec<Member<'a>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some((key, value)) = map.next_entry::<&'a RawValue, &'a RawValue>()? {
            let key = placed(key, self.text, self.start);
            found.push(Member::new(key, placed(value, self.text, self.start)));
        }
        Ok(found)
    }
}

struct ListingMembers<'a, 'k> {
    text: &'a str,
    start: usize,
    lists: &'k [&'k str],
}

impl<'a> Visitor<'a> for ListingMembers<'a, '_> {
    type Value = Listing<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        let mut list = None;
        while let Some(key) = map.next_key::<&'a RawValue>()? {
            let key = placed(key, self.text, self.start);
            let opening = self.opening_bracket(key);
            let value = if let Some(bracket) = opening {
                let elements = map.next_value_seed(Elements { text: self.text, start: self.start })?;
                let array = self.array(bracket, &elements);
                list = Some((array, elements));
                array
            } else {
                placed(map.next_value::<&'a RawValue>()?, self.text, self.start)
            };
            found.push(Member::new(key, value));
        }
        Ok((found, list))
    }
}

impl<'a> ListingMembers<'a, '_> {
    /// The offset in the text of the bracket that opens the value of a key of interest.
    fn opening_bracket(&self, key: Node<'_>) -> Option<usize> {
        self.lists.iter().find(|list| key.is_string(list))?;
        let after_key = key.end().saturating_sub(self.start);
        let value = self.text.get(after_key..)?.trim_start().strip_prefix(':')?.trim_start();
        value.starts_with('[').then(|| self.text.len().saturating_sub(value.len()))
    }

    /// The array that opens at `bracket` and holds these elements.
    fn array(&self, bracket: usize, elements: &[Node<'_>]) -> Node<'a> {
        let inside =
            elements.last().map_or(bracket.saturating_add(1), |last| last.end().saturating_sub(self.start));
        let rest = self.text.get(inside..).unwrap_or_default();
        let blank = rest.len().saturating_sub(rest.trim_start().len());
        let end = inside.saturating_add(blank).saturating_add(1);
        Node::trusted(self.text.get(bracket..end).unwrap_or_default(), self.start.saturating_add(bracket))
    }
}

struct Elements<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Visitor<'a> for Elements<'a> {
    type Value = Vec<Node<'a>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(value) = seq.next_element::<&'a RawValue>()? {
            found.push(placed(value, self.text, self.start));
        }
        Ok(found)
    }
}

impl<'a> DeserializeSeed<'a> for Elements<'a> {
    type Value = Vec<Node<'a>>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(bytes.to_vec())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.as_bytes().to_vec())
    }
}
