//! Whether a file is a session of Claude Code.

use crate::document::{Document, Shape};
use crate::format::Confidence;
use crate::raw::{Kind, Object};

/// How many lines are looked at.
const SAMPLE: usize = 64;

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    if !matches!(document.shape(), Shape::Lines | Shape::Object(_)) {
        return None;
    }
    document.sample(SAMPLE).iter().any(is_marked).then_some(Confidence::Certain)
}

/// Lines that no other tool writes.
fn is_marked(line: &Object<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| line.has(key));
    match line.string("type").as_deref() {
        Some("user" | "assistant") => has_content(line) && (line.has("uuid") || line.has("sessionId")),
        Some("system") => has(&["uuid", "parentUuid", "sessionId"]),
        Some("progress") => has(&["uuid", "parentUuid", "data"]),
        Some("summary") => has(&["summary", "leafUuid"]),
        Some("file-history-snapshot") => has(&["messageId", "snapshot"]),
        Some("queue-operation") => has(&["operation", "sessionId"]),
        _ => false,
    }
}

fn has_content(line: &Object<'_>) -> bool {
    let message = line.get("message").and_then(|message| message.object().ok().flatten()).unwrap_or_default();
    message.get("content").is_some_and(|content| matches!(content.kind(), Kind::String | Kind::Array))
}
