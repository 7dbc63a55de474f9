//! Whether a document is a request or a list of items.

use alloc::vec::Vec;

use super::item::{is_marked, item_kind};
use crate::document::{Document, Shape};
use crate::format::Confidence;
use crate::raw::{Kind, Node, Object};

/// How many items are looked at.
const SAMPLE: usize = 64;

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    match document.shape() {
        Shape::Object(object) => sniff_request(document, object),
        Shape::Array(_, elements) => {
            let marked = elements.iter().take(SAMPLE).filter_map(opened).any(|item| is_marked(&item));
            let first = elements.first().and_then(opened)?;
            (marked && item_kind(&first).is_some()).then_some(Confidence::Certain)
        }
        Shape::Lines | Shape::Glued(..) => None,
    }
}

fn sniff_request<'a>(document: &Document<'a>, object: &Object<'a>) -> Option<Confidence> {
    if object.has("messages") {
        return None;
    }
    let input = object.get("input")?;
    let names_model = object.get("model").is_some_and(|model| model.kind() == Kind::String);
    if input.kind() == Kind::String {
        return names_model.then_some(Confidence::Likely);
    }
    let elements = document.elements(input)?;
    let items: Vec<Object<'_>> = elements.iter().take(SAMPLE).map_while(opened).collect();
    let readable =
        items.len() == elements.len().min(SAMPLE) && items.iter().all(|item| item_kind(item).is_some());
    let marked = names_model || items.iter().any(is_marked);
    readable.then_some(if marked { Confidence::Certain } else { Confidence::Likely })
}

fn opened<'a>(node: &Node<'a>) -> Option<Object<'a>> {
    node.object().ok().flatten()
}
