//! The estimator that starts from what a provider counted.

mod parts;

use core::num::NonZeroU64;

use cutctx_messages::{DurableObject, DurableValue, Message, MessageError};

use super::overhead::{AttachmentFloors, ContextPressureOverhead};
use super::pressure::{ContextPressureEstimate, EstimateMethod};
use super::text;
use super::usage::ContextUsageState;
use crate::model_request::ModelRequest;
use crate::setting::{SettingError, SettingFault};

/// Estimates what a request takes: from what the provider counted for its first messages, where these are the same,
/// and by the density of characters otherwise.
///
/// It counts as the reference does, oddities included: nothing for roles, ids and framing, a cliff at 200 characters.
/// The recommended policy does not use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedDeltaContextEstimator {
    /// Characters of text for each token.
    chars: NonZeroU64,
    /// Characters of JSON for each token.
    json_chars: NonZeroU64,
    /// Bytes of other files for each token.
    binary_bytes: NonZeroU64,
}

/// 5.
const CHARS: NonZeroU64 = NonZeroU64::MIN.saturating_add(4);
/// 3.
const BYTES: NonZeroU64 = NonZeroU64::MIN.saturating_add(2);

impl Default for ObservedDeltaContextEstimator {
    /// 5 characters of text or of JSON a token, 3 bytes of other files.
    fn default() -> Self {
        Self { chars: CHARS, json_chars: CHARS, binary_bytes: BYTES }
    }
}

impl ObservedDeltaContextEstimator {
    /// An estimator of these ratios: characters of text, characters of JSON, and bytes for each token.
    ///
    /// # Errors
    ///
    /// [`SettingError`] for zero.
    pub fn new(
        chars_per_token: u64,
        json_chars_per_token: u64,
        binary_bytes_per_token: u64,
    ) -> Result<Self, SettingError> {
        Ok(Self {
            chars: ratio("chars_per_token", chars_per_token)?,
            json_chars: ratio("json_chars_per_token", json_chars_per_token)?,
            binary_bytes: ratio("binary_bytes_per_token", binary_bytes_per_token)?,
        })
    }

    /// Tokens of a text.
    #[must_use]
    pub fn estimate_text_tokens(&self, text: &str) -> u64 {
        text::tokens(text, self.chars.get())
    }

    /// Tokens of the tools' JSON, each tool rounded up by itself.
    ///
    /// Numbers are counted as stored values have them: `2.0` is one character.
    #[must_use]
    pub fn estimate_tool_schema_tokens(&self, tools: &[DurableObject], chars_per_token: NonZeroU64) -> u64 {
        sum(tools.iter().map(|tool| object_tokens(tool, chars_per_token)))
    }

    /// What a request takes whose first messages are those that the provider counted. `None` where they are not, or
    /// nothing was counted.
    ///
    /// What is there besides messages is taken to be unchanged. The model's reply is estimated with the messages
    /// behind those that were counted.
    ///
    /// # Errors
    ///
    /// [`MessageError`] when an artifact says that it is a file and is none.
    pub fn estimate(
        &self,
        usage: &ContextUsageState,
        messages: &[Message],
        floors: &AttachmentFloors,
    ) -> Result<Option<ContextPressureEstimate>, MessageError> {
        let Some((observed, coverage)) = usage.last_input_tokens.zip(usage.input_coverage.as_ref()) else {
            return Ok(None);
        };
        let Some(tail) = coverage.tail(messages) else { return Ok(None) };
        let (text, files) = self.measured(tail, floors)?;
        let delta = text.saturating_add(files);
        let input = observed.saturating_add(delta);
        let count = length(tail);
        Ok(Some(ContextPressureEstimate {
            observed_context_input_tokens: observed,
            estimated_delta_input_tokens: delta,
            estimated_message_input_tokens: text,
            previous_request_overhead_input_tokens: usage.last_context_overhead_input_tokens,
            estimated_attachment_input_tokens: files,
            estimated_context_input_tokens: input,
            estimated_context_window_tokens: input,
            anchor_transcript_cursor: coverage.transcript_cursor(),
            current_transcript_cursor: coverage.transcript_cursor().saturating_add(count),
            estimated_message_count: count,
            ..self.blank()
        }))
    }

    /// What a request takes, all estimated.
    ///
    /// # Errors
    ///
    /// As [`Self::estimate`].
    pub fn estimate_full_request(
        &self,
        usage: &ContextUsageState,
        messages: &[Message],
        overhead: &ContextPressureOverhead,
        reserved_output_tokens: u64,
    ) -> Result<ContextPressureEstimate, MessageError> {
        let (text, files) = self.measured(messages, &overhead.floors)?;
        Ok(self.full(usage, length(messages), (text, files), overhead, reserved_output_tokens))
    }

    /// What a request takes: [`Self::estimate`] with the change of what is there besides messages, or
    /// [`Self::estimate_full_request`] where nothing was counted for its first messages.
    ///
    /// # Errors
    ///
    /// As [`Self::estimate`].
    pub fn estimate_anchored_request(
        &self,
        usage: &ContextUsageState,
        messages: &[Message],
        overhead: &ContextPressureOverhead,
        reserved_output_tokens: u64,
    ) -> Result<ContextPressureEstimate, MessageError> {
        let Some(base) = self.estimate(usage, messages, &overhead.floors)? else {
            return self.estimate_full_request(usage, messages, overhead, reserved_output_tokens);
        };
        let sizes = self.sizes(overhead);
        let change = usage.last_context_overhead_input_tokens.map_or(0, |last| difference(sizes.sum(), last));
        let input = base.estimated_context_input_tokens.saturating_add_signed(change);
        Ok(ContextPressureEstimate {
            method: EstimateMethod::ObservedPlusEstimatedDeltaWithOverhead,
            estimated_delta_input_tokens: base.estimated_delta_input_tokens.saturating_add_signed(change),
            estimated_request_overhead_delta_tokens: change,
            estimated_context_input_tokens: input,
            reserved_output_tokens,
            estimated_context_window_tokens: input.saturating_add(reserved_output_tokens),
            ..sizes.put_into(base)
        })
    }

    /// The full estimate of so many messages that take so much text and so many files.
    pub(crate) fn full(
        &self,
        usage: &ContextUsageState,
        count: u64,
        (text, files): (u64, u64),
        overhead: &ContextPressureOverhead,
        reserved_output_tokens: u64,
    ) -> ContextPressureEstimate {
        let sizes = self.sizes(overhead);
        let input = text.saturating_add(files).saturating_add(sizes.sum());
        ContextPressureEstimate {
            method: EstimateMethod::LocalFullRequestEstimate,
            observed_context_input_tokens: usage.last_input_tokens.unwrap_or(0),
            estimated_delta_input_tokens: input,
            estimated_message_input_tokens: text,
            previous_request_overhead_input_tokens: usage.last_context_overhead_input_tokens,
            estimated_request_overhead_delta_tokens: difference(sizes.sum(), 0),
            estimated_attachment_input_tokens: files,
            estimated_context_input_tokens: input,
            reserved_output_tokens,
            estimated_context_window_tokens: input.saturating_add(reserved_output_tokens),
            anchor_transcript_cursor: usage.last_transcript_cursor.unwrap_or(0),
            current_transcript_cursor: count,
            estimated_message_count: count,
            ..sizes.put_into(self.blank())
        }
    }

    fn measured(&self, messages: &[Message], floors: &AttachmentFloors) -> Result<(u64, u64), MessageError> {
        let text = sum(messages.iter().map(|message| self.estimate_message_tokens(message)));
        let mut files = 0_u64;
        for message in messages {
            files = files.saturating_add(self.estimate_message_attachment_tokens(message, floors)?);
        }
        Ok((text, files))
    }

    /// What stands besides messages.
    fn sizes(&self, overhead: &ContextPressureOverhead) -> OverheadSizes {
        let instruction = overhead.structured_output_instruction.as_deref().unwrap_or_default();
        OverheadSizes {
            tools: self.estimate_tool_schema_tokens(&overhead.tools, overhead.tool_schema_chars_per_token),
            instruction: self.estimate_text_tokens(instruction),
            options: self.options_tokens(&overhead.request_options),
        }
    }

    fn blank(&self) -> ContextPressureEstimate {
        ContextPressureEstimate {
            chars_per_token: self.chars.get(),
            json_chars_per_token: self.json_chars.get(),
            binary_bytes_per_token: self.binary_bytes.get(),
            ..ContextPressureEstimate::default()
        }
    }

    /// Tokens of the options that a provider sees.
    fn options_tokens(&self, options: &DurableObject) -> u64 {
        const INTERNAL: [&str; 5] =
            ["agent_metadata", "environment_metadata", "step", "structured_output", "cayu_file_attachments"];
        let seen = options.iter().filter(|(key, value)| {
            let internal = INTERNAL.contains(&key.as_ref());
            **value != DurableValue::NULL
                && (!internal || (key.as_ref() == "structured_output" && native(value)))
        });
        let seen = seen.map(|(key, value)| (key.clone(), value.clone())).collect();
        DurableObject::new(seen).map_or(0, |seen| object_tokens(&seen, self.json_chars))
    }
}

/// Whether the provider itself gives the answer its form.
fn native(form: &DurableValue) -> bool {
    let strategy = form.as_object().and_then(|form| form.get("strategy")).and_then(DurableValue::as_text);
    strategy.is_some_and(|strategy| strategy.as_ref() == "native")
}

/// What stands besides messages, in tokens.
#[derive(Debug, Clone, Copy)]
struct OverheadSizes {
    tools: u64,
    instruction: u64,
    options: u64,
}

impl OverheadSizes {
    const fn sum(self) -> u64 {
        self.tools.saturating_add(self.instruction).saturating_add(self.options)
    }

    const fn put_into(self, mut estimate: ContextPressureEstimate) -> ContextPressureEstimate {
        estimate.estimated_tool_schema_input_tokens = self.tools;
        estimate.estimated_structured_output_input_tokens = self.instruction;
        estimate.estimated_request_options_input_tokens = self.options;
        estimate.estimated_request_overhead_input_tokens = self.sum();
        estimate
    }
}

/// What a whole request takes, all estimated: its messages, its tools and those of its projection, its options.
///
/// # Errors
///
/// [`MessageError`] when an artifact says that it is a file and is none.
pub fn estimate_model_request_context_pressure(
    request: &ModelRequest,
    floors: AttachmentFloors,
    tool_schema_chars_per_token: Option<NonZeroU64>,
    reserved_output_tokens: u64,
    estimator: &ObservedDeltaContextEstimator,
) -> Result<ContextPressureEstimate, MessageError> {
    let mut overhead = ContextPressureOverhead::new(request.tools.clone(), request.options.clone());
    overhead.floors = floors;
    if let Some(ratio) = tool_schema_chars_per_token {
        overhead.tool_schema_chars_per_token = ratio;
    }
    let usage = ContextUsageState::unknown();
    estimator.estimate_full_request(&usage, &request.sent_messages(), &overhead, reserved_output_tokens)
}

fn ratio(setting: &'static str, value: u64) -> Result<NonZeroU64, SettingError> {
    NonZeroU64::new(value).ok_or_else(|| SettingFault::MustBePositive.of(setting))
}

/// Tokens of an object's JSON; an empty one costs nothing.
fn object_tokens(object: &DurableObject, chars_per_token: NonZeroU64) -> u64 {
    if object.is_empty() { 0 } else { text::chars(&object.to_json()).div_ceil(chars_per_token.get()) }
}

fn sum(tokens: impl Iterator<Item = u64>) -> u64 {
    tokens.fold(0, u64::saturating_add)
}

fn length(messages: &[Message]) -> u64 {
    u64::try_from(messages.len()).unwrap_or(u64::MAX)
}

fn difference(now: u64, before: u64) -> i64 {
    let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    signed(now).saturating_sub(signed(before))
}
