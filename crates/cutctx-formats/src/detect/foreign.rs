//! Other tools' files, recognised by their fields, so that a refusal can say what it met.

use crate::document::{Document, Shape};
use crate::raw::{Kind, Object};

/// How many records are looked at.
const SAMPLE: usize = 24;

/// A record with all of these fields gives away its tool.
struct Mark {
    name: &'static str,
    fields: &'static [&'static str],
}

const fn mark(name: &'static str, fields: &'static [&'static str]) -> Mark {
    Mark { name, fields }
}

/// In the order in which they are tried; the more special ones first.
const MARKS: &[Mark] = &[
    mark("CutCtx's own plan record", &["record_version", "plan"]),
    mark("CutCtx's own compaction plan", &["actions", "summarization_requests"]),
    mark("CutCtx's own report", &["plan_hash", "kept_turn_ids"]),
    mark("CutCtx's own batch job", &["transcript", "budget"]),
    mark("CutCtx's own batch result", &["plan", "plan_hash"]),
    mark("the settings of a Claude Code sub-agent", &["agentType", "spawnDepth"]),
    mark("recorded responses of a model to the Gemini CLI's tests", &["method", "response"]),
    mark("a Gemini API response", &["candidates", "usageMetadata"]),
    mark("rows of opencode's database, with JSON inside of text", &["message_id", "session_id", "data"]),
    mark("the state of a Kimi CLI session", &["agents", "isCustomTitle", "workDir"]),
    mark(
        "the summary of a Grok session, whose messages are in other files",
        &["session_summary", "chat_format_version"],
    ),
    mark("a trajectory of Trae agent's Python edition", &["llm_interactions"]),
    mark("tau-bench conversations printed as text", &["messages_display"]),
    mark("rows of Goose's database, with JSON inside of text", &["role", "content_json"]),
];

/// The fields of records of opencode's storage. One alone is no session.
const LONE: [&[&str]; 6] = [
    &["sessionID", "messageID"],
    &["sessionID", "role"],
    &["messageID", "callID", "tool"],
    &["projectID", "directory", "title"],
    &["worktree", "sandboxes"],
    &["type", "text", "time"],
];

/// What the file looks like, when it is another tool's.
pub(super) fn looks_like(document: &Document<'_>) -> Option<&'static str> {
    let records = document.sample(SAMPLE);
    let by_fields = MARKS.iter().find(|mark| records.iter().any(|record| mark.fits(record)));
    by_fields.map(|mark| mark.name).or_else(|| by_structure(document))
}

impl Mark {
    fn fits(&self, record: &Object<'_>) -> bool {
        self.fields.iter().all(|field| record.has(field))
    }
}

/// Marks that lie deeper than a field's name.
fn by_structure(document: &Document<'_>) -> Option<&'static str> {
    if let Shape::Object(record) = document.shape()
        && LONE.iter().any(|fields| fields.iter().all(|field| record.has(field)))
    {
        return Some("a single record of an opencode session, not an export of it");
    }
    None
}

/// How many conversations a list or a file of lines holds, when each record is one.
pub(super) fn conversations(document: &Document<'_>) -> Option<usize> {
    let is_one =
        |record: &Object<'_>| record.get("messages").is_some_and(|messages| messages.kind() == Kind::Array);
    if !document.sample(1).iter().any(is_one) {
        return None;
    }
    match document.shape() {
        Shape::Array(_, elements) => Some(elements.len()),
        Shape::Lines => Some(document.lines().filter(|line| !line.is_filler()).count()),
        Shape::Object(_) | Shape::Glued(..) => None,
    }
}
