//! The outcome of applying a plan.

use crate::report::CompactionReport;
use crate::transcript::{Transcript, TranscriptError};
use crate::turn::TranscriptTurn;
use alloc::vec::Vec;
use serde::Serialize;

/// The view to send, with the report of how it came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CompactedTranscript {
    /// The turns of the view, in order.
    pub turns: Vec<TranscriptTurn>,
    /// What was done.
    pub report: CompactionReport,
}

impl CompactedTranscript {
    /// A view and its report.
    #[must_use]
    pub const fn new(turns: Vec<TranscriptTurn>, report: CompactionReport) -> Self {
        Self { turns, report }
    }

    /// The view as a transcript of its own, ready to be planned over again.
    ///
    /// # Errors
    ///
    /// [`TranscriptError::TotalOverflow`] when measured summaries add up to more than 64 bits hold.
    pub fn into_transcript(self) -> Result<Transcript, TranscriptError> {
        Transcript::new(self.turns)
    }
}
