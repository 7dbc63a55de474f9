//! Exports: `{info, messages: [{info, parts}]}`.

use alloc::vec::Vec;

use cutctx_types::Transcript;

use super::NAME;
use super::message::{Message, Reader, start};
use super::write::Sessions;
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::Reading;
use crate::layout::{Container, LayoutBuilder};
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;
use crate::shapes::{array_in, object_in};

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let Shape::Object(object) = document.shape() else {
        return Err(FormatError::Unrecognized { at: document.start(), looks_like: None });
    };
    let list = object.get("messages");
    let nodes = list.and_then(|list| document.elements(list)).unwrap_or_default();
    let messages: Vec<Message<'_>> = nodes.iter().map(message).collect();
    let start = start(&messages.iter().collect::<Vec<_>>());
    let mut builder = LayoutBuilder::new(NAME, request);
    if !start.marks.is_empty() {
        builder = builder.without_first_user();
    }
    let place = list.map(|list| list.span()).unwrap_or_default();
    let records = builder.list(Container::Array(place), nodes.iter().map(Node::span).collect());
    let mut reader = Reader::new(builder, Sessions::default());
    for (index, message) in messages.iter().enumerate() {
        let unit = records.unit(index);
        let spans: Vec<Span> = message.parts.iter().map(Object::span).collect();
        let parts = nodes.get(index).and_then(|node| node.object().ok()?).and_then(|node| node.get("parts"));
        let parts = parts.map(|parts| parts.span()).unwrap_or_default();
        let list = reader.builder.list_in(unit, Container::Array(parts), spans, None);
        if start.marks.last() == Some(&index) {
            reader.builder.mark(unit);
        } else if start.marks.contains(&index) {
            reader.builder.anchor(unit);
        }
        reader.counts = start.counts(index);
        if index >= start.first {
            reader.message(message, unit, list)?;
        } else {
            reader.pass(message);
        }
    }
    let (mapped, layout) = reader.builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(reader.sessions)))
}

fn message<'a>(node: &Node<'a>) -> Message<'a> {
    let object = node.object().ok().flatten().unwrap_or_default();
    let info = object_in(&object, "info").unwrap_or_default();
    let parts = array_in(&object, "parts").unwrap_or_default();
    let parts = parts.iter().map(|part| part.object().ok().flatten().unwrap_or_default()).collect();
    Message { info, parts }
}
