//! A file that was read: its turns and the way back.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use std::io;

use cutctx_messages::MessageEstimator;
use cutctx_types::{CharRatioEstimator, Transcript};

use crate::detect::detect;
use crate::document::Document;
use crate::error::{FormatError, Place};
use crate::format::{Format, Lens, Reading};
use crate::raw::Splices;
use crate::request::ReadRequest;
use crate::view::View;
use crate::violation::Violation;
use cutctx_exec::Fate;

/// A session file: its text, its turns, and the index by which it is written back.
#[derive(Debug)]
pub struct Session {
    source: Source,
    format: &'static dyn Format,
    transcript: Transcript,
    lens: Box<dyn Lens>,
    conversations: usize,
}

/// Where the bytes of the file are. In memory for now; formats see only text and offsets, so that a seekable file can
/// take its place.
struct Source {
    text: String,
}

impl core::fmt::Debug for Source {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Source({} bytes)", self.text.len())
    }
}

/// The text that a caller supplies for a group of summarized turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a summary is a text for a group")]
pub struct SummaryText<'a> {
    /// The group's id.
    pub group: &'a str,
    /// The summary. In provider formats a blank one leaves no record, because providers refuse blank text.
    pub text: &'a str,
}

impl Session {
    /// Reads a file that holds one conversation, recognising its format from its content.
    ///
    /// # Errors
    ///
    /// When it is no UTF-8, no JSON, of no known format, or has a record that cannot be read.
    pub fn read(bytes: impl Into<Vec<u8>>, estimator: &dyn MessageEstimator) -> Result<Self, FormatError> {
        Self::read_with(None, bytes, &ReadRequest::new(estimator))
    }

    /// Reads a file as one of this format, whatever it looks like.
    ///
    /// # Errors
    ///
    /// When it is no UTF-8, no JSON, or has a record that cannot be read so.
    pub fn read_as(
        format: &'static dyn Format,
        bytes: impl Into<Vec<u8>>,
        estimator: &dyn MessageEstimator,
    ) -> Result<Self, FormatError> {
        Self::read_with(Some(format), bytes, &ReadRequest::new(estimator))
    }

    /// Reads a file as one of this format, or of the one that its content shows; the request says which of several
    /// conversations, and who sees the messages.
    ///
    /// # Errors
    ///
    /// As [`Session::read`], and when the conversation that was asked for does not exist.
    pub fn read_with(
        format: Option<&'static dyn Format>,
        bytes: impl Into<Vec<u8>>,
        request: &ReadRequest<'_>,
    ) -> Result<Self, FormatError> {
        let source = Source::new(bytes.into())?;
        let document = Document::parse(&source.text)?;
        let format = format.map_or_else(|| detect(&document), Ok)?;
        let reading = format.read(&document, request)?;
        Ok(Self::new(source, format, reading))
    }

    fn new(source: Source, format: &'static dyn Format, reading: Reading) -> Self {
        let Reading { transcript, lens, conversations } = reading;
        Self { source, format, transcript, lens, conversations }
    }

    /// The file's format.
    #[must_use]
    pub fn format(&self) -> &'static dyn Format {
        self.format
    }

    /// How many conversations the file holds. The session is one of them; rendering leaves the others as they are.
    #[must_use]
    pub const fn conversations(&self) -> usize {
        self.conversations
    }

    /// The turns of the context, in order.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The text of the file as it was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The size of the file, in bytes.
    #[must_use]
    pub const fn file_bytes(&self) -> usize {
        self.source.text.len()
    }

    /// How much of the file the model sees, in bytes of the turns' text. Copies for a user interface, escapes and
    /// structure do not count.
    #[must_use]
    pub fn context_bytes(&self) -> usize {
        self.transcript.turns().iter().map(|turn| turn.content().len()).fold(0, usize::saturating_add)
    }

    /// Where the file breaks the rules of its provider; empty when it would be accepted.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        self.lens.violations(&self.source.text)
    }

    /// The file with these fates, one a turn, and these summaries. Where the format stores estimates, new text is
    /// counted as one token for four characters.
    ///
    /// # Errors
    ///
    /// When the number of fates is wrong, a group has no text, or a turn cannot have its fate in this format.
    pub fn render(
        &self,
        fates: &[Fate<'_>],
        summaries: &[SummaryText<'_>],
    ) -> Result<Rendered<'_>, FormatError> {
        self.render_with(fates, summaries, &CharRatioEstimator::default())
    }

    /// As [`Session::render`], with the estimator for formats that store estimates.
    ///
    /// # Errors
    ///
    /// As [`Session::render`].
    pub fn render_with(
        &self,
        fates: &[Fate<'_>],
        summaries: &[SummaryText<'_>],
        estimator: &dyn MessageEstimator,
    ) -> Result<Rendered<'_>, FormatError> {
        let text = self.text();
        let splices = {
            let view = View::new(text, &self.transcript, fates, summaries, estimator)?;
            self.lens.render(&view)?.ordered(text)?
        };
        Ok(Rendered { text, splices })
    }
}

impl Source {
    fn new(bytes: Vec<u8>) -> Result<Self, FormatError> {
        let text = String::from_utf8(bytes)
            .map_err(|error| not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()))?;
        Ok(Self { text })
    }
}

fn not_utf8(bytes: &[u8], offset: usize) -> FormatError {
    let line = bytes.get(..offset).unwrap_or_default().split(|byte| *byte == b'\n').count();
    FormatError::NotUtf8 { at: Place { line, offset } }
}

/// A file as it is to be written: the text that was read and the edits of it.
#[derive(Debug)]
pub struct Rendered<'s> {
    text: &'s str,
    splices: Splices,
}

impl Rendered<'_> {
    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_to(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        self.splices.write_to(self.text, out)
    }

    /// The file as one string.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.splices.edited(self.text)
    }

    /// Whether the file is what was read.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.splices.is_empty()
    }

    /// The byte offset of the first change; `None` when nothing changed.
    #[must_use]
    pub fn first_changed_byte(&self) -> Option<usize> {
        self.splices.first_change()
    }
}
