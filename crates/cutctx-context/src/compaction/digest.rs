//! The compactor that writes messages down.

use alloc::format;
use alloc::string::String;

use cutctx_messages::{DurableObject, Message, SpokenText, atomic_prefix_counts};
use cutctx_types::Coded as _;

use super::compactor::{CompactionFacts, CompactionStep, ContextCompactor};
use super::failure::{CompactionFailure, CompactionOutcome};
use super::message_digest::message_digest;
use super::request::CompactionRequest;
use super::result::{CompactionResult, Label};
use crate::estimate::chars;
use crate::payload::Payload;
use crate::setting::{SettingError, SettingFault};

/// The compactor of the reference that needs no model: it writes the messages down behind the summary before, as many as
/// fit.
///
/// It condenses nothing. When its text is full it is exhausted for good. [`ExtractiveCompactor`] always makes progress
/// and is the one to use; this one is here for checkpoints and vectors of the reference.
///
/// [`ExtractiveCompactor`]: crate::ExtractiveCompactor
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptDigestCompactor {
    max_summary_chars: u64,
}

/// The least that the summary may be limited to, in characters.
const LEAST: u64 = 200;

/// What stands before the summary before.
const PREVIOUS: &str = "Previous summary:\n";
/// What stands before the messages.
const NEW: &str = "Newly compacted transcript:\n";
/// What stands between the two.
const JOINER: &str = "\n\n";
/// What is said where there is nothing to say.
const NOTHING: &str = "No source history was compacted.";

const NAME: &str = "TranscriptDigestCompactor";

impl Default for TranscriptDigestCompactor {
    /// At most 8,000 characters.
    fn default() -> Self {
        Self { max_summary_chars: 8_000 }
    }
}

impl TranscriptDigestCompactor {
    /// Summaries of at most so many characters.
    ///
    /// # Errors
    ///
    /// [`SettingError`] below 200.
    pub const fn new(max_summary_chars: u64) -> Result<Self, SettingError> {
        if max_summary_chars < LEAST {
            return Err(SettingFault::TooSmall { least: LEAST }.of("max_summary_chars"));
        }
        Ok(Self { max_summary_chars })
    }

    /// Summarizes.
    ///
    /// # Errors
    ///
    /// [`CompactionFailure`] when there is nothing to summarize, or the messages are not well formed.
    pub fn compact(&self, request: &CompactionRequest) -> CompactionOutcome {
        let existing = request.existing_summary.as_ref();
        if existing.is_some_and(|summary| chars(summary) > self.max_summary_chars) {
            return self.exhausted(existing, "existing_summary_exceeds_limit");
        }
        let Some(covered) = self.fitting(existing, &request.messages)? else {
            let unchanged = existing.ok_or_else(CompactionFailure::nothing_to_compact)?;
            let result = CompactionResult::new(unchanged.clone(), 0).with_source(1, "digest_prefix", false);
            return Ok(result.with_metadata(self.metadata(None)));
        };
        if covered == 0 {
            return self.exhausted(existing, "no_atomic_prefix_fits");
        }
        let bounded = covered < request.messages.len();
        let source = request.messages.get(..covered).unwrap_or_default();
        let result = CompactionResult::new(written(existing, source)?, covered)
            .with_source(1, "digest_prefix", bounded)
            .with_metadata(self.metadata(None));
        Ok(match existing {
            Some(existing) => result.representing(existing),
            None => result,
        })
    }

    /// How many messages fit; `None` where there are none.
    fn fitting(
        &self,
        existing: Option<&SpokenText>,
        messages: &[Message],
    ) -> Result<Option<usize>, CompactionFailure> {
        if messages.is_empty() {
            return Ok(None);
        }
        let counts = atomic_prefix_counts(messages)
            .map_err(|error| CompactionFailure::new(error.code(), "the messages are not well formed"))?;
        let before = existing.map_or(0, |summary| {
            chars(PREVIOUS).saturating_add(chars(summary)).saturating_add(chars(JOINER))
        });
        let mut length = chars(NEW).saturating_add(before);
        let mut covered = 0_usize;
        for count in counts {
            for (at, message) in messages.iter().enumerate().take(count).skip(covered) {
                let line_end = u64::from(at > 0);
                length = length.saturating_add(chars(&message_digest(message))).saturating_add(line_end);
            }
            if length > self.max_summary_chars {
                break;
            }
            covered = count;
        }
        Ok(Some(covered))
    }

    fn exhausted(&self, existing: Option<&SpokenText>, reason: &'static str) -> CompactionOutcome {
        let summary = existing.cloned().map_or_else(|| spoken(NOTHING.into()), Ok)?;
        let key = self.key().ok_or_else(CompactionFailure::nothing_to_compact)?;
        let result = CompactionResult::exhausted(summary, key);
        Ok(result
            .with_source(0, "digest_capacity_exhausted", true)
            .with_metadata(self.metadata(Some(reason))))
    }

    fn metadata(&self, reason: Option<&'static str>) -> DurableObject {
        let metadata =
            Payload::new().text("compactor", NAME).tokens("max_summary_chars", self.max_summary_chars);
        match reason {
            Some(reason) => metadata.text("progress_reason", reason).object(),
            None => metadata.object(),
        }
    }

    fn key(&self) -> Option<Label> {
        Label::new(format!("transcript-digest:v2:cutctx:max-summary-chars={}", self.max_summary_chars)).ok()
    }
}

impl ContextCompactor for TranscriptDigestCompactor {
    fn name(&self) -> &str {
        NAME
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        CompactionStep::Done(self.compact(request))
    }

    fn progress_key(&self, _: &CompactionFacts<'_>) -> Option<Label> {
        self.key()
    }

    fn bounded_input(&self, _: &CompactionFacts<'_>) -> Option<bool> {
        Some(true)
    }
}

fn written(existing: Option<&SpokenText>, source: &[Message]) -> Result<SpokenText, CompactionFailure> {
    let mut text = String::new();
    if let Some(existing) = existing {
        text.push_str(PREVIOUS);
        text.push_str(existing);
        text.push_str(JOINER);
    }
    text.push_str(NEW);
    text.push_str(&super::message_digest::digests(source));
    spoken(text)
}

fn spoken(text: String) -> Result<SpokenText, CompactionFailure> {
    SpokenText::new(text).map_err(|_| CompactionFailure::bad_summary())
}
