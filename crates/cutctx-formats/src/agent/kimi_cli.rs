//! Sessions of Kimi Code (`wire.jsonl`): a log of events that make up the context.
//!
//! # What is context
//!
//! * The system prompt of the last `config.update` that has one. It can only be kept.
//! * `context.append_message`: what a person said, or the harness in a person's place. One that comes while a tool is at
//!   work belongs after its result.
//! * `context.append_loop_event`: the steps of the model. The parts and calls of one step are one message, results are
//!   turns of their own.
//! * `context.clear` and `context.undo` take messages back.
//! * `context.apply_compaction`: its summary, after the newest messages that a person said before it, as many as it says
//!   it keeps (older logs: before the messages that follow the ones it counts). What it keeps is pinned, because the
//!   tool would choose others instead.
//!
//! Everything else is for the user interface and stays: prompts that are waiting (`turn.prompt`), requests, usage,
//! permissions. So do the copies of results that the tool keeps in files of their own.
//!
//! # What is written
//!
//! Lines go and texts change; the lines that begin and end a step go with all of its parts. A compaction's line stays,
//! and a new summary takes the place of its text. A summary is a message of the user.

mod history;
mod read;
mod write;

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::raw::Object;
use crate::request::ReadRequest;
use crate::shapes::blocks;
use crate::source::Worth;

/// The format of Kimi Code's sessions.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct KimiCli;

/// The format's name.
const NAME: &str = "kimi-cli";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "the event log of a Kimi Code session or sub-agent",
    told_by: "a first line with `protocol_version`, and lines of the types `context.…`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 24;

/// What the history, the reader and the spelling look at, event by event.
static LINE: Worth = Worth::ByType(
    &[
        (
            "config.update",
            Worth::Members(&[("type", Worth::Whole), ("time", Worth::Whole), ("systemPrompt", Worth::Text)]),
        ),
        (
            "context.append_message",
            Worth::Members(&[("type", Worth::Whole), ("time", Worth::Whole), ("message", MESSAGE)]),
        ),
        (
            "context.append_loop_event",
            Worth::Members(&[("type", Worth::Whole), ("time", Worth::Whole), ("event", EVENT)]),
        ),
        (
            "context.apply_compaction",
            Worth::All(&[("contextSummary", Worth::Text), ("summary", Worth::Text)]),
        ),
    ],
    &Worth::Members(&[("type", Worth::Whole), ("time", Worth::Whole), ("count", Worth::Whole)]),
);

const MESSAGE: Worth = Worth::Members(&[
    ("role", Worth::Whole),
    ("origin", Worth::Whole),
    ("content", blocks::WORTH),
    (
        "toolCalls",
        Worth::List(&Worth::All(&[
            ("arguments", Worth::Arguments),
            ("function", Worth::All(&[("arguments", Worth::Arguments)])),
        ])),
    ),
    ("toolCallId", Worth::Whole),
]);

const EVENT: Worth = Worth::Members(&[
    ("type", Worth::Whole),
    ("uuid", Worth::Whole),
    ("turnId", Worth::Whole),
    ("step", Worth::Whole),
    ("stepUuid", Worth::Whole),
    ("part", Worth::All(blocks::BLOCK)),
    ("toolCallId", Worth::Whole),
    ("name", Worth::Whole),
    ("args", Worth::Arguments),
    ("result", Worth::Members(&[("output", blocks::RESULT), ("isError", Worth::Whole)])),
]);

impl Format for KimiCli {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let lines = matches!(document.shape(), Shape::Lines | Shape::Object(_));
        (lines && document.sample(SAMPLE).iter().any(is_line)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        read::read(document, request)
    }

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}

fn is_line(line: &Object<'_>) -> bool {
    let kind = line.string("type").unwrap_or_default();
    (kind == "metadata" && line.has("protocol_version"))
        || (kind == "context.append_message" && line.has("message"))
        || (kind == "context.append_loop_event" && line.has("event"))
}
