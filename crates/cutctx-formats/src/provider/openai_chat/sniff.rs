//! Whether a document is a list of chat messages.

use crate::document::Document;
use crate::format::Confidence;
use crate::provider::conversations::Conversations;
use crate::provider::message_list::{MessageMark, first_mark};
use crate::raw::Object;

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    let Some(list) = document.messages() else { return sniff_several(document) };
    match first_mark(list) {
        Some(MessageMark::OpenAi) => Some(Confidence::Certain),
        Some(MessageMark::Anthropic) => None,
        None if list.messages.is_empty() => Some(Confidence::Possible),
        None if list.request.as_ref().is_some_and(names_model) => Some(Confidence::Likely),
        None => Some(Confidence::Possible),
    }
}

/// Records of conversations: other formats may know better what they are.
fn sniff_several(document: &Document<'_>) -> Option<Confidence> {
    let list = Conversations::find(document)?.messages(0, "openai-chat", document).ok()?;
    let speaks = list.messages.first().is_none_or(|(_, node)| {
        node.object().ok().flatten().is_some_and(|message| message.string("role").is_some())
    });
    match first_mark(&list) {
        Some(MessageMark::Anthropic) => None,
        Some(MessageMark::OpenAi) => speaks.then_some(Confidence::Likely),
        None => speaks.then_some(Confidence::Possible),
    }
}

/// A model of another house leaves it open whose request it is.
fn names_model(request: &Object<'_>) -> bool {
    request.string("model").is_some_and(|model| !model.starts_with("claude"))
}
