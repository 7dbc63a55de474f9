//! What a refusal means.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use serde::Deserialize;

use crate::error::ModelError;
use crate::http::transport::HttpResponse;

/// What servers say beside the status. All known ones put it under `error`; Ollama puts a plain text there.
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
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Word<'b> {
    Text(#[serde(borrow)] Cow<'b, str>),
    Other(serde::de::IgnoredAny),
}

/// How servers say that a request is too large, in lower case: OpenAI (code), llama.cpp (type), vLLM, Anthropic,
/// and OpenAI's and others' sentences.
const OVERFLOW: [&str; 7] = [
    "context_length_exceeded",
    "exceed_context_size_error",
    "maximum context length",
    "prompt is too long",
    "exceeds the context window",
    "exceed context limit",
    "exceeds the available context size",
];

/// What a refusal means.
pub(super) fn fault(response: &HttpResponse) -> ModelError {
    let body: Body<'_> = serde_json::from_slice(&response.body).unwrap_or_default();
    let status = response.status;
    match status {
        413 => ModelError::Overflow,
        400 | 422 | 500 if is_overflow(&body) => ModelError::Overflow,
        401 | 403 => ModelError::Authentication { status },
        408 | 504 => ModelError::Timeout,
        429 if reason_of(&body).as_deref() == Some("insufficient_quota") => {
            ModelError::Refused { status, reason: reason_of(&body) }
        }
        429 => ModelError::RateLimited { retry_after: response.wait() },
        503 | 529 => ModelError::Overloaded { status, retry_after: response.wait() },
        500.. => ModelError::Server { status },
        _ => ModelError::Refused { status, reason: reason_of(&body) },
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

fn is_overflow(body: &Body<'_>) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        OVERFLOW.iter().any(|sign| text.contains(sign))
    };
    match &body.error {
        Some(Said::Object(reason)) => {
            let code = match &reason.code {
                Some(Word::Text(code)) => Some(code),
                Some(Word::Other(_)) | None => None,
            };
            [code, reason.kind.as_ref(), reason.message.as_ref()].into_iter().flatten().any(|text| says(text))
        }
        Some(Said::Text(text)) => says(text),
        Some(Said::Other(_)) | None => false,
    }
}

fn reason_of(body: &Body<'_>) -> Option<Arc<str>> {
    let Some(Said::Object(reason)) = &body.error else { return None };
    match (&reason.code, &reason.kind) {
        (Some(Word::Text(code)), _) => word(code),
        (_, Some(kind)) => word(kind),
        (_, None) => None,
    }
}

/// A name, as long as it is one: a server could send anything.
fn word(text: &str) -> Option<Arc<str>> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (!text.is_empty() && text.len() <= 64 && text.bytes().all(is_name)).then(|| text.into())
}
