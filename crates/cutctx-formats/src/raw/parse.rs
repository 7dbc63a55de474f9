//! Splitting JSON text into the texts of its parts, by `serde_json`'s raw values.

use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::node::{Kind, Listed, Member, Node};
use super::{check, walk};

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
    if let Some(node) = check::value(text, start) {
        return Ok(node);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let raw = <&RawValue>::deserialize(&mut reader).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(placed(raw, text, start))
}

/// The first value of a text and the offset just after it, whatever follows.
pub(super) fn first_value(text: &str, start: usize) -> Option<Node<'_>> {
    if let Some(node) = check::leading(text, start) {
        return Some(node);
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let raw = values.next()?.ok()?;
    Some(placed(raw, text, start))
}

pub(super) fn members(text: &str, start: usize) -> Result<Vec<Member<'_>>, SyntaxError> {
    if let Some(members) = known(text, start, Kind::Object).and_then(|node| walk::members(&node)) {
        return Ok(members);
    }
    parsed_members(text, start)
}

/// The value that a text is, where it is of this kind and nothing is wrong with it.
pub(super) fn known(text: &str, start: usize, kind: Kind) -> Option<Node<'_>> {
    check::value(text, start).filter(|node| node.kind() == kind)
}

pub(super) fn parsed_members(text: &str, start: usize) -> Result<Vec<Member<'_>>, SyntaxError> {
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
    if let Some(listing) = known(text, start, Kind::Object).and_then(|node| known_listing(&node, lists)) {
        return Ok(listing);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let visitor = ListingMembers { text, start, lists };
    let found = reader.deserialize_map(visitor).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

fn known_listing<'a>(node: &Node<'a>, lists: &[&str]) -> Option<Listing<'a>> {
    let members = walk::members(node)?;
    let is_listed = |member: &&Member<'a>| {
        member.value.kind() == Kind::Array && lists.iter().any(|list| member.key.is_string(list))
    };
    let list = members.iter().rev().find(is_listed).map(|member| member.value);
    let list = match list {
        Some(array) => Some((array, walk::elements(&array)?)),
        None => None,
    };
    Some((members, list))
}

/// Members, and the place and the elements of one array among their values.
pub(super) type Listing<'a> = (Vec<Member<'a>>, Option<Listed<'a>>);

pub(super) fn elements(text: &str, start: usize) -> Result<Vec<Node<'_>>, SyntaxError> {
    if let Some(elements) = known(text, start, Kind::Array).and_then(|node| walk::elements(&node)) {
        return Ok(elements);
    }
    parsed_elements(text, start)
}

pub(super) fn parsed_elements(text: &str, start: usize) -> Result<Vec<Node<'_>>, SyntaxError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let found =
        reader.deserialize_seq(Elements { text, start }).map_err(|error| located(&error, text, start))?;
    reader.end().map_err(|error| located(&error, text, start))?;
    Ok(found)
}

pub(super) fn placed<'a>(raw: &'a RawValue, text: &'a str, start: usize) -> Node<'a> {
    let inside = raw.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    Node::checked(raw.get(), start.saturating_add(inside), false)
}

/// As [`placed`], of a key: whether something in it is escaped is found out once.
pub(super) fn placed_key<'a>(raw: &'a RawValue, text: &'a str, start: usize) -> Node<'a> {
    let node = placed(raw, text, start);
    Node::checked(node.text(), node.start(), !node.text().contains('\\'))
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
            let key = placed_key(key, self.text, self.start);
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
            let key = placed_key(key, self.text, self.start);
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
        Node::checked(
            self.text.get(bracket..end).unwrap_or_default(),
            self.start.saturating_add(bracket),
            false,
        )
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
