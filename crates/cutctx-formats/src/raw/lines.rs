//! A text as lines, for JSON Lines files.

use super::memo::Memo;
use super::node::{Kind, Nested, Node, Object};
use super::parse::SyntaxError;
use super::splices::Span;

/// One line of a file.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// Its bytes with the line feed, where there is one.
    pub span: Span,
    /// Its text without the line end.
    text: &'a str,
    memo: Option<&'a Memo>,
}

impl<'a> Line<'a> {
    /// The text without the line end and without white space around it.
    #[must_use]
    pub fn trimmed(&self) -> &'a str {
        self.text.trim()
    }

    /// Whether the line holds no record: it is blank or a comment (`//` or `#`).
    #[must_use]
    pub fn is_filler(&self) -> bool {
        let text = self.trimmed();
        text.is_empty() || text.starts_with("//") || text.starts_with('#')
    }

    /// Whether the line ends with a line feed; only a file's last line may lack one.
    #[must_use]
    pub const fn is_terminated(&self) -> bool {
        self.text.len() < self.span.len()
    }

    /// The line as one JSON value.
    ///
    /// # Errors
    ///
    /// When it is not exactly one.
    pub fn value(&self) -> Result<Node<'a>, SyntaxError> {
        self.known().map_or_else(|| Node::parse(self.text, self.span.start), Ok)
    }

    /// The members of the object that the line is; `None` when it is another JSON value.
    ///
    /// # Errors
    ///
    /// When the line is not exactly one JSON value.
    pub fn object(&self) -> Result<Option<Object<'a>>, SyntaxError> {
        if !self.is_object() {
            return self.value().map(|_| None);
        }
        match self.known() {
            Some(node) => node.object(),
            None => Object::parse(self.text, self.span.start).map(Some),
        }
    }

    /// As [`Line::object`], with the object under the key `inner` as [`Object::parse_with_inner`] gives it.
    ///
    /// # Errors
    ///
    /// As [`Line::object`].
    pub fn object_with_inner(&self, inner: &str) -> Result<Option<Nested<'a>>, SyntaxError> {
        if !self.is_object() {
            return self.value().map(|_| None);
        }
        let Some(node) = self.known() else {
            return Object::parse_with_inner(self.text, self.span.start, inner).map(Some);
        };
        let object = node.object()?.unwrap_or_default();
        let member = object.members().iter().rev().find(|member| member.key.text() == inner);
        let inner = member.and_then(|member| member.value.object().ok().flatten());
        Ok(Some((object, inner)))
    }

    /// The line as one JSON value of which is remembered what is large, if it is one and something is remembered.
    fn known(&self) -> Option<Node<'a>> {
        self.memo?.check(self.text, self.span.start)
    }

    fn is_object(&self) -> bool {
        Node::trusted(self.trimmed(), self.span.start).kind() == Kind::Object
    }
}

/// The lines of a text, fillers included.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a str,
    start: usize,
    number: usize,
    memo: Option<&'a Memo>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, which starts at `start` in the file.
    #[must_use]
    pub const fn new(text: &'a str, start: usize) -> Self {
        Self { rest: text, start, number: 0, memo: None }
    }

    /// The same; where what is large in them ends is found once.
    pub(crate) const fn remembered_in(mut self, memo: Option<&'a Memo>) -> Self {
        self.memo = memo;
        self
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let length = memchr::memchr(b'\n', self.rest.as_bytes())
            .map_or(self.rest.len(), |feed| feed.saturating_add(1));
        let (whole, rest) = self.rest.split_at_checked(length)?;
        let span = Span { start: self.start, end: self.start.saturating_add(length) };
        self.number = self.number.saturating_add(1);
        (self.rest, self.start) = (rest, span.end);
        let text = whole.strip_suffix('\n').unwrap_or(whole);
        Some(Line { number: self.number, span, text, memo: self.memo })
    }
}
