//! What a format is.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;

use cutctx_messages::MessageEstimator;
use cutctx_types::Transcript;

use crate::document::Document;
use crate::error::FormatError;
use crate::raw::Splices;
use crate::view::View;
use crate::violation::Violation;

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

/// A format of session files or provider documents.
///
/// A format has no state. Implement it for a unit struct; pass it to [`Session::read_as`](crate::Session::read_as).
pub trait Format: Debug + Send + Sync {
    /// The short name, such as `openai-chat`.
    fn name(&self) -> &'static str;

    /// What it is, in a few words for people.
    fn describe(&self) -> &'static str;

    /// Whether the file is of this format, from its structure. Looks at as little of it as it can.
    fn sniff(&self, document: &Document<'_>) -> Option<Confidence>;

    /// Reads the file: its turns, and the lens to write it back.
    ///
    /// # Errors
    ///
    /// When a record cannot be read.
    fn read(&self, document: &Document<'_>, estimator: &dyn MessageEstimator)
    -> Result<Reading, FormatError>;
}

/// What reading a file gives.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The turns.
    pub transcript: Transcript,
    /// The way back.
    pub lens: Box<dyn Lens>,
}

impl Reading {
    /// A transcript and the way back from it.
    #[must_use]
    pub fn new(transcript: Transcript, lens: impl Lens + 'static) -> Self {
        Self { transcript, lens: Box::new(lens) }
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

    /// Where the document breaks the rules of its provider. `text` is the text that was read.
    fn violations(&self, text: &str) -> Vec<Violation>;
}
