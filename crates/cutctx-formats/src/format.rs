//! What a format is.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;

use cutctx_types::Transcript;

use crate::document::Document;
use crate::error::FormatError;
use crate::layout::{Mend, Mended};
use crate::raw::Splices;
use crate::request::ReadRequest;
use crate::source::Worth;
use crate::standing::Standing;
use crate::view::View;

/// How sure a format is that a file is one of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Confidence {
    /// The file can be read so, but nothing shows that it was meant so.
    Possible,
    /// The file has the usual shape.
    Likely,
    /// The file has a mark that no other format has.
    Certain,
}

/// On what a format's reader rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// Whole sessions of real use are read and written back.
    Sessions,
    /// Only short or shortened real files were seen.
    Fragments,
    /// Only descriptions of the format were seen, and files made after them.
    Grammar,
}

impl Evidence {
    /// The word used in outputs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Fragments => "fragments",
            Self::Grammar => "grammar",
        }
    }
}

/// Whose rules the messages of a format must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Nobody's: the file is never sent as it is, and its tool mends what it sends, or it is no conversation with a
    /// provider.
    Free,
    /// The chat completions API.
    OpenAiChat,
    /// The Responses API.
    OpenAiResponses,
    /// The Anthropic Messages API.
    Anthropic,
    /// The Bedrock Converse API.
    Bedrock,
    /// The Gemini API.
    Gemini,
}

/// What is to be said about a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a format outside of this crate writes one down")]
pub struct About {
    /// The short name, such as `openai-chat`.
    pub name: &'static str,
    /// What it is, in a few words for people.
    pub describe: &'static str,
    /// By what its files are told apart from others.
    pub told_by: &'static str,
    /// On what the reader rests.
    pub evidence: Evidence,
    /// Whose rules the messages must keep.
    pub dialect: Dialect,
}

/// A format of session files or provider documents.
///
/// A format has no state. Implement it for a unit struct; pass it to [`Session::read_as`](crate::Session::read_as).
pub trait Format: Debug + Send + Sync {
    /// Its name and what else is to be said about it.
    fn about(&self) -> &About;

    /// The short name, such as `openai-chat`.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// What it is, in a few words for people.
    fn describe(&self) -> &'static str {
        self.about().describe
    }

    /// Whether the file is of this format, from its structure. Looks at as little of it as it can.
    fn sniff(&self, document: &Document<'_>) -> Option<Confidence>;

    /// Reads the file: its turns, and the lens to write it back. Tells the request's observer of every message.
    ///
    /// # Errors
    ///
    /// When a record cannot be read.
    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError>;

    /// What of a line it reads, so that a large file of lines need not be held as a whole. `None` where all of a file
    /// is needed, or a file is no lines.
    fn worth(&self) -> Option<Worth> {
        None
    }
}

/// What reading a file gives.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The turns.
    pub transcript: Transcript,
    /// The way back.
    pub lens: Box<dyn Lens>,
    /// How many conversations the file holds; the transcript is that of one.
    pub conversations: usize,
}

impl Reading {
    /// A transcript and the way back from it.
    #[must_use]
    pub fn new(transcript: Transcript, lens: impl Lens + 'static) -> Self {
        Self { transcript, lens: Box::new(lens), conversations: 1 }
    }

    /// A transcript and a way back from it that is known only while the program runs.
    #[must_use]
    pub(crate) fn boxed(transcript: Transcript, lens: Box<dyn Lens>) -> Self {
        Self { transcript, lens, conversations: 1 }
    }

    /// As one of so many conversations.
    #[must_use]
    pub const fn of(mut self, conversations: usize) -> Self {
        self.conversations = conversations;
        self
    }
}

/// The way back from turns to the file: an index over the file's text, made while reading.
pub trait Lens: Debug + Send + Sync {
    /// The edits that make the file say what the view says. None when every turn is kept.
    ///
    /// # Errors
    ///
    /// When a summary's text is missing or a fate cannot be written in this format.
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError>;

    /// The edits that mend a file in which every turn is kept. `None` where the format leaves that to its fates.
    fn mend(&self, mends: &[Mend], view: &View<'_>) -> Option<Mended> {
        let _ = (mends, view);
        None
    }

    /// Where the parts of the turns stand, in any order: what of the file is context. Empty where that is not told.
    fn standings(&self) -> Vec<Standing> {
        Vec::new()
    }
}
