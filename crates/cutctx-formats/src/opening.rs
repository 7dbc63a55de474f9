//! What is known of a file before its messages are read.

use alloc::borrow::Cow;

use crate::document::{Document, Shape};
use crate::format::Format;
use crate::raw::{Kind, Node, Object};

/// What is known of a file before its messages are read: enough to choose what counts them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opening<'o> {
    /// The file's format.
    pub format: &'static dyn Format,
    /// The model that the file names last.
    pub model: Option<Cow<'o, str>>,
}

/// How many records at the end of a file are looked at.
const RECORDS: usize = 200;

/// Under which keys records name a model.
pub(crate) const MODEL: [&str; 5] = ["model", "modelID", "modelId", "model_id", "modelVersion"];

/// How all of these keys begin.
const KEY: &str = "\"model";

/// In which members of a record these keys stand, where they do not stand in the record itself.
const INNER: [&str; 5] = ["message", "payload", "info", "data", "part"];

/// Under which keys a document has its records.
const LISTS: [&str; 2] = ["messages", "contents"];

/// What a harness names that speaks in a model's place.
const SYNTHETIC: &str = "<synthetic>";

impl<'o> Opening<'o> {
    pub(crate) fn new(format: &'static dyn Format, document: &Document<'o>) -> Self {
        Self { format, model: model(document) }
    }
}

/// The model that a file names last.
fn model<'o>(document: &Document<'o>) -> Option<Cow<'o, str>> {
    match document.shape() {
        Shape::Lines => last_line(document.text()),
        Shape::Array(_, elements) => last_element(elements),
        Shape::Object(object) => of_record(object).or_else(|| last_in_lists(object, document)),
        Shape::Glued(..) => last_key(document.text()),
    }
}

fn last_line(text: &str) -> Option<Cow<'_, str>> {
    let mut lines = text.rsplit('\n').filter(|line| line.contains(KEY)).take(RECORDS);
    lines.find_map(|line| of_record(&Object::parse(line.trim(), 0).ok()?))
}

fn last_element<'o>(elements: &[Node<'o>]) -> Option<Cow<'o, str>> {
    elements.iter().rev().take(RECORDS).find_map(|node| of_record(&node.object().ok()??))
}

fn last_in_lists<'o>(object: &Object<'o>, document: &Document<'o>) -> Option<Cow<'o, str>> {
    let lists = LISTS.into_iter().filter_map(|key| object.get(key));
    lists.filter_map(|list| document.elements(list)).find_map(|elements| last_element(&elements))
}

fn of_record<'o>(record: &Object<'o>) -> Option<Cow<'o, str>> {
    let inner = || INNER.into_iter().find_map(|key| named(&record.get(key)?.object().ok()??));
    named(record).or_else(inner)
}

fn named<'o>(object: &Object<'o>) -> Option<Cow<'o, str>> {
    let named = MODEL.into_iter().find_map(|key| object.string(key));
    named.filter(|name| !name.is_empty() && name != SYNTHETIC)
}

/// In documents one after the other, the last `modelID`. A key cannot stand inside of a string, where its quotes would
/// be escaped.
fn last_key(text: &str) -> Option<Cow<'_, str>> {
    let key = r#""modelID""#;
    let place = text.rfind(key)?.saturating_add(key.len());
    let value = text.get(place..)?.trim_start().strip_prefix(':')?.trim_start();
    let node = Node::leading(value, 0).filter(|node| node.kind() == Kind::String);
    node.and_then(|node| node.string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_is_named_last_is_found_in_every_shape() {
        let files = [
            r#"{"type":"assistant","message":{"model":"a"}}
{"type":"assistant","message":{"model":"b","content":[{"input":{"model":"c"}}]}}
{"type":"assistant","message":{"model":"<synthetic>"}}"#,
            r#"{"model":"b","messages":[{"role":"user","content":"hi"}]}"#,
            r#"{"info":{"id":1},"messages":[{"info":{"modelID":"a"}},{"info":{"modelID":"b"}},{"info":{"role":"user"}}]}"#,
            r#"[{"role":"assistant","model":"b"},{"role":"user"}]"#,
            "{\n\"modelID\": \"a\"\n}\n{\n\"modelID\": \"b\", \"text\": \"\\\"modelID\\\": 1\"\n}",
        ];
        for file in files {
            let document = Document::parse(file).unwrap();
            assert_eq!(model(&document).as_deref(), Some("b"), "{file}");
        }
        let none = Document::parse(r#"{"messages":[{"content":"\"model\":\"a\""}]}"#).unwrap();
        assert_eq!(model(&none), None);
    }
}
