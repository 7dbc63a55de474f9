//! The seam between what is said to a provider and the client that carries it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::error::{ConnectionFault, ModelError};
use crate::future::BoxFuture;

/// The longest answer that is read, in bytes. A summary is far below it; an endless answer must not fill the memory.
pub const MOST_ANSWER_BYTES: u64 = 16 * 1024 * 1024;

/// Carries one request to a server and brings the answer back.
///
/// With the feature `ureq` there is one at hand. To use a client of your own (an asynchronous one, one with a
/// proxy, a recorded one for tests), implement this: it has no more to know than what an [`HttpRequest`] says.
/// Redirects must not be followed, because the request carries a key. Dropping the future should end the work.
pub trait Transport: Send + Sync {
    /// Sends a POST request.
    fn post(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>>;
}

/// A POST request with a JSON body.
///
/// `Debug` prints the address and sizes, never headers or the body: the one holds the key, the other the conversation.
#[derive(Clone)]
#[non_exhaustive]
pub struct HttpRequest {
    /// Where to.
    pub url: String,
    /// Header names, in lower case, with their values.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long the whole exchange may take.
    pub timeout: Duration,
}

impl HttpRequest {
    /// A request with a JSON body.
    #[must_use]
    pub fn new(url: String, body: Vec<u8>, timeout: Duration) -> Self {
        let headers = vec![("content-type", String::from("application/json"))];
        Self { url, headers, body, timeout }
    }
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("url", &self.url)
            .field("headers", &self.headers.len())
            .field("body_bytes", &self.body.len())
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// What a server answered. `Debug` prints no body.
#[derive(Clone)]
#[non_exhaustive]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The header `retry-after`, as it stands.
    pub retry_after: Option<String>,
    /// The body, at most [`MOST_ANSWER_BYTES`].
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// An answer of this status and body.
    #[must_use]
    pub const fn new(status: u16, body: Vec<u8>) -> Self {
        Self { status, retry_after: None, body }
    }

    /// The answer with the header `retry-after`.
    #[must_use]
    pub fn with_retry_after(mut self, value: impl Into<String>) -> Self {
        self.retry_after = Some(value.into());
        self
    }

    /// How long the server asks to wait, where it says so in seconds. Dates are not read: there is no clock here.
    pub(crate) fn wait(&self) -> Option<Duration> {
        let seconds: u64 = self.retry_after.as_deref()?.trim().parse().ok()?;
        Some(Duration::from_secs(seconds))
    }
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .field("retry_after", &self.retry_after.is_some())
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

/// Why no answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The time was up.
    #[error("no answer within the time limit")]
    Timeout,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(ConnectionFault),
    /// The answer is no HTTP.
    #[error("the answer is no HTTP")]
    Protocol,
    /// The answer is longer than [`MOST_ANSWER_BYTES`].
    #[error("the answer is too long")]
    TooLong,
}

impl From<TransportError> for ModelError {
    fn from(error: TransportError) -> Self {
        match error {
            TransportError::Timeout => Self::Timeout,
            TransportError::Connection(fault) => Self::Connection { fault },
            TransportError::Protocol => Self::Malformed { what: "it is no HTTP" },
            TransportError::TooLong => Self::TooLong { limit: MOST_ANSWER_BYTES },
        }
    }
}
