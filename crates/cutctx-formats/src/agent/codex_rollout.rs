//! Rollouts of the Codex CLI, one JSON object a line.
//!
//! Context are the items of the Responses API in the lines of type `response_item`, in the oldest files the lines
//! themselves, and the base instructions of the first `session_meta`, a turn that stays as it is. Everything else is
//! ballast and never changes: events, which repeat messages and reasoning for the screen, turn contexts, token counts,
//! snapshots, items of unknown kinds, and items that Codex could not read and would leave out. How items become turns is
//! said in the module of the Responses API. What the harness says in the user's place is told by how it begins:
//! instruction files and the environment are pinned, notes about the moment are not.
//!
//! * A line of type `compacted` ends what came before it: its `replacement_history` takes its place, or in older files
//!   its `message`, a summary. It stays whatever becomes of the turns in it. The `message` beside a history, which only
//!   screens show, stays as well. (From a `message` alone Codex also brings back earlier words of the user; they are not
//!   in the transcript.)
//! * The event `turn_aborted` marks the open calls of its turn as aborted, `thread_rolled_back` takes so many requests of
//!   the user with all that followed them out of the context.
//!
//! A summary is written as a line with a user's message, as Codex writes its own; `summary_of` names its group, a field
//! that Codex does not read.

mod index;
mod read;
mod sniff;
mod spelling;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::request::ReadRequest;
use crate::source::Worth;

/// The format of Codex rollouts.
///
/// ```
/// use cutctx_formats::{Fate, Session};
/// use cutctx_types::CharRatioEstimator;
///
/// let file = r#"{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"list it"}]}}
/// {"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"call_1"}}
/// {"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"a.rs\n"}}
/// "#;
/// let session = Session::read(file, &CharRatioEstimator::default())?;
/// assert_eq!((session.format().name(), session.transcript().turns().len()), ("codex-rollout", 3));
///
/// let shorter = session.render(&[Fate::Kept, Fate::Dropped, Fate::Dropped], &[])?.to_text();
/// assert_eq!(shorter.lines().count(), 1);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct CodexRollout;

/// What is to be said about the format. Codex mends what it sends: it answers open calls and leaves orphans out.
static ABOUT: About = About {
    name: "codex-rollout",
    describe: "a session file (rollout) of the Codex CLI",
    told_by: "lines with `timestamp`, `type` and `payload`; in the oldest files items and `record_type`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// What the index, the readers of items and the spelling look at. How a command ended may be missed where only a part of
/// its output is held.
static LINE: Worth = Worth::Members(&[
    ("timestamp", Worth::Whole),
    ("record_type", Worth::Whole),
    ("instructions", Worth::Text),
    ("payload", Worth::Members(PAYLOAD)),
    // The members of items that are lines themselves.
    ("type", Worth::Whole),
    ("role", Worth::Whole),
    ("id", Worth::Whole),
    ("call_id", Worth::Whole),
    ("name", Worth::Whole),
    ("function", Worth::Whole),
    ("status", Worth::Whole),
    ("phase", Worth::Whole),
    ("execution", Worth::Whole),
    ("summary_of", Worth::Whole),
    ("content", PARTS),
    ("summary", PARTS),
    ("encrypted_content", Worth::Text),
    ("arguments", Worth::Text),
    ("input", Worth::Text),
    ("output", PARTS),
    ("result", Worth::Whole),
    ("action", Worth::Whole),
]);

/// The members of payloads.
const PAYLOAD: &[(&str, Worth)] = &[
    ("type", Worth::Whole),
    ("role", Worth::Whole),
    ("id", Worth::Whole),
    ("call_id", Worth::Whole),
    ("approval_request_id", Worth::Whole),
    ("name", Worth::Whole),
    ("function", Worth::Whole),
    ("status", Worth::Whole),
    ("phase", Worth::Whole),
    ("execution", Worth::Whole),
    ("summary_of", Worth::Whole),
    ("num_turns", Worth::Whole),
    ("content", PARTS),
    ("summary", PARTS),
    ("encrypted_content", Worth::Text),
    ("arguments", Worth::Text),
    ("input", Worth::Text),
    ("output", PARTS),
    ("outputs", Worth::Whole),
    ("result", Worth::Whole),
    ("results", Worth::Whole),
    ("error", Worth::Whole),
    ("action", Worth::Whole),
    ("operation", Worth::Whole),
    ("queries", Worth::Whole),
    ("code", Worth::Whole),
    ("tools", Worth::Whole),
    ("message", Worth::Text),
    ("replacement_history", HISTORY),
    ("base_instructions", Worth::Members(&[("text", Worth::Text)])),
    ("model", Worth::Whole),
    ("info", Worth::Whole),
];

/// Texts, or lists of parts.
const PARTS: Worth = Worth::Blocks(&[("text", Worth::Text)]);

/// Items in a list.
const HISTORY: Worth =
    Worth::Blocks(&[("encrypted_content", Worth::Text), ("output", PARTS), ("content", PARTS)]);

impl Format for CodexRollout {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        sniff::sniff(document)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        read::read(document, request)
    }

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}
