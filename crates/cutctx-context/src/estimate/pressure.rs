//! An estimate of what a request takes.

use serde::{Deserialize, Serialize};

/// How an estimate was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EstimateMethod {
    /// What the provider counted, and an estimate of the messages behind it.
    #[default]
    ObservedPlusEstimatedDelta,
    /// The same, and the change of what is there besides messages.
    ObservedPlusEstimatedDeltaWithOverhead,
    /// All estimated.
    LocalFullRequestEstimate,
}

/// How far an estimate can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EstimateConfidence {
    /// It is an estimate.
    #[default]
    Estimated,
    /// The provider counted this request.
    High,
}

/// What a request takes of the window. Numbers are tokens unless they say otherwise.
///
/// `estimated_context_window_tokens` is always `estimated_context_input_tokens` and `reserved_output_tokens` together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ContextPressureEstimate {
    /// How it was made.
    #[serde(default)]
    pub method: EstimateMethod,
    /// How far it can be trusted.
    #[serde(default)]
    pub confidence: EstimateConfidence,
    /// What the provider counted of it.
    pub observed_context_input_tokens: u64,
    /// What was estimated on top.
    pub estimated_delta_input_tokens: u64,
    /// Of that, messages.
    pub estimated_message_input_tokens: u64,
    /// Of that, tools.
    pub estimated_tool_schema_input_tokens: u64,
    /// Of that, the form of the answer.
    pub estimated_structured_output_input_tokens: u64,
    /// Of that, options.
    pub estimated_request_options_input_tokens: u64,
    /// Tools, form and options together.
    #[serde(default)]
    pub estimated_request_overhead_input_tokens: u64,
    /// What they were in the request that the provider counted.
    #[serde(default)]
    pub previous_request_overhead_input_tokens: Option<u64>,
    /// The change between the two.
    #[serde(default)]
    pub estimated_request_overhead_delta_tokens: i64,
    /// Files.
    pub estimated_attachment_input_tokens: u64,
    /// The whole input.
    pub estimated_context_input_tokens: u64,
    /// What is kept free for the answer.
    #[serde(default)]
    pub reserved_output_tokens: u64,
    /// Input and answer together.
    pub estimated_context_window_tokens: u64,
    /// What the provider counted for exactly this request.
    #[serde(default)]
    pub provider_count_input_tokens: Option<u64>,
    /// That, with what is kept free.
    #[serde(default)]
    pub provider_count_context_window_tokens: Option<u64>,
    /// Up to which message of the transcript the provider counted.
    pub anchor_transcript_cursor: u64,
    /// Up to which message the estimate reaches.
    pub current_transcript_cursor: u64,
    /// How many messages were estimated.
    pub estimated_message_count: u64,
    /// Characters of ordinary text for each token.
    pub chars_per_token: u64,
    /// Characters of JSON for each token.
    pub json_chars_per_token: u64,
    /// Bytes of other files for each token.
    pub binary_bytes_per_token: u64,
}

impl ContextPressureEstimate {
    /// The window that decides: by the provider's count where there is one.
    #[must_use]
    pub const fn window_tokens(&self) -> u64 {
        match self.provider_count_context_window_tokens {
            Some(counted) => counted,
            None => self.estimated_context_window_tokens,
        }
    }

    /// With what the provider counted for exactly this request.
    #[must_use]
    pub const fn counted(mut self, input_tokens: u64) -> Self {
        self.confidence = EstimateConfidence::High;
        self.provider_count_input_tokens = Some(input_tokens);
        self.provider_count_context_window_tokens =
            Some(input_tokens.saturating_add(self.reserved_output_tokens));
        self
    }
}
