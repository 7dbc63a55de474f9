//! Whether a document is an Anthropic Messages request.

use crate::document::Document;
use crate::format::Confidence;
use crate::provider::message_list::{MessageMark, first_mark};
use crate::raw::Object;

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    let list = document.messages()?;
    match first_mark(list) {
        Some(MessageMark::Anthropic) => Some(Confidence::Certain),
        Some(MessageMark::OpenAi) => None,
        None => list.request.as_ref().and_then(request_mark),
    }
}

/// Fields of a request that only this API has.
fn request_mark(request: &Object<'_>) -> Option<Confidence> {
    if ["system", "thinking", "stop_sequences", "anthropic_version"].iter().any(|key| request.has(key)) {
        return Some(Confidence::Certain);
    }
    request.string("model")?.starts_with("claude").then_some(Confidence::Likely)
}

/// Whether a content block has a type that only this API has.
pub(crate) fn block_mark(kind: &str) -> bool {
    matches!(
        kind,
        "tool_use"
            | "tool_result"
            | "server_tool_use"
            | "redacted_thinking"
            | "document"
            | "compaction"
            | "image"
            | "container_upload"
            | "search_result"
            | "mcp_tool_use"
    ) || kind.ends_with("_tool_result")
}
