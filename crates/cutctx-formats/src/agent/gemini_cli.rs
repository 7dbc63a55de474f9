//! Chats of the Gemini CLI: its chat files in JSON and in JSON Lines, its saved checkpoints, and its output stream.
//!
//! # What is context
//!
//! * A chat file holds `messages`: what a person said, and what the model said with its `toolCalls`, each with its
//!   result. Notes to the person (`info`, `error`, `warning`), local commands (what a person said that begins with `/`
//!   or `?`), `thoughts` and `resultDisplay` are never sent again; they are no turns and stay.
//! * Newer chat files have one message a line. A message that is written anew takes the place of the old line with its
//!   id, `$rewindTo` takes messages back, and a `$set` with `messages` says them all; the conversation is what is left.
//!   A message that goes takes its older lines with it. The tool's own compression leaves no other mark than such a
//!   list; the `summary` of a chat is its title.
//! * A checkpoint holds a `history` of Gemini contents.
//! * The output stream (`--output-format stream-json`) has a line for each piece of a message, call and result.
//!
//! # What is written
//!
//! Texts, arguments and results change in place. A response that is more than one text becomes `{"output": …}`. A
//! summary is a message of the user; one that the tool would take for a local command is one of the model.

mod chat;
mod history;
mod lines;
mod stream;

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::raw::{Kind, Node, Object};
use crate::request::ReadRequest;
use crate::shapes::blocks;
use crate::shapes::gemini_parts;
use crate::source::Worth;

/// The format of the Gemini CLI's chats.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct GeminiCli;

/// The format's name.
const NAME: &str = "gemini-cli";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a chat file, a checkpoint or an output stream of the Gemini CLI",
    told_by: "`sessionId` with `projectHash`, a `history` of contents, or lines with `tool_name` and `tool_id`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// How many records are looked at.
const SAMPLE: usize = 24;

/// What the readers of chats and streams, and the spelling look at. A list of all messages counts whole.
static LINE: Worth = Worth::Members(&[
    ("type", Worth::Whole),
    ("id", Worth::Whole),
    ("timestamp", Worth::Whole),
    ("content", gemini_parts::WORTH),
    ("tokens", Worth::Whole),
    (
        "toolCalls",
        Worth::List(&Worth::Members(&[
            ("id", Worth::Whole),
            ("name", Worth::Whole),
            ("args", Worth::Arguments),
            ("status", Worth::Whole),
            ("result", gemini_parts::WORTH),
        ])),
    ),
    ("$rewindTo", Worth::Whole),
    ("$set", Worth::Whole),
    ("messages", Worth::Whole),
    ("history", Worth::Whole),
    ("sessionId", Worth::Whole),
    ("projectHash", Worth::Whole),
    // The members of a stream's lines.
    ("session_id", Worth::Whole),
    ("role", Worth::Whole),
    ("tool_name", Worth::Whole),
    ("tool_id", Worth::Whole),
    ("parameters", Worth::Arguments),
    ("output", blocks::RESULT),
    ("error", Worth::Whole),
    ("status", Worth::Whole),
]);

impl Format for GeminiCli {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        kind_of(document).map(|_| Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        match kind_of(document) {
            Some(FileKind::Chat) => chat::read(document, request),
            Some(FileKind::History) => history::read(document, request),
            Some(FileKind::Stream) => stream::read(document, request),
            None => Err(FormatError::Unrecognized { at: document.start(), looks_like: None }),
        }
    }

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}

/// What sort of file it is.
enum FileKind {
    Chat,
    History,
    Stream,
}

fn kind_of(document: &Document<'_>) -> Option<FileKind> {
    if matches!(document.shape(), Shape::Array(..) | Shape::Glued(..)) {
        return None;
    }
    let records = document.sample(SAMPLE);
    if records.iter().any(|record| record.has("sessionId") && record.has("projectHash")) {
        return Some(FileKind::Chat);
    }
    let first = records.first()?;
    if first_content(first).is_some_and(|content| content.has("role") && content.has("parts")) {
        return Some(FileKind::History);
    }
    let is_stream = |record: &Object<'_>| {
        let has = |keys: &[&str]| keys.iter().all(|key| record.has(key));
        let init = record.get("type").is_some_and(|kind| kind.is_string("init"));
        has(&["type", "tool_name", "tool_id"]) || (init && has(&["session_id", "model", "timestamp"]))
    };
    records.iter().any(is_stream).then_some(FileKind::Stream)
}

fn first_content<'a>(record: &Object<'a>) -> Option<Object<'a>> {
    let history = record.get("history").filter(|history| history.kind() == Kind::Array)?;
    history.array().ok()??.first().and_then(|content: &Node<'a>| content.object().ok()?)
}
