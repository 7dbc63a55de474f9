//! Whether a document is a list of chat messages.

use crate::document::Document;
use crate::format::Confidence;
use crate::provider::message_list::{MessageMark, first_mark};
use crate::raw::Object;

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    let list = document.messages()?;
    match first_mark(list) {
        Some(MessageMark::OpenAi) => Some(Confidence::Certain),
        Some(MessageMark::Anthropic) => None,
        None if list.messages.is_empty() => Some(Confidence::Possible),
        None if list.request.as_ref().is_some_and(names_model) => Some(Confidence::Likely),
        None => Some(Confidence::Possible),
    }
}

/// A model of another house leaves it open whose request it is.
fn names_model(request: &Object<'_>) -> bool {
    request.string("model").is_some_and(|model| !model.starts_with("claude"))
}
