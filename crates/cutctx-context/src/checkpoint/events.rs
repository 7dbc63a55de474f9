//! What is told about a pass.

use cutctx_messages::DurableObject;

use super::stored::{KEY, Stored};
use crate::compaction::CompactionResult;
use crate::estimate::chars;
use crate::payload::Payload;
use crate::telemetry::{ContextTelemetry, ContextTelemetryType};

/// The figures of a pass that are known before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassFigures<'a> {
    /// The policy's key in the checkpoint.
    pub(crate) checkpoint: &'static str,
    /// The compactor's name.
    pub(crate) compactor: &'a str,
    /// The first message that is asked for.
    pub(crate) start: usize,
    /// The first behind those that are asked for.
    pub(crate) end: usize,
    /// How many messages the transcript has.
    pub(crate) messages: usize,
}

/// How much of what was asked for is represented.
#[derive(Debug, Clone, Copy)]
struct Covered {
    cursor: usize,
    newly: usize,
    represented: usize,
    mode: &'static str,
    chunks: usize,
}

impl PassFigures<'_> {
    pub(crate) fn started(self, bounded_input: Option<bool>) -> ContextTelemetry {
        let newly = self.end.saturating_sub(self.start);
        let covered =
            Covered { cursor: self.end, newly, represented: self.start, mode: "pending", chunks: 0 };
        let payload = bounded(self.payload(covered), bounded_input).object();
        ContextTelemetry::new(ContextTelemetryType::CompactionStarted, payload)
    }

    pub(crate) fn failed(self, bounded_input: Option<bool>, error_type: &'static str) -> ContextTelemetry {
        let start = self.start;
        let covered = Covered { cursor: start, newly: 0, represented: start, mode: "failed", chunks: 0 };
        let payload = bounded(self.payload(covered).text("chunk_mode", "failed"), bounded_input)
            .value("compaction_failed", true)
            .text("error_type", error_type);
        ContextTelemetry::new(ContextTelemetryType::CompactionFailed, payload.object())
    }

    pub(crate) fn completed(self, result: &CompactionResult, stored: &Stored) -> Payload {
        let newly = result.covered_message_count;
        let mode = match newly {
            0 => "no_progress",
            _ if stored.cursor == self.end => "full",
            _ => "partial_prefix",
        };
        let chunks = result.source_chunk_count;
        let covered = Covered { cursor: stored.cursor, newly, represented: stored.cursor, mode, chunks };
        let length = stored.summary.as_deref().map_or(0, chars);
        bounded(
            self.payload(covered).text("chunk_mode", public_mode(result.chunk_mode())),
            Some(result.bounded_input),
        )
        .value("compaction_failed", false)
        .tokens("summary_chars", length)
    }

    fn payload(self, covered: Covered) -> Payload {
        Payload::new()
            .text("checkpoint", self.checkpoint)
            .text("compactor", self.compactor)
            .count("compacted_transcript_cursor", covered.cursor)
            .count("previous_compacted_transcript_cursor", self.start)
            .count("newly_compacted_message_count", covered.newly)
            .count("recent_message_count", self.messages.saturating_sub(self.end))
            .count("requested_source_start", self.start)
            .count("requested_source_end", self.end)
            .count("represented_source_start", self.start)
            .count("represented_source_end", covered.represented)
            .count("represented_message_count", covered.represented.saturating_sub(self.start))
            .text("coverage_mode", covered.mode)
            .count("chunk_count", covered.chunks)
    }
}

fn bounded(payload: Payload, bounded_input: Option<bool>) -> Payload {
    match bounded_input {
        Some(bounded) => payload.value("bounded_input", bounded),
        None => payload,
    }
}

/// The modes that telemetry names; any other is `custom`.
fn public_mode(mode: &str) -> &'static str {
    const KNOWN: [&str; 7] = [
        "single_request",
        "message_prefix",
        "hierarchical_atomic_unit",
        "digest_prefix",
        "digest_capacity_exhausted",
        "provider_native_exact",
        "extract",
    ];
    KNOWN.into_iter().find(|known| *known == mode).unwrap_or("custom")
}

/// What may be told about a new checkpoint.
pub(crate) fn checkpoint_event(cursor: usize, previous: usize, newly: usize, recent: usize) -> DurableObject {
    Payload::new()
        .text("checkpoint", KEY)
        .count("compacted_transcript_cursor", cursor)
        .count("previous_compacted_transcript_cursor", previous)
        .count("newly_compacted_message_count", newly)
        .count("recent_message_count", recent)
        .object()
}
