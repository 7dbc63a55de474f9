//! The blocks of a message as they stand in the file, for what its view does not tell.

use alloc::vec::Vec;

use super::sent::{Message, Sent};
use crate::raw::{Node, Object};

/// The content of a message that is its record, or stands in it.
pub(super) fn content<'t>(sent: &Sent<'t>, message: &Message) -> Option<Node<'t>> {
    let record = sent.record(message)?;
    record.get("content").or_else(|| record.get("message")?.object().ok()??.get("content"))
}

/// The blocks of its content.
pub(super) fn blocks<'t>(sent: &Sent<'t>, message: &Message) -> Vec<Object<'t>> {
    content(sent, message).map(objects).unwrap_or_default()
}

/// The blocks in the results of its content.
pub(super) fn inner_blocks<'t>(sent: &Sent<'t>, message: &Message) -> Vec<Object<'t>> {
    let outer = blocks(sent, message);
    outer.iter().filter_map(|block| block.get("content")).flat_map(objects).collect()
}

/// The elements of an array that are objects.
pub(super) fn objects(array: Node<'_>) -> Vec<Object<'_>> {
    array.objects().ok().flatten().unwrap_or_default().into_iter().flatten().collect()
}

/// The parts of a Gemini message, which may stand in an event.
pub(super) fn gemini_parts<'t>(sent: &Sent<'t>, message: &Message) -> Vec<Object<'t>> {
    let Some(record) = sent.record(message) else { return Vec::new() };
    let parts = record.get("parts").or_else(|| record.get("content")?.object().ok()??.get("parts"));
    parts.map(objects).unwrap_or_default()
}

/// A member that is spelled in one of two ways.
pub(super) fn either<'t>(object: &Object<'t>, one: &str, other: &str) -> Option<Node<'t>> {
    object.get(one).or_else(|| object.get(other)).filter(|node| !node.is_null())
}
