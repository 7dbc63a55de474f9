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

/// A line whose payload is worth this.
macro_rules! line {
    ($payload:expr) => {
        Worth::Members(&[("timestamp", Worth::Whole), ("type", Worth::Whole), ("payload", $payload)])
    };
}

/// What the index, the readers of items and the spelling look at, line by line. In the oldest files items are lines
/// themselves; those of them that stand for nothing else may be counted by their length, so all of them stays.
static LINE: Worth = Worth::ByType(
    &[
        ("response_item", line!(Worth::All(ITEM))),
        ("compacted", line!(COMPACTED)),
        ("event_msg", line!(EVENT)),
        ("session_meta", line!(META)),
        ("turn_context", line!(Worth::Members(&[]))),
        ("world_state", line!(Worth::Members(&[]))),
    ],
    &Worth::All(ITEM),
);

const COMPACTED: Worth =
    Worth::Members(&[("message", Worth::Said), ("replacement_history", Worth::List(&Worth::All(ITEM)))]);

const EVENT: Worth =
    Worth::Members(&[("type", Worth::Whole), ("num_turns", Worth::Whole), ("info", Worth::Whole)]);

const META: Worth = Worth::Members(&[("base_instructions", Worth::Members(&[("text", Worth::Text)]))]);

/// The members of items, and those of other lines.
const ITEM: &[(&str, Worth)] = &[
    ("content", Worth::Blocks(PART)),
    ("summary", Worth::Blocks(PART)),
    ("encrypted_content", Worth::Text),
    ("arguments", Worth::Arguments),
    ("input", Worth::Arguments),
    ("operation", Worth::Arguments),
    ("output", Worth::Output(PART)),
    ("result", Worth::Output(PART)),
    ("instructions", Worth::Text),
    ("payload", Worth::Members(&[])),
];

/// The members of parts.
const PART: &[(&str, Worth)] = &[
    ("text", Worth::Said),
    ("refusal", Worth::Text),
    ("image_url", Worth::Data),
    ("file_data", Worth::Data),
    ("file_url", Worth::Data),
    ("input_audio", Worth::Data),
];

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
