//! What a compactor answers.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{CleanText, DurableObject, FieldFault, SpokenText};
use cutctx_types::Sha256Digest;

/// A short name for programs: clean, without control characters, at most 512 bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(CleanText);

impl Label {
    /// Checks a text.
    ///
    /// # Errors
    ///
    /// [`FieldFault`]: what the text does not keep of the promise.
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, FieldFault> {
        let text = CleanText::new(text)?;
        let control = |byte: u8| byte < 0x20 || byte == 0x7F;
        if text.len() > 512 || text.bytes().any(control) {
            return Err(FieldFault::Pattern { wanted: "at most 512 bytes without control characters" });
        }
        Ok(Self(text))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A summary, and how much of the messages it stands for.
///
/// Of the two forms, [`Self::new`] covers messages and [`Self::exhausted`] none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionResult {
    /// The summary. What covers nothing repeats the summary before.
    pub summary: SpokenText,
    /// How many of the messages it stands for, from the first on.
    pub covered_message_count: usize,
    /// The SHA-256 of the summary before, as proof that it was taken in.
    pub represented_existing_summary_sha256: Option<String>,
    /// How many pieces the messages were read in.
    pub source_chunk_count: usize,
    /// How they were cut into pieces.
    pub source_chunk_mode: Option<Label>,
    /// Whether not all of the messages were read.
    pub bounded_input: bool,
    /// What the compactor tells about itself; nobody looks into it.
    pub metadata: DurableObject,
    /// What models reported for each attempt.
    pub model_completed_payloads: Vec<DurableObject>,
    exhausted: Option<Label>,
}

impl CompactionResult {
    /// A summary of so many messages, made in one piece.
    #[must_use]
    pub fn new(summary: SpokenText, covered_message_count: usize) -> Self {
        Self {
            summary,
            covered_message_count,
            represented_existing_summary_sha256: None,
            source_chunk_count: 1,
            source_chunk_mode: None,
            bounded_input: false,
            metadata: DurableObject::empty(),
            model_completed_payloads: Vec::new(),
            exhausted: None,
        }
    }

    /// No progress: nothing is covered, and this configuration will not cover anything while the summary before is what
    /// it is. `summary` is that summary, or says that there is none.
    #[must_use]
    pub fn exhausted(summary: SpokenText, progress_key: Label) -> Self {
        Self { exhausted: Some(progress_key), ..Self::new(summary, 0) }
    }

    /// With the proof that this summary before was taken in.
    #[must_use]
    pub fn representing(mut self, existing_summary: &str) -> Self {
        let digest = Sha256Digest::of_bytes(existing_summary.as_bytes());
        self.represented_existing_summary_sha256 = Some(digest.to_hex());
        self
    }

    /// With how the messages were read: in so many pieces of this sort, and whether not all of them were.
    #[must_use]
    pub fn with_source(mut self, count: usize, mode: &'static str, bounded_input: bool) -> Self {
        self.source_chunk_count = count;
        self.source_chunk_mode = Label::new(mode).ok();
        self.bounded_input = bounded_input;
        self
    }

    /// With what the compactor tells about itself.
    #[must_use]
    pub fn with_metadata(mut self, metadata: DurableObject) -> Self {
        self.metadata = metadata;
        self
    }

    /// With what models reported.
    #[must_use]
    pub fn with_model_payloads(mut self, payloads: Vec<DurableObject>) -> Self {
        self.model_completed_payloads = payloads;
        self
    }

    /// Whether the compactor cannot make progress.
    #[must_use]
    pub const fn is_progress_exhausted(&self) -> bool {
        self.exhausted.is_some()
    }

    /// Under which key it cannot.
    #[must_use]
    pub const fn progress_key(&self) -> Option<&Label> {
        self.exhausted.as_ref()
    }

    /// How the messages were cut into pieces: `single_request` where nothing else is said.
    #[must_use]
    pub fn chunk_mode(&self) -> &str {
        self.source_chunk_mode.as_ref().map_or("single_request", Label::as_str)
    }
}
