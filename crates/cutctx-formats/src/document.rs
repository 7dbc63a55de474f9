//! The outer shape of a file: one JSON object, one array, or lines.

use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::error::{FormatError, Place};
use crate::provider::{MessageList, find_list};
use crate::raw::{Kind, Lines, Listed, Member, Memo, Node, Object, Span};

/// How many of the first lines are taken apart once for all formats that look at them.
const SAMPLE: usize = 64;

/// The byte order mark that some editors put in front.
const MARK: char = '\u{feff}';

/// A file's text and its outer shape.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    text: &'a str,
    body: usize,
    shape: Shape<'a>,
    /// The list of messages or turns at the top, taken apart while the document was read.
    list: Option<Listed<'a>>,
    /// What is large and was opened.
    memo: Option<&'a Memo>,
    /// The first lines, those that are objects.
    samples: OnceCell<Vec<Option<Object<'a>>>>,
    messages: OnceCell<Option<MessageList<'a>>>,
}

/// The outer shape of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Shape<'a> {
    /// One JSON object.
    Object(Object<'a>),
    /// One JSON array: where it stands and its elements.
    Array(Span, Vec<Node<'a>>),
    /// JSON Lines, comments and blank lines between them included. Only the first record has been looked at.
    Lines,
    /// Pretty-printed documents one after the other: the first one, and where the second one starts.
    Glued(Node<'a>, usize),
}

impl<'a> Document<'a> {
    /// Finds the outer shape of a text.
    ///
    /// # Errors
    ///
    /// When there is nothing in it, or it is no JSON.
    pub fn parse(text: &'a str) -> Result<Self, FormatError> {
        Self::read(text, None)
    }

    /// As [`Document::parse`]; what is large in it is gone through once, however often it is opened.
    pub(crate) fn remembered_in(memo: &'a Memo, text: &'a str) -> Result<Self, FormatError> {
        Self::read(text, Some(memo))
    }

    fn read(text: &'a str, memo: Option<&'a Memo>) -> Result<Self, FormatError> {
        let body = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
        let rest = text.get(body..).unwrap_or_default();
        if rest.trim().is_empty() {
            return Err(FormatError::Empty);
        }
        let samples = OnceCell::new();
        let messages = OnceCell::new();
        if is_lines(rest, body) {
            memo.inspect(|memo| memo.keep_ends_only());
            return Ok(Self { text, body, shape: Shape::Lines, list: None, memo, samples, messages });
        }
        if let Some((shape, list)) = memo.and_then(|memo| known(memo, rest, body)) {
            return Ok(Self { text, body, shape, list, memo, samples, messages });
        }
        let (shape, list) = whole(text, rest, body)?;
        Ok(Self { text, body, shape, list, memo: None, samples, messages })
    }

    /// The whole text of the file.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The outer shape.
    #[must_use]
    pub const fn shape(&self) -> &Shape<'a> {
        &self.shape
    }

    /// The lines of the file, without a byte order mark. Also a file that is one JSON value on one line is a file of
    /// one line.
    #[must_use]
    pub fn lines(&self) -> Lines<'a> {
        Lines::new(self.text.get(self.body..).unwrap_or_default(), self.body).remembered_in(self.memo)
    }

    /// The one object that the document is.
    pub(crate) fn object(&self) -> Option<Node<'a>> {
        let Shape::Object(object) = &self.shape else { return None };
        let node = Node::checked(object.span().of(self.text), object.span().start, false);
        Some(self.memo.map_or(node, |memo| node.remembered_in(memo)))
    }

    /// Up to `most` records for recognising a format: the first lines, or the first elements of the array, or the one
    /// object. What is no object, or no JSON, is left out.
    #[must_use]
    pub fn sample(&self, most: usize) -> Vec<Object<'a>> {
        match &self.shape {
            Shape::Object(object) => alloc::vec![object.clone()],
            Shape::Array(_, elements) => elements.iter().take(most).filter_map(object_of).collect(),
            Shape::Glued(first, _) => object_of(first).into_iter().collect(),
            Shape::Lines => {
                let first = self.samples.get_or_init(|| self.first_lines(SAMPLE));
                if most <= SAMPLE || first.len() < SAMPLE {
                    return first.iter().take(most).flatten().cloned().collect();
                }
                self.first_lines(most).into_iter().flatten().collect()
            }
        }
    }

    fn first_lines(&self, most: usize) -> Vec<Option<Object<'a>>> {
        let records = self.lines().filter(|line| !line.is_filler()).take(most);
        records.map(|line| line.object().ok().flatten()).collect()
    }

    /// The elements of an array of the document; that of the top-level lists is remembered.
    #[must_use]
    pub fn elements(&self, array: Node<'a>) -> Option<Vec<Node<'a>>> {
        match &self.list {
            Some((list, elements)) if list.span() == array.span() => Some(elements.clone()),
            _ => array.array().ok()?,
        }
    }

    /// The list of messages that the document is or holds, for formats that are such a list.
    pub(crate) fn messages(&self) -> Option<&MessageList<'a>> {
        self.messages.get_or_init(|| find_list(self)).as_ref()
    }

    /// The place at which the content starts: the first character that is no white space.
    #[must_use]
    pub fn start(&self) -> Place {
        let rest = self.text.get(self.body..).unwrap_or_default();
        let blank = rest.len().saturating_sub(rest.trim_start().len());
        Place::of(self.body.saturating_add(blank), self.text)
    }
}

fn object_of<'a>(node: &Node<'a>) -> Option<Object<'a>> {
    node.object().ok().flatten()
}

/// Lines: the first record stands alone on its line and something else follows or comes before it.
fn is_lines(rest: &str, body: usize) -> bool {
    let mut lines = Lines::new(rest, body).filter(|line| !line.trimmed().is_empty());
    let Some(mut first) = lines.next() else { return false };
    let mut comments = false;
    while first.is_filler() {
        let Some(next) = lines.next() else { return false };
        (first, comments) = (next, true);
    }
    (comments || lines.next().is_some()) && first.value().is_ok()
}

/// The keys of lists that formats read.
const LISTS: [&str; 3] = ["messages", "turns", "input"];

type Whole<'a> = (Shape<'a>, Option<Listed<'a>>);

fn whole<'a>(text: &'a str, rest: &'a str, body: usize) -> Result<Whole<'a>, FormatError> {
    let blank = rest.len().saturating_sub(rest.trim_start().len());
    let (trimmed, start) = (rest.trim(), body.saturating_add(blank));
    let node = Node::trusted(trimmed, start);
    let read = match node.kind() {
        Kind::Object => Object::parse_with_list(trimmed, start, &LISTS)
            .map(|(object, list)| (Shape::Object(object), list)),
        Kind::Array => {
            node.array().map(|elements| (Shape::Array(node.span(), elements.unwrap_or_default()), None))
        }
        Kind::String | Kind::Number | Kind::Bool | Kind::Null => {
            return Err(FormatError::Unrecognized { at: Place::of(start, text), looks_like: None });
        }
    };
    read.or_else(|error| match glued(trimmed, start) {
        Some(shape) => Ok((shape, None)),
        None => Err(FormatError::syntax(error, text)),
    })
}

/// The outer shape of a text that is one object or array, of which is remembered what is large in it.
fn known<'a>(memo: &'a Memo, rest: &'a str, body: usize) -> Option<Whole<'a>> {
    let node = memo.check(rest, body)?;
    if let Some(elements) = node.array().ok()? {
        return Some((Shape::Array(node.span(), elements), None));
    }
    let object = node.object().ok()??;
    let is_list = |member: &&Member<'_>| {
        member.value.kind() == Kind::Array && LISTS.iter().any(|list| member.key.is_string(list))
    };
    let list = object.members().iter().rev().find(is_list).map(|member| member.value);
    let list = list.and_then(|list| Some((list, list.array().ok()??)));
    Some((Shape::Object(object), list))
}

fn glued(trimmed: &str, start: usize) -> Option<Shape<'_>> {
    let first = Node::leading(trimmed, start)?;
    let after = trimmed.get(first.end().saturating_sub(start)..)?.trim_start();
    let second = start.saturating_add(trimmed.len().saturating_sub(after.len()));
    matches!(after.chars().next(), Some('{' | '[')).then_some(Shape::Glued(first, second))
}
