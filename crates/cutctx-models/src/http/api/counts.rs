//! Interfaces that count a request without answering it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{anthropic_messages, bearer, faults, gemini_contents, named_fault, openai_responses, read};
use crate::error::{ConnectionFault, ModelError};
use crate::http::key::ApiKey;
use crate::http::provider::Provider;
use crate::http::transport::HttpResponse;

/// An interface by which a provider counts a request without answering it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountApi {
    /// Anthropic's messages. Local servers know it too.
    AnthropicMessages,
    /// OpenAI's responses. Local servers know it too.
    OpenAiResponses,
    /// Gemini's contents.
    GeminiContents,
}

impl CountApi {
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
            Self::AnthropicMessages => Provider::Anthropic,
            Self::OpenAiResponses => Provider::OpenAi,
            Self::GeminiContents => Provider::Google,
        }
    }

    /// Where requests about a model go. Gemini names it there, and so it may hold nothing that means something else in
    /// an address.
    pub(in crate::http) fn path(self, model: &str) -> Result<String, ModelError> {
        match self {
            Self::AnthropicMessages => Ok("/messages/count_tokens".into()),
            Self::OpenAiResponses => Ok("/responses/input_tokens".into()),
            Self::GeminiContents => {
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._".contains(&byte);
                let fault = ConnectionFault::Address;
                let named = model.bytes().all(is_plain).then(|| gemini_contents::resource(model));
                named.map(|name| format!("/{name}:countTokens")).ok_or(ModelError::Connection { fault })
            }
        }
    }

    pub(in crate::http) fn headers(self, key: Option<&ApiKey>) -> Vec<(&'static str, String)> {
        match self {
            Self::AnthropicMessages => anthropic_messages::headers(key),
            Self::OpenAiResponses => bearer(key),
            Self::GeminiContents => key.map(|key| ("x-goog-api-key", key.after(""))).into_iter().collect(),
        }
    }

    /// The request of these messages; `None` where nobody says anything, which cannot be sent.
    pub(in crate::http) fn body(
        self,
        model: &str,
        messages: &[Message],
        tools: &[DurableObject],
    ) -> Result<Option<Vec<u8>>, ModelError> {
        let (messages, system, tools) = match self {
            Self::AnthropicMessages => {
                let (system, messages) = anthropic_messages::said(messages)?;
                (messages, Value::Array(system), tools.iter().map(anthropic_messages::tool).collect())
            }
            Self::OpenAiResponses => {
                let items = openai_responses::items(messages)?;
                (items, Value::Null, tools.iter().map(openai_responses::function).collect())
            }
            Self::GeminiContents => {
                let (system, contents) = gemini_contents::said(messages)?;
                (contents, json!({"parts": system}), gemini_contents::tools(tools))
            }
        };
        if messages.is_empty() {
            return Ok(None);
        }
        let [said, instructions] = self.members();
        let mut body = Map::new();
        body.insert(said.into(), Value::Array(messages));
        if !is_blank(&system) {
            body.insert(instructions.into(), system);
        }
        if !is_blank(&tools) {
            body.insert("tools".into(), tools);
        }
        Ok(Some(self.addressed(model, body)))
    }

    /// A request that stands as JSON, without what counting does not take.
    pub(in crate::http) fn request(self, model: &str, request: &str) -> Result<Vec<u8>, ModelError> {
        let Ok(mut body) = serde_json::from_str::<Map<String, Value>>(request) else {
            return Err(ModelError::Unsupported { part: "request" });
        };
        body.retain(|name, _| {
            self.members().contains(&name.as_str()) || self.settings().contains(&name.as_str())
        });
        Ok(self.addressed(model, body))
    }

    /// The members of a request that hold what was said, and what the system says.
    const fn members(self) -> [&'static str; 2] {
        match self {
            Self::AnthropicMessages => ["messages", "system"],
            Self::OpenAiResponses => ["input", "instructions"],
            Self::GeminiContents => ["contents", "systemInstruction"],
        }
    }

    /// What else of a request has a part in its size, and is taken when it is counted.
    const fn settings(self) -> &'static [&'static str] {
        match self {
            Self::AnthropicMessages => &["tools", "tool_choice", "thinking"],
            Self::OpenAiResponses => &["tools", "tool_choice", "text", "reasoning", "parallel_tool_calls"],
            Self::GeminiContents => &["system_instruction", "tools", "toolConfig", "tool_config"],
        }
    }

    fn addressed(self, model: &str, mut body: Map<String, Value>) -> Vec<u8> {
        let body = match self {
            Self::AnthropicMessages | Self::OpenAiResponses => {
                body.insert("model".into(), json!(model));
                Value::Object(body)
            }
            Self::GeminiContents => {
                body.insert("model".into(), json!(gemini_contents::resource(model)));
                json!({"generateContentRequest": body})
            }
        };
        body.to_string().into_bytes()
    }

    /// What the answer counts, in tokens.
    pub(in crate::http) fn answer(self, response: &HttpResponse) -> Result<u64, ModelError> {
        if !(200..300).contains(&response.status) {
            return Err(faults::fault(response));
        }
        let answer = match self {
            Self::AnthropicMessages | Self::OpenAiResponses => {
                read::<InputTokens>(&response.body).map(|answer| answer.input_tokens)
            }
            Self::GeminiContents => read::<TotalTokens>(&response.body).map(|answer| answer.total_tokens),
        };
        answer.map_err(|error| named_fault(error, response))
    }
}

/// Whether there is nothing in a member, so that it is left out.
fn is_blank(value: &Value) -> bool {
    match value {
        Value::Array(all) => all.is_empty(),
        Value::Object(members) => members.values().all(is_blank),
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[derive(Deserialize)]
struct InputTokens {
    input_tokens: u64,
}

#[derive(Deserialize)]
struct TotalTokens {
    #[serde(rename = "totalTokens")]
    total_tokens: u64,
}
