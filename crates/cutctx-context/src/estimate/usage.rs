//! What a provider counted.

use alloc::string::String;

use cutctx_messages::CleanText;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::coverage::ContextInputCoverage;
use super::pressure::ContextPressureEstimate;

/// What the provider reported for the model call before this one.
///
/// Only calls of the conversation count; a call that makes a summary is none. Everything may be unknown. Numbers are
/// tokens unless they say otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ContextUsageState {
    /// The request's input, cached input included.
    pub last_input_tokens: Option<u64>,
    /// The reply.
    pub last_output_tokens: Option<u64>,
    /// Both.
    pub last_total_tokens: Option<u64>,
    /// How many messages the durable transcript had, reply included.
    pub last_transcript_cursor: Option<u64>,
    /// Which messages `last_input_tokens` measured: the request's, not the reply.
    pub input_coverage: Option<ContextInputCoverage>,
    /// What of the input was estimated to be tools, forms and options.
    pub last_context_overhead_input_tokens: Option<u64>,
    /// The provider.
    #[serde(serialize_with = "name", deserialize_with = "read_name")]
    pub last_provider_name: Option<CleanText>,
    /// The model that was asked for.
    #[serde(serialize_with = "name", deserialize_with = "read_name")]
    pub last_requested_model: Option<CleanText>,
    /// The model that answered.
    #[serde(serialize_with = "name", deserialize_with = "read_name")]
    pub last_model: Option<CleanText>,
    /// What the next request was estimated to take, where somebody estimated it.
    pub input_pressure: Option<ContextPressureEstimate>,
}

impl ContextUsageState {
    /// Nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self::default()
    }

    /// A call whose input was measured on these messages.
    #[must_use]
    pub fn measured(last_input_tokens: u64, input_coverage: ContextInputCoverage) -> Self {
        Self {
            last_input_tokens: Some(last_input_tokens),
            input_coverage: Some(input_coverage),
            ..Self::default()
        }
    }
}

#[expect(clippy::ref_option, reason = "serde hands a reference to the field")]
fn name<S: Serializer>(name: &Option<CleanText>, serializer: S) -> Result<S::Ok, S::Error> {
    name.as_deref().serialize(serializer)
}

fn read_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<CleanText>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(CleanText::new).transpose().map_err(serde::de::Error::custom)
}
