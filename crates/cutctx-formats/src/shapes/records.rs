//! A file as records: its lines, or documents one after the other.

use alloc::vec::Vec;

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::raw::{Line, Node, Object, Span};

/// The objects of a file, each with the stretch of the file that goes when it goes.
#[derive(Debug, Default)]
pub(crate) struct Records<'a> {
    pub(crate) places: Vec<Span>,
    pub(crate) objects: Vec<Object<'a>>,
}

/// The records of a file of lines, of documents one after the other, or of one object. What is no object is left out.
/// Objects without a line feed between them, as a crash leaves them, are records of their own.
pub(crate) fn records<'a>(document: &Document<'a>) -> Result<Records<'a>, FormatError> {
    let text = document.text();
    let mut records = Records::default();
    match document.shape() {
        Shape::Object(object) => {
            records.push(Span { start: object.span().start, end: text.len() }, object.clone());
        }
        Shape::Lines => match of_lines(document) {
            Ok(lines) => return Ok(lines),
            Err(error) => {
                let whole = Span { start: document.start().offset, end: text.len() };
                records.push_glued(whole, text).map_err(|_| error)?;
            }
        },
        Shape::Glued(first, _) => {
            let rest = Span { start: first.start(), end: text.len() };
            records.push_glued(rest, text)?;
        }
        Shape::Array(..) => return Err(FormatError::Unrecognized { at: document.start(), looks_like: None }),
    }
    Ok(records)
}

fn of_lines<'a>(document: &Document<'a>) -> Result<Records<'a>, FormatError> {
    let mut records = Records::default();
    for line in document.lines().filter(|line| !line.is_filler()) {
        records.push_line(&line, document.text())?;
    }
    Ok(records)
}

impl<'a> Records<'a> {
    fn push(&mut self, place: Span, object: Object<'a>) {
        self.places.push(place);
        self.objects.push(object);
    }

    fn push_line(&mut self, line: &Line<'a>, text: &'a str) -> Result<(), FormatError> {
        match line.object() {
            Ok(Some(object)) => self.push(line.span, object),
            Ok(None) => {}
            Err(error) if Node::leading(line.trimmed(), 0).is_none() => {
                return Err(FormatError::syntax(error, text));
            }
            Err(_) => self.push_glued(line.span, text)?,
        }
        Ok(())
    }

    /// Documents one after the other; the white space behind a document is a part of its record.
    fn push_glued(&mut self, place: Span, text: &'a str) -> Result<(), FormatError> {
        let mut at = skip_blank(place.start, text);
        while at < place.end {
            let rest = Span { start: at, end: place.end }.of(text);
            let Some(node) = Node::leading(rest, at) else {
                let error = Node::parse(rest, at).err();
                return Err(error.map_or(FormatError::Empty, |error| FormatError::syntax(error, text)));
            };
            let next = skip_blank(node.end(), text).min(place.end);
            if let Ok(Some(object)) = node.object() {
                self.push(Span { start: at, end: next }, object);
            }
            at = next;
        }
        Ok(())
    }
}

/// The first place from `at` on that is no white space.
fn skip_blank(at: usize, text: &str) -> usize {
    let rest = Span { start: at, end: text.len() }.of(text);
    at.saturating_add(rest.len().saturating_sub(rest.trim_start().len()))
}

/// The object under a key.
pub(crate) fn object_in<'a>(object: &Object<'a>, key: &str) -> Option<Object<'a>> {
    object.get(key)?.object().ok()?
}

/// The elements of the array under a key.
pub(crate) fn array_in<'a>(object: &Object<'a>, key: &str) -> Option<Vec<Node<'a>>> {
    object.get(key)?.array().ok()?
}
