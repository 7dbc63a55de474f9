//! What a refusal means.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use serde::Deserialize;

use crate::error::ModelError;
use crate::http::transport::HttpResponse;

/// What servers say beside the status. Most put it under `error`; Ollama puts a plain text there, and older servers of
/// vLLM have no such member and say it themselves.
#[derive(Deserialize, Default)]
struct Body<'b> {
    #[serde(borrow, default)]
    error: Option<Said<'b>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Said<'b> {
    Object(#[serde(borrow)] Reason<'b>),
    Text(#[serde(borrow)] Cow<'b, str>),
    Other(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
struct Reason<'b> {
    #[serde(borrow, default)]
    code: Option<Word<'b>>,
    #[serde(borrow, default, rename = "type")]
    kind: Option<Cow<'b, str>>,
    #[serde(borrow, default)]
    message: Option<Cow<'b, str>>,
    /// Gemini's name for the kind.
    #[serde(borrow, default)]
    status: Option<Word<'b>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Word<'b> {
    Text(#[serde(borrow)] Cow<'b, str>),
    Number(u16),
    Other(serde::de::IgnoredAny),
}

impl<'b> Said<'b> {
    fn of(body: &'b [u8]) -> Option<Self> {
        let under_error: Body<'b> = serde_json::from_slice(body).unwrap_or_default();
        under_error.error.or_else(|| serde_json::from_slice(body).ok().map(Self::Object))
    }
}

impl Word<'_> {
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Other(_) => None,
        }
    }
}

/// How servers say that a request is too large, in lower case: OpenAI (code), llama.cpp (type), vLLM, Anthropic,
/// OpenAI's and others' sentences, Gemini.
const OVERFLOW: [&str; 8] = [
    "context_length_exceeded",
    "exceed_context_size_error",
    "maximum context length",
    "prompt is too long",
    "exceeds the context window",
    "exceed context limit",
    "exceeds the available context size",
    "exceeds the maximum number of tokens",
];

/// What a refusal means.
pub(super) fn fault(response: &HttpResponse) -> ModelError {
    of_status(response.status, Said::of(&response.body).as_ref(), response)
}

/// The failure that an answer of status 200 is, where it is one and nothing else: some servers in between answer so.
pub(super) fn hidden(response: &HttpResponse) -> Option<ModelError> {
    let body: Body<'_> = serde_json::from_slice(&response.body).ok()?;
    let Some(Said::Object(reason)) = &body.error else { return None };
    match &reason.code {
        Some(Word::Number(status @ 400..600)) => Some(of_status(*status, body.error.as_ref(), response)),
        Some(Word::Text(code)) => Some(named(Some(code))),
        Some(Word::Number(_) | Word::Other(_)) | None => None,
    }
}

fn of_status(status: u16, said: Option<&Said<'_>>, response: &HttpResponse) -> ModelError {
    match status {
        413 => ModelError::Overflow,
        400 | 422 | 500 if said.is_some_and(is_overflow) => ModelError::Overflow,
        401 | 403 => ModelError::Authentication { status },
        408 | 504 => ModelError::Timeout,
        429 if said.and_then(reason_of).as_deref() == Some("insufficient_quota") => {
            ModelError::Refused { status, reason: said.and_then(reason_of) }
        }
        429 => ModelError::RateLimited { retry_after: response.wait() },
        503 | 529 => ModelError::Overloaded { status, retry_after: response.wait() },
        500.. => ModelError::Server { status },
        _ => ModelError::Refused { status, reason: said.and_then(reason_of) },
    }
}

/// An error that stands in an answer of status 200, under its own name.
pub(super) fn named(reason: Option<&str>) -> ModelError {
    match reason {
        Some("rate_limit_exceeded" | "rate_limit_error") => ModelError::RateLimited { retry_after: None },
        Some("context_length_exceeded") => ModelError::Overflow,
        Some("server_error" | "api_error") => ModelError::Server { status: 500 },
        Some("overloaded_error") => ModelError::Overloaded { status: 529, retry_after: None },
        other => ModelError::Refused { status: 200, reason: other.and_then(word) },
    }
}

fn is_overflow(said: &Said<'_>) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        OVERFLOW.iter().any(|sign| text.contains(sign))
    };
    match said {
        Said::Object(reason) => {
            let code = reason.code.as_ref().and_then(Word::as_text);
            [code, reason.kind.as_deref(), reason.message.as_deref()].into_iter().flatten().any(says)
        }
        Said::Text(text) => says(text),
        Said::Other(_) => false,
    }
}

fn reason_of(said: &Said<'_>) -> Option<Arc<str>> {
    let Said::Object(reason) = said else { return None };
    let code = reason.code.as_ref().and_then(Word::as_text);
    let status = || reason.status.as_ref().and_then(Word::as_text);
    word(code.or(reason.kind.as_deref()).or_else(status)?)
}

/// A name, as long as it is one: a server could send anything.
fn word(text: &str) -> Option<Arc<str>> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (!text.is_empty() && text.len() <= 64 && text.bytes().all(is_name)).then(|| text.into())
}
