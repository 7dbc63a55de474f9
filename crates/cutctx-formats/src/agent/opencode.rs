//! Sessions of opencode: an export, records of its storage one after the other, and the output of `opencode run`.
//!
//! # What is context
//!
//! * An export is `{info, messages: [{info, parts}]}`. The records of the storage hold the same messages and parts one
//!   after the other, in the order of their ids; a file of them may hold several sessions, and each is a conversation.
//! * A message of the model may hold several steps, each between `step-start` and `step-finish`. Every step is a turn,
//!   and every result of a tool, which stands in the same part as its call.
//! * A tool that was still at work, or about to start, has no result. Messages that ended in an error are no turns, but
//!   for aborted ones that say something.
//! * After a compaction (a part `compaction`, answered by a message marked `summary`) what was before it is no context.
//!   Its summary is a turn; the two messages stay, because they mark the place.
//! * An output that opencode has cleared (`time.compacted`) counts as the short text that the model sees in its place.
//! * Snapshots, patches, diffs, titles, costs, `metadata` (which repeats outputs) and parts that are `ignored` are no
//!   context and stay. They go with a record of the storage whose message goes.
//! * The output of `opencode run --format json` has no person's words and cannot be resumed; it is read as what the
//!   model said and did.
//!
//! # What is written
//!
//! Texts, inputs and outputs change in place; the steps' marks stay. A text for which a message has no part becomes a
//! part with an id of its own. A summary is a message of the user whose id and time stand between those of its
//! neighbours, since opencode sorts by them.

mod export;
mod message;
mod run;
mod store;
mod write;

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::raw::{Node, Object};
use crate::request::ReadRequest;
use crate::shapes::object_in;

/// The format of opencode's sessions.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Opencode;

/// The format's name.
const NAME: &str = "opencode";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session of opencode: an export, storage records one after the other, or the output of a run",
    told_by: "`info` beside `messages`, or records with `sessionID` and `messageID`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// How many records are looked at.
const SAMPLE: usize = 24;

impl Format for Opencode {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        kind_of(document).map(|_| Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        match kind_of(document) {
            Some(FileKind::Export) => export::read(document, request),
            Some(FileKind::Store) => store::read(document, request),
            Some(FileKind::Run) => run::read(document, request),
            None => Err(FormatError::Unrecognized { at: document.start(), looks_like: None }),
        }
    }
}

/// What sort of file it is.
enum FileKind {
    Export,
    Store,
    Run,
}

fn kind_of(document: &Document<'_>) -> Option<FileKind> {
    let records = document.sample(SAMPLE);
    match document.shape() {
        Shape::Object(object) if is_export(document, object) => Some(FileKind::Export),
        Shape::Object(_) | Shape::Lines if records.iter().any(is_event) => Some(FileKind::Run),
        Shape::Lines if records.iter().any(is_stored) => Some(FileKind::Store),
        Shape::Glued(..) if records.iter().any(|record| is_stored(record) || is_project(record)) => {
            Some(FileKind::Store)
        }
        Shape::Object(_) | Shape::Lines | Shape::Array(..) | Shape::Glued(..) => None,
    }
}

/// `{info, messages}`, each message again with its `info` and its parts. Without messages the session's own `info` tells.
fn is_export<'a>(document: &Document<'a>, object: &Object<'a>) -> bool {
    let Some(info) = object_in(object, "info") else { return false };
    let messages = object.get("messages").and_then(|list| document.elements(list));
    let is_message = |node: &Node<'_>| {
        node.object().ok().flatten().is_some_and(|message| message.has("info") && message.has("parts"))
    };
    messages.is_some_and(|messages| messages.first().map_or_else(|| info.has("id"), is_message))
}

fn is_event(record: &Object<'_>) -> bool {
    record.has("type")
        && record.has("sessionID")
        && (record.has("part") || record.has("error"))
        && record.has("timestamp")
}

fn is_stored(record: &Object<'_>) -> bool {
    record.has("sessionID") && (record.has("messageID") || record.has("role"))
}

/// A project, a session or a share, with which the records of a storage may begin.
fn is_project(record: &Object<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| record.has(key));
    has(&["worktree", "sandboxes"]) || has(&["projectID", "directory"]) || has(&["id", "secret", "url"])
}
