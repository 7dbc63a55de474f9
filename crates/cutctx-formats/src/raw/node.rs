//! A JSON value as a stretch of the file, and the members of an object.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use super::memo::{LARGE, Memo};
use super::parse::{self, SyntaxError};
use super::splices::Span;
use super::unescape::unescape;
use super::{nested, walk};
use crate::source::whole_length;

/// What sort of JSON value a [`Node`] is, by its first character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "JSON has these six kinds of value and no others")]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number in any spelling.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

/// One JSON value: its text and the byte offset in the file at which the text starts.
///
/// `Debug` shows the place only, never the text.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    text: &'a str,
    start: usize,
    known: Known,
    memo: Option<&'a Memo>,
}

/// What is known of a node's text from an earlier look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing: a parser looks at it when it is opened.
    Nothing,
    /// It is one JSON value: opening it only finds the ends of what is in it.
    Valid,
    /// It is a string in which nothing is escaped.
    Plain,
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({:?}, {:?})", self.kind(), self.span())
    }
}

impl<'a> Node<'a> {
    /// Checks that `text` is exactly one JSON value (white space around it is left out of the node).
    /// `start` is the offset of `text` in the file.
    ///
    /// # Errors
    ///
    /// When the text is cut short, malformed, or goes on after its first value.
    pub fn parse(text: &'a str, start: usize) -> Result<Self, SyntaxError> {
        parse::value(text, start)
    }

    /// A node over text that is known to be one JSON value, such as a span that an earlier read has recorded.
    /// Nothing is checked here; a wrong text shows as an error when the node is opened.
    #[must_use]
    pub const fn trusted(text: &'a str, start: usize) -> Self {
        Self { text, start, known: Known::Nothing, memo: None }
    }

    /// A node over text that a parser has accepted as one JSON value; `plain` where it is a string in which nothing is
    /// escaped.
    pub(crate) const fn checked(text: &'a str, start: usize, plain: bool) -> Self {
        Self { text, start, known: if plain { Known::Plain } else { Known::Valid }, memo: None }
    }

    /// A value within this one, `inside` bytes behind its beginning.
    pub(super) const fn child(&self, text: &'a str, inside: usize, plain: bool) -> Self {
        let mut child = Self::checked(text, self.start.saturating_add(inside), plain);
        child.memo = self.memo;
        child
    }

    /// The same, of which all that is large in it is gone through once. It must have been checked.
    pub(crate) const fn remembered_in(mut self, memo: &'a Memo) -> Self {
        self.memo = Some(memo);
        self
    }

    /// Where the object or the array ends that opens `inside` bytes behind the beginning of this value, if it was noted.
    pub(super) fn noted_end(&self, inside: usize) -> Option<usize> {
        let end = self.memo?.end_of(self.start.saturating_add(inside))?.checked_sub(self.start)?;
        (end <= self.text.len()).then_some(end)
    }

    /// Whether it is known to be a string in which nothing is escaped.
    pub(super) fn is_plain(&self) -> bool {
        self.known == Known::Plain
    }

    /// The value that `text` begins with, whatever follows it; `None` when it begins with none.
    #[must_use]
    pub fn leading(text: &'a str, start: usize) -> Option<Self> {
        parse::first_value(text, start)
    }

    /// The value's text as it stands in the file.
    #[must_use]
    #[inline]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The byte offset of the first character.
    #[must_use]
    #[inline]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The byte offset just after the last character.
    #[must_use]
    #[inline]
    pub const fn end(&self) -> usize {
        self.start.saturating_add(self.text.len())
    }

    /// The bytes of the file that the value occupies.
    #[must_use]
    #[inline]
    pub const fn span(&self) -> Span {
        Span { start: self.start, end: self.end() }
    }

    /// How many bytes the value has in the file. Of a large file that is held in part this may be more than the text has.
    #[must_use]
    pub fn length_in_file(&self) -> usize {
        whole_length(self.text)
    }

    /// The kind of value.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.text.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// Whether the value is `null`.
    #[must_use]
    #[inline]
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether the value is `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.text == "true"
    }

    /// The text of a string value, unescaped; `None` for other kinds. Borrowed when nothing is escaped. Half a
    /// surrogate pair, which tools that cut text by UTF-16 units leave behind, becomes U+FFFD.
    #[must_use]
    pub fn string(&self) -> Option<Cow<'a, str>> {
        let inner = self.text.strip_prefix('"')?.strip_suffix('"')?;
        if self.is_escaped() { unescape(self.text).map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
    }

    #[inline]
    fn is_escaped(&self) -> bool {
        !self.is_plain() && memchr::memchr(b'\\', self.text.as_bytes()).is_some()
    }

    /// Whether the value is the string `expected`.
    #[must_use]
    #[inline]
    pub fn is_string(&self, expected: &str) -> bool {
        let quoted = expected.len().saturating_add(2);
        match self.text.len().cmp(&quoted) {
            Ordering::Less => false,
            Ordering::Equal => self.says_plainly(expected),
            // An escaped text is longer than what it says.
            Ordering::Greater => self.is_escaped() && self.string().is_some_and(|text| text == expected),
        }
    }

    /// Whether it is a string of just these characters, none of which is escaped.
    fn says_plainly(&self, expected: &str) -> bool {
        let inner = self.text.as_bytes().strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
        inner == Some(expected.as_bytes()) && !expected.contains('\\')
    }

    /// A whole number of tokens or the like; `None` for anything else, or beyond 64 bits.
    #[must_use]
    pub fn unsigned(&self) -> Option<u64> {
        self.text.parse().ok()
    }

    /// The members of an object; `None` for other kinds.
    ///
    /// # Errors
    ///
    /// When the text is not valid JSON, which cannot happen for a node that came out of a parsed document.
    pub fn object(&self) -> Result<Option<Object<'a>>, SyntaxError> {
        if self.kind() != Kind::Object {
            return Ok(None);
        }
        match self.known_members() {
            Some(members) => Ok(Some(Object::new(self.span(), members))),
            None => Object::parse(self.text, self.start).map(Some),
        }
    }

    /// The elements of an array; `None` for other kinds.
    ///
    /// # Errors
    ///
    /// As [`Node::object`].
    pub fn array(&self) -> Result<Option<Vec<Self>>, SyntaxError> {
        if self.kind() != Kind::Array {
            return Ok(None);
        }
        self.known_elements().map_or_else(|| parse::elements(self.text, self.start), Ok).map(Some)
    }

    /// The elements of an array, taken apart in the same pass; an element that is no object is `None`. `None` for
    /// other kinds.
    ///
    /// # Errors
    ///
    /// As [`Node::object`].
    pub fn objects(&self) -> Result<Option<Vec<Option<Object<'a>>>>, SyntaxError> {
        if self.kind() != Kind::Array {
            return Ok(None);
        }
        self.known_objects().map_or_else(|| nested::objects(self.text, self.start), Ok).map(Some)
    }

    /// The members of an object whose text has been checked.
    fn known_members(&self) -> Option<Vec<Member<'a>>> {
        self.is_checked()?;
        let Some(memo) = self.large_in() else { return walk::members(self) };
        memo.members(self).or_else(|| {
            let members = walk::members(self)?;
            memo.keep_members(self, &members);
            Some(members)
        })
    }

    /// The elements of an array whose text has been checked.
    fn known_elements(&self) -> Option<Vec<Self>> {
        self.is_checked()?;
        let Some(memo) = self.large_in() else { return walk::elements(self) };
        memo.children(self).or_else(|| {
            let elements = walk::elements(self)?;
            memo.keep(self, &elements);
            Some(elements)
        })
    }

    fn known_objects(&self) -> Option<Vec<Option<Object<'a>>>> {
        self.is_checked()?;
        match self.large_in() {
            None => walk::objects(self),
            Some(_) => self.known_elements()?.iter().map(|element| element.object().ok()).collect(),
        }
    }

    fn is_checked(&self) -> Option<()> {
        (self.known != Known::Nothing).then_some(())
    }

    /// Where it is remembered what this value holds, if it is large.
    fn large_in(&self) -> Option<&'a Memo> {
        self.memo.filter(|memo| self.text.len() >= LARGE && memo.keeps())
    }
}

/// A key with its value, both as they stand in the file.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Member<'a> {
    /// The key with its quotes.
    pub key: Node<'a>,
    /// The value.
    pub value: Node<'a>,
}

/// An array and its elements.
pub type Listed<'a> = (Node<'a>, Vec<Node<'a>>);

/// An object and the object under one of its keys.
pub type Nested<'a> = (Object<'a>, Option<Object<'a>>);

/// An object: where it stands and its members in file order, repeated keys included.
#[derive(Debug, Clone, Default)]
pub struct Object<'a> {
    span: Span,
    members: Vec<Member<'a>>,
}

impl<'a> Object<'a> {
    /// Reads the members of the one object that `text` is.
    ///
    /// # Errors
    ///
    /// When the text is not one JSON object.
    pub fn parse(text: &'a str, start: usize) -> Result<Self, SyntaxError> {
        let members = parse::members(text, start)?;
        Ok(Self { span: trimmed_span(text, start), members })
    }

    /// As [`Object::parse`]; in the same pass it takes the last array under one of the keys `lists` apart.
    ///
    /// # Errors
    ///
    /// As [`Object::parse`].
    pub fn parse_with_list(
        text: &'a str,
        start: usize,
        lists: &[&str],
    ) -> Result<(Self, Option<Listed<'a>>), SyntaxError> {
        let (members, list) = parse::members_and_list(text, start, lists)?;
        Ok((Self { span: trimmed_span(text, start), members }, list))
    }

    /// As [`Object::parse`]; in the same pass it takes the object under the key `inner` apart. The key is compared as
    /// JSON text, with its quotes; of a repeated key the last value counts.
    ///
    /// # Errors
    ///
    /// As [`Object::parse`].
    pub fn parse_with_inner(text: &'a str, start: usize, inner: &str) -> Result<Nested<'a>, SyntaxError> {
        let Ok((members, inner)) = nested::members_and_inner(text, start, inner) else {
            return Self::parse_then_inner(text, start, inner);
        };
        Ok((Self { span: trimmed_span(text, start), members }, inner))
    }

    /// In two passes, so that an error inside of the inner object is placed as any other one.
    fn parse_then_inner(text: &'a str, start: usize, inner: &str) -> Result<Nested<'a>, SyntaxError> {
        let object = Self::parse(text, start)?;
        let member = object.members.iter().rev().find(|member| member.key.text() == inner);
        let inner = member.and_then(|member| member.value.object().ok().flatten());
        Ok((object, inner))
    }

    pub(super) const fn new(span: Span, members: Vec<Member<'a>>) -> Self {
        Self { span, members }
    }

    /// The bytes of the file that the object occupies, braces included.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// How many bytes the object has in the file, as [`Node::length_in_file`].
    #[must_use]
    pub fn length_in_file(&self) -> usize {
        let missing = |member: &Member<'_>| {
            let value = member.value;
            value.length_in_file().saturating_sub(value.text().len())
        };
        self.members.iter().map(missing).fold(self.span.len(), usize::saturating_add)
    }

    /// All members in file order.
    #[must_use]
    pub fn members(&self) -> &[Member<'a>] {
        &self.members
    }

    /// The value of a key. Of a repeated key it is the last value, as in `serde_json::Value` and most parsers: that
    /// is the one a consumer sees and so the one that must be edited.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        self.members.iter().rev().find(|member| member.key.is_string(key)).map(|member| member.value)
    }

    /// Whether the key occurs.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of a string member; `None` when it is absent or something else.
    #[must_use]
    pub fn string(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.string()
    }

    /// The text of a string member as an owned string, for ids.
    #[must_use]
    pub fn owned(&self, key: &str) -> Option<String> {
        self.string(key).map(Cow::into_owned)
    }
}

fn trimmed_span(text: &str, start: usize) -> Span {
    let lead = text.len().saturating_sub(text.trim_start().len());
    Span { start: start.saturating_add(lead), end: start.saturating_add(text.trim_end().len()) }
}

impl<'a> Member<'a> {
    pub(super) const fn new(key: Node<'a>, value: Node<'a>) -> Self {
        Self { key, value }
    }

    /// The bytes from the key's first quote to the end of the value.
    #[must_use]
    pub const fn span(&self) -> Span {
        Span { start: self.key.start(), end: self.value.end() }
    }
}
