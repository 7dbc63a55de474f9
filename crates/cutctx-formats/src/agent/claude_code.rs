//! Session files of Claude Code: JSON Lines that form a tree.
//!
//! # What is context
//!
//! Every line names the line that it follows. The conversation is the branch that ends in the last message of the
//! file, back to its root or to the last compaction; a file without any links is read from top to bottom. One API
//! message may stand on several lines, one block each, with results of its parallel calls in between: they are put
//! together again, also those that hang on the branch without leading on. What the branch says twice is counted once and
//! changed in both places; what a resumed session repeats beside the branch is no context.
//!
//! Lines that the model is never sent stay as they are: progress, snapshots, titles, queue operations, system notices
//! (among them the output of commands that a person ran), messages that the harness wrote in the model's place
//! (`<synthetic>`, API errors), dead branches, and the side chains of sub-agents, unless the file is a sub-agent's own.
//! Attachments are not counted either: the file does not hold the text that is made of them.
//!
//! A `toolUseResult` beside a message is the user interface's copy of a result. The model does not see it, so it stays
//! also when its result is masked: the file shrinks less than the context.
//!
//! # What is written
//!
//! Lines go, blocks change, and nothing else but the links to lines that are gone: those name the nearest line above
//! that stays. A checkpoint's `messageId` is no such link, it keeps the name that it was made under. A summary is a new
//! user line with `isMeta`, whose id is made from the id of its group and whose other fields are those of the first
//! line that it stands for. The result with which a call is answered that has none is a user line of its own directly
//! behind the call.
//!
//! The first thing said, the first thing that a person said, the newest one, and the message that the branch ends in are
//! pinned. So are instructions: messages that are nothing but reminders of the harness. What the harness says for the
//! moment is not: output of commands, notes, lines that are marked `isMeta`, the summary of an earlier compaction.
//!
//! Signed reasoning is never cut. In the turn that is still going on it stays byte for byte with its message; of earlier
//! turns it is kept where its turn is kept, goes as a whole from one that is masked, and goes or stays as a whole where
//! one is trimmed. What keeps messages of the model from touching in a way that the provider refuses is pinned, and so
//! is the request that the turn which is still going on begins after.
//!
//! # Earlier compactions
//!
//! Nothing from before the marker of a compaction is context, but for the messages that the marker says were kept
//! (`preservedSegment`): they follow the summary, and what followed the summary follows them. The marker names the first
//! and the last of them and the record that they follow; those three are pinned, so that its names stay true. Where they
//! are not in the file, or no way leads from the last one to the first, none were kept.

mod ids;
mod index;
mod links;
mod mend;
mod read;
mod record;
mod render;
mod sniff;
mod summary;
mod tree;
mod wire;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::provider::blocks;
use crate::request::ReadRequest;
use crate::source::Worth;

/// The format of Claude Code's session files.
///
/// ```
/// use cutctx_formats::{Fate, Session};
/// use cutctx_types::CharRatioEstimator;
///
/// let file = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"read it"}}
/// {"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","content":[{"type":"text","text":"How long is it?"}]}}
/// {"type":"user","uuid":"u2","parentUuid":"a1","message":{"role":"user","content":"ten pages"}}
/// "#;
/// let session = Session::read(file, &CharRatioEstimator::default())?;
/// assert_eq!(session.format().name(), "claude-code");
///
/// let shorter = session.render(&[Fate::Kept, Fate::Dropped, Fate::Kept], &[])?.to_text();
/// assert!(shorter.contains(r#""uuid":"u2","parentUuid":"u1""#));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct ClaudeCode;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "claude-code",
    describe: "a session file of Claude Code, or of one of its sub-agents",
    told_by: "lines with `uuid`, `parentUuid` and a `message`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Anthropic,
};

/// What [`record`], the reader of blocks and the rules look at. The fields that a summary repeats are fetched when one
/// is written.
static LINE: Worth = Worth::Members(&[
    ("type", Worth::Whole),
    ("subtype", Worth::OneOf(&[r#""compact_boundary""#])),
    ("uuid", Worth::Whole),
    ("parentUuid", Worth::Whole),
    ("logicalParentUuid", Worth::Whole),
    ("sourceToolAssistantUUID", Worth::Whole),
    ("leafUuid", Worth::Whole),
    ("compactMetadata", Worth::Members(&[("preservedSegment", Worth::Whole)])),
    ("isSidechain", TRUE),
    ("isMeta", TRUE),
    ("isCompactSummary", TRUE),
    ("isApiErrorMessage", TRUE),
    (
        "message",
        Worth::Members(&[
            ("id", Worth::Whole),
            ("model", Worth::Whole),
            ("content", blocks::WORTH),
            ("usage", USAGE),
        ]),
    ),
]);

const USAGE: Worth = Worth::Members(&[
    ("input_tokens", Worth::Whole),
    ("cache_creation_input_tokens", Worth::Whole),
    ("cache_read_input_tokens", Worth::Whole),
    ("output_tokens", Worth::Whole),
]);

const TRUE: Worth = Worth::OneOf(&["true"]);

impl Format for ClaudeCode {
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
