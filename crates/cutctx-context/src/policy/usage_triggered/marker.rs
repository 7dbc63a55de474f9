//! That a threshold was reached, as the checkpoint has it.

use cutctx_messages::{DurableError, DurableObject};

use super::UsageTriggeredSettings;
use crate::estimate::ContextUsageState;
use crate::payload::{Payload, whole};

/// The key of the marker in a checkpoint.
const KEY: &str = "usage_triggered_context";

/// The version of the marker.
const VERSION: u64 = 1;

/// The marker of a checkpoint. One of another version is as if it were not there.
pub(super) fn previous(state: &DurableObject) -> Option<DurableObject> {
    let marker = state.get(KEY)?.as_object()?;
    (whole(marker, "version") == Some(VERSION)).then(|| marker.clone())
}

/// What was known when a threshold was reached.
pub(super) fn figures(settings: &UsageTriggeredSettings, usage: &ContextUsageState) -> Payload {
    let figures = Payload::new()
        .known_tokens("min_input_tokens", settings.min_input_tokens)
        .known_tokens("min_total_tokens", settings.min_total_tokens)
        .known_tokens("last_input_tokens", usage.last_input_tokens)
        .known_tokens("last_total_tokens", usage.last_total_tokens);
    let Some(trigger) = settings.trigger_estimated_context_tokens else { return figures };
    let figures = figures
        .tokens("trigger_estimated_context_tokens", trigger)
        .tokens("reserved_output_tokens", settings.reserved_output_tokens)
        .known_tokens("last_transcript_cursor", usage.last_transcript_cursor);
    let Some(pressure) = &usage.input_pressure else { return figures };
    figures
        .tokens("estimated_context_input_tokens", pressure.estimated_context_input_tokens)
        .tokens("estimated_context_window_tokens", pressure.estimated_context_window_tokens)
        .tokens("estimated_delta_input_tokens", pressure.estimated_delta_input_tokens)
        .tokens_if("provider_count_input_tokens", pressure.provider_count_input_tokens)
        .tokens_if("provider_count_context_window_tokens", pressure.provider_count_context_window_tokens)
}

/// A new marker.
pub(super) fn marker(figures: &Payload) -> DurableObject {
    Payload::new().tokens("version", VERSION).and(figures).object()
}

/// What may be told about a new marker.
pub(super) fn event(figures: &Payload) -> DurableObject {
    Payload::new().text("checkpoint", KEY).and(figures).object()
}

/// A checkpoint with this marker.
pub(super) fn put_into(state: &DurableObject, marker: DurableObject) -> Result<DurableObject, DurableError> {
    state.with(KEY, marker.into())
}
