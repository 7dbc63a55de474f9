//! A JSON value as a stretch of the file, and the members of an object.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::nested;
use super::parse::{self, SyntaxError};
use super::splices::Span;
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
        Self { text, start }
    }

    /// The value that `text` begins with, whatever follows it; `None` when it begins with none.
    #[must_use]
    pub fn leading(text: &'a str, start: usize) -> Option<Self> {
        parse::first_value(text, start)
    }

    /// The value's text as it stands in the file.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The byte offset of the first character.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The byte offset just after the last character.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.start.saturating_add(self.text.len())
    }

    /// The bytes of the file that the value occupies.
    #[must_use]
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
        if inner.contains('\\') {
            parse::unescape(self.text).map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(inner))
        }
    }

    /// Whether the value is the string `expected`.
    #[must_use]
    pub fn is_string(&self, expected: &str) -> bool {
        self.string().is_some_and(|text| text == expected)
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
        if self.kind() == Kind::Object { Object::parse(self.text, self.start).map(Some) } else { Ok(None) }
    }

    /// The elements of an array; `None` for other kinds.
    ///
    /// # Errors
    ///
    /// As [`Node::object`].
    pub fn array(&self) -> Result<Option<Vec<Self>>, SyntaxError> {
        if self.kind() == Kind::Array { parse::elements(self.text, self.start).map(Some) } else { Ok(None) }
    }

    /// The elements of an array, taken apart in the same pass; an element that is no object is `None`. `None` for
    /// other kinds.
    ///
    /// # Errors
    ///
    /// As [`Node::object`].
    pub fn objects(&self) -> Result<Option<Vec<Option<Object<'a>>>>, SyntaxError> {
        if self.kind() == Kind::Array { nested::objects(self.text, self.start).map(Some) } else { Ok(None) }
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
