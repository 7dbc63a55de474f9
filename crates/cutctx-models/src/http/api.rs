//! What each provider's interface wants to hear, and how it answers.

mod anthropic_messages;
mod counts;
mod faults;
mod gemini_contents;
mod openai_chat;
mod openai_responses;
mod sides;
mod spoken;

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_context::ModelRequest;
use serde_json::{Map, Value};

use super::key::ApiKey;
use super::provider::Provider;
use super::transport::HttpResponse;
use crate::completion::{Completion, TokenUsage};
use crate::error::{FailedAttempt, ModelError};

pub use counts::CountApi;

/// An interface that providers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// Chat completions, which OpenAI, Ollama, vLLM, llama.cpp and many others speak.
    OpenAiChat,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    AnthropicMessages,
}

impl Api {
    /// The provider, as reports name it.
    #[must_use]
    pub const fn provider_name(self) -> &'static str {
        self.provider().name()
    }

    /// Where the provider itself listens.
    #[must_use]
    pub const fn default_base_url(self) -> &'static str {
        self.provider().base_url()
    }

    /// The environment variable that usually holds the key.
    #[must_use]
    pub const fn key_variable(self) -> &'static str {
        self.provider().key_variable()
    }

    const fn provider(self) -> Provider {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => Provider::OpenAi,
            Self::AnthropicMessages => Provider::Anthropic,
        }
    }

    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::OpenAiChat => "/chat/completions",
            Self::OpenAiResponses => "/responses",
            Self::AnthropicMessages => "/messages",
        }
    }

    pub(super) fn headers(self, key: Option<&ApiKey>) -> Vec<(&'static str, String)> {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => bearer(key),
            Self::AnthropicMessages => anthropic_messages::headers(key),
        }
    }

    /// The request as this interface spells it.
    pub(super) fn body(self, request: &ModelRequest, wanted: Wanted<'_>) -> Result<Vec<u8>, ModelError> {
        match self {
            Self::OpenAiChat => openai_chat::body(request, wanted),
            Self::OpenAiResponses => openai_responses::body(request, wanted),
            Self::AnthropicMessages => anthropic_messages::body(request, wanted),
        }
    }

    /// What the answer says.
    pub(super) fn answer(self, response: &HttpResponse) -> Result<Completion, FailedAttempt> {
        if !(200..300).contains(&response.status) {
            return Err(faults::fault(response).into());
        }
        let answer = match self {
            Self::OpenAiChat => openai_chat::answer(&response.body),
            Self::OpenAiResponses => openai_responses::answer(&response.body),
            Self::AnthropicMessages => anthropic_messages::answer(&response.body),
        };
        answer.map_err(|failed| FailedAttempt { error: named_fault(failed.error, response), ..failed })
    }
}

/// What is wanted besides what the request says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'w> {
    pub(super) model: &'w str,
    /// How many tokens the model may write.
    pub(super) tokens: u64,
    /// Whether the server is the provider's own, which knows newer names of settings.
    pub(super) at_home: bool,
}

/// A request with the tools, where there are any.
fn written(mut body: Map<String, Value>, tools: Vec<Value>) -> Vec<u8> {
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
    }
    Value::Object(body).to_string().into_bytes()
}

fn bearer(key: Option<&ApiKey>) -> Vec<(&'static str, String)> {
    key.map(|key| ("authorization", key.after("Bearer "))).into_iter().collect()
}

/// Reads an answer, whose text stays out of the error.
fn read<'b, T: serde::Deserialize<'b>>(body: &'b [u8]) -> Result<T, ModelError> {
    serde_json::from_slice(body)
        .map_err(|_| ModelError::Malformed { what: "it is not the JSON that was promised" })
}

/// A failure that was answered as a success, under its own name.
fn named_fault(error: ModelError, response: &HttpResponse) -> ModelError {
    let is_malformed = matches!(error, ModelError::Malformed { .. });
    faults::hidden(response).filter(|_| is_malformed).unwrap_or(error)
}

/// What both interfaces of OpenAI say about the input.
#[derive(serde::Deserialize)]
struct InputDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

/// The usage of an interface whose input contains what was read from the cache.
fn cache_inside(input: u64, details: Option<&InputDetails>, output: u64) -> TokenUsage {
    let cached_input = details.and_then(|details| details.cached_tokens).unwrap_or(0);
    TokenUsage { uncached_input: input.saturating_sub(cached_input), cached_input, cache_write: 0, output }
}
