//! Session files of pi, and of `OpenClaw`, which keeps its sessions as pi does: JSON Lines that form a tree.
//!
//! # What is context
//!
//! The branch that ends in the last entry of the file, back to its root. Files of the first version have no ids; they
//! are read from top to bottom. After a compaction only its summary, the entries that it says are kept, and what
//! follows it are context. Messages are turns, and so are the messages and branch summaries that extensions and the
//! tool put in (`custom_message`, `branch_summary`), which the model sees in a person's place, and the output of
//! commands that a person ran, unless it is excluded.
//!
//! Messages of the model that ended in an error or were aborted are no turns: pi never sends them again. They stay in
//! the file. Results of calls that such a message made before it ended are turns without a call. All other entries
//! (model changes, labels, custom data) stay as they are, as do the `details` of a result, which only the user
//! interface shows.
//!
//! # What is written
//!
//! Lines go and blocks change. `parentId` names the nearest entry above that stays. The record of a compaction stays:
//! a new summary takes the place of its text, and what it says is kept first (`firstKeptEntryId`,
//! `firstKeptEntryIndex`) is mended. A summary is a user message whose id is made from the id of its group.

mod read;
mod write;

use alloc::vec::Vec;

use super::earlier_summary::EarlierSummary;
use super::parent_links::ParentLinks;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::raw::{Object, Span};
use crate::request::ReadRequest;
use crate::shapes::blocks;
use crate::source::Worth;

/// The format of pi's and `OpenClaw`'s session files.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Pi;

/// The format's name.
const NAME: &str = "pi";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session file of pi or OpenClaw",
    told_by: "a first line of the type `session` with `id` and `timestamp`, and lines with a `message`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 4;

/// What the reader of entries, the links and the spelling look at.
static LINE: Worth = Worth::Members(&[
    ("type", Worth::Whole),
    ("id", Worth::Whole),
    ("parentId", Worth::Whole),
    ("timestamp", Worth::Whole),
    ("firstKeptEntryId", Worth::Whole),
    ("firstKeptEntryIndex", Worth::Whole),
    ("summary", Worth::Text),
    ("content", blocks::WORTH),
    (
        "message",
        Worth::Members(&[
            ("role", Worth::Whole),
            ("content", blocks::WORTH),
            ("stopReason", Worth::Whole),
            ("usage", Worth::Whole),
            ("timestamp", Worth::Whole),
            ("toolName", Worth::Whole),
            ("toolCallId", Worth::Whole),
            ("isError", Worth::Whole),
            ("excludeFromContext", Worth::Whole),
            ("output", Worth::Text),
            ("summary", Worth::Text),
        ]),
    ),
]);

impl Format for Pi {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        document.sample(SAMPLE).iter().any(is_header).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        read::read(document, request)
    }

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}

fn is_header(line: &Object<'_>) -> bool {
    line.get("type").is_some_and(|kind| kind.is_string("session"))
        && ["id", "timestamp", "cwd"].iter().all(|key| line.has(key))
}

/// What is needed to write a file back.
#[derive(Debug)]
struct Entries {
    /// The entries with their line feeds.
    places: Vec<Span>,
    links: ParentLinks,
    compaction: Option<Compaction>,
}

/// The record of a compaction.
#[derive(Debug, Clone, Copy)]
struct Compaction {
    /// Its entry.
    record: usize,
    /// Its text; none where it is empty.
    summary: Option<EarlierSummary>,
    /// The first entry that is kept, and the JSON value that names it.
    kept: Option<(usize, Span)>,
}
