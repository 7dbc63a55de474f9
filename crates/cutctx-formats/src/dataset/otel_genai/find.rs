//! Spans and what they tell.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::Form;
use crate::dataset::chat::{Found, values};
use crate::document::Document;
use crate::error::FormatError;
use crate::raw::{Kind, Node, Object};
use crate::shapes::{array_in, object_in};

/// The attributes that tell messages.
const MESSAGES: [(&str, Form); 2] =
    [("gen_ai.input.messages", Form::Parts), ("ai.prompt.messages", Form::Content)];

/// Where a span tells messages.
#[derive(Debug)]
pub(super) enum Told<'a> {
    /// In an attribute: an array, or a text that is one.
    Messages(Node<'a>, Form),
    /// In events.
    Events(Found<'a>, Form),
}

pub(super) fn is_span(record: &Object<'_>) -> bool {
    record.has("spanContext") || (record.has("attributes") && told_by(record).is_some())
}

/// How the names of attributes begin that tell a field of the first message.
const FIRST_FIELDS: [&str; 2] = ["gen_ai.prompt.0.", "llm.input_messages.0."];

/// Whether a span tells every field of every message in an attribute of its own.
pub(super) fn is_flattened(span: &Object<'_>) -> bool {
    let is_field = |name: Option<Cow<'_, str>>| {
        name.is_some_and(|name| FIRST_FIELDS.iter().any(|start| name.starts_with(start)))
    };
    if let Some(attributes) = object_in(span, "attributes") {
        return attributes.members().iter().any(|member| is_field(member.key.string()));
    }
    let listed = objects(array_in(span, "attributes").unwrap_or_default());
    listed.into_iter().any(|attribute| is_field(attribute.string("key")))
}

/// All spans of a document, in order.
pub(super) fn spans<'a>(document: &Document<'a>) -> Result<Vec<Object<'a>>, FormatError> {
    let mut spans = Vec::new();
    for record in values(document)?.iter().filter_map(|node| node.object().ok().flatten()) {
        match array_in(&record, "resourceSpans") {
            None => spans.push(record),
            Some(resources) => {
                for resource in objects(resources) {
                    for scope in objects(array_in(&resource, "scopeSpans").unwrap_or_default()) {
                        spans.extend(objects(array_in(&scope, "spans").unwrap_or_default()));
                    }
                }
            }
        }
    }
    Ok(spans)
}

fn objects(nodes: Vec<Node<'_>>) -> impl Iterator<Item = Object<'_>> {
    nodes.into_iter().filter_map(|node| node.object().ok().flatten())
}

/// Where a span tells messages, if it does.
pub(super) fn told_by<'a>(span: &Object<'a>) -> Option<Told<'a>> {
    let events = Found::under(span, "events");
    let of_event = || {
        let events = events.as_ref()?.objects();
        events.into_iter().find_map(|event| in_attribute(&event))
    };
    if let Some(told) = in_attribute(span).or_else(of_event) {
        return Some(told);
    }
    let events = events.clone()?;
    let mut speaking = events.objects().filter(|event| speaker(event).is_some());
    let first = speaking.next()?;
    let listed = first.get("attributes").is_some_and(|attributes| attributes.kind() == Kind::Array);
    drop(speaking);
    Some(Told::Events(events, if listed { Form::Listed } else { Form::Content }))
}

fn in_attribute<'a>(object: &Object<'a>) -> Option<Told<'a>> {
    MESSAGES.iter().find_map(|(key, form)| {
        let value = attribute(object, key)?;
        let holds = match value.string() {
            Some(text) => text.trim_start().starts_with('['),
            None => value.kind() == Kind::Array,
        };
        holds.then_some(Told::Messages(value, *form))
    })
}

/// Who speaks in an event.
pub(super) fn speaker(event: &Object<'_>) -> Option<&'static str> {
    match event.string("name")?.as_ref() {
        "gen_ai.system.message" => Some("system"),
        "gen_ai.user.message" => Some("user"),
        "gen_ai.assistant.message" => Some("assistant"),
        "gen_ai.tool.message" => Some("tool"),
        _ => None,
    }
}

/// The value of an attribute of a span or an event.
pub(super) fn attribute<'a>(object: &Object<'a>, key: &str) -> Option<Node<'a>> {
    if let Some(attributes) = object_in(object, "attributes") {
        return attributes.get(key);
    }
    let listed = objects(array_in(object, "attributes")?);
    let mut own = listed.filter(|attribute| attribute.get("key").is_some_and(|own| own.is_string(key)));
    let value = object_in(&own.next()?, "value")?;
    value.members().first().map(|member| member.value)
}
