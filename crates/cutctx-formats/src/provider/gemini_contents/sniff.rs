//! Whether a document is a Gemini API request.

use crate::document::{Document, Shape};
use crate::format::Confidence;
use crate::raw::Node;

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    match document.shape() {
        Shape::Object(request) => {
            let contents = request.get("contents")?.array().ok()??;
            contents.first().is_none_or(has_parts).then_some(Confidence::Certain)
        }
        Shape::Array(_, contents) => contents.first().is_some_and(has_parts).then_some(Confidence::Likely),
        Shape::Lines | Shape::Glued(..) => None,
    }
}

fn has_parts(content: &Node<'_>) -> bool {
    let content = content.object().ok().flatten();
    content.is_some_and(|content| content.has("parts") && !content.has("type") && !content.has("id"))
}
