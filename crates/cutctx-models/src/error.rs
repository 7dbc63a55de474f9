//! Why a model gave no answer.

use alloc::sync::Arc;
use core::time::Duration;

use cutctx_types::{Code, Coded, Details};

use crate::completion::TokenUsage;

/// Why a model gave no answer that can be used.
///
/// No variant holds text of the request, of the answer or of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The request is larger than the model's window.
    #[error("the request is larger than the model's context window")]
    Overflow,
    /// Too many requests or tokens in too short a time.
    #[error("the provider limits the rate of requests")]
    RateLimited {
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// The provider is overloaded for now.
    #[error("the provider is overloaded (status {status})")]
    Overloaded {
        /// The HTTP status, 503 or 529.
        status: u16,
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// The provider failed.
    #[error("the provider failed (status {status})")]
    Server {
        /// The HTTP status.
        status: u16,
    },
    /// The key was not accepted, or may not do this.
    #[error("the provider did not accept the key (status {status})")]
    Authentication {
        /// The HTTP status, 401 or 403.
        status: u16,
    },
    /// The provider refused the request for another reason.
    #[error("the provider refused the request (status {status})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The provider's own name for the reason, where it gave one of letters, digits and `_.-`.
        reason: Option<Arc<str>>,
    },
    /// No answer in time.
    #[error("no answer within the time limit")]
    Timeout,
    /// The provider could not be reached, or the connection broke.
    #[error("the connection failed: {fault}")]
    Connection {
        /// What failed.
        fault: ConnectionFault,
    },
    /// The answer is not what the provider's interface promises.
    #[error("the answer is malformed: {what}")]
    Malformed {
        /// What is wrong with it.
        what: &'static str,
    },
    /// The answer is longer than anybody asked for.
    #[error("the answer is longer than {limit} bytes")]
    TooLong {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The model called a tool although there is none.
    #[error("the model called a tool instead of answering")]
    CalledTool,
    /// The answer ended before it was complete.
    #[error("the answer is incomplete: {reason}")]
    Incomplete {
        /// Why, in one word.
        reason: &'static str,
    },
    /// The request holds something that this interface cannot say.
    #[error("a part of kind `{part}` cannot be sent to this model")]
    Unsupported {
        /// The kind of the part.
        part: &'static str,
    },
    /// A model of your own failed.
    #[error("the model failed: {what}")]
    Other {
        /// What failed, in your words.
        what: Arc<str>,
        /// Whether trying again may help; `None` when nobody knows.
        retryable: Option<bool>,
    },
}

/// What failed about a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectionFault {
    /// There is no such host.
    Host,
    /// Nobody answered there.
    Unreachable,
    /// The connection broke on the way.
    Broken,
    /// No secure connection came about.
    Tls,
    /// The address is no address.
    Address,
}

impl core::fmt::Display for ConnectionFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Host => "the host was not found",
            Self::Unreachable => "nobody answers there",
            Self::Broken => "it broke",
            Self::Tls => "it cannot be made secure",
            Self::Address => "the address is none",
        })
    }
}

impl ModelError {
    /// Whether trying again may help: `None` when nobody knows.
    #[must_use]
    pub const fn is_retryable(&self) -> Option<bool> {
        match self {
            Self::RateLimited { .. } | Self::Overloaded { .. } | Self::Timeout => Some(true),
            Self::Server { status } => Some(matches!(status, 500 | 502 | 503 | 504 | 529)),
            Self::Connection { fault } => {
                Some(matches!(fault, ConnectionFault::Unreachable | ConnectionFault::Broken))
            }
            Self::Overflow
            | Self::Authentication { .. }
            | Self::Refused { .. }
            | Self::Malformed { .. }
            | Self::TooLong { .. }
            | Self::CalledTool
            | Self::Incomplete { .. }
            | Self::Unsupported { .. } => Some(false),
            Self::Other { retryable, .. } => *retryable,
        }
    }

    /// How long the provider asks to wait, where it said so.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } | Self::Overloaded { retry_after, .. } => *retry_after,
            Self::Overflow
            | Self::Server { .. }
            | Self::Authentication { .. }
            | Self::Refused { .. }
            | Self::Timeout
            | Self::Connection { .. }
            | Self::Malformed { .. }
            | Self::TooLong { .. }
            | Self::CalledTool
            | Self::Incomplete { .. }
            | Self::Unsupported { .. }
            | Self::Other { .. } => None,
        }
    }
}

impl Coded for ModelError {
    fn code(&self) -> Code {
        match self {
            Self::Overflow => Code::new("MODEL_CONTEXT_OVERFLOW"),
            Self::RateLimited { .. } => Code::new("MODEL_RATE_LIMITED"),
            Self::Overloaded { .. } | Self::Server { .. } => Code::new("MODEL_UNAVAILABLE"),
            Self::Authentication { .. } => Code::new("MODEL_KEY_REFUSED"),
            Self::Refused { .. } => Code::new("MODEL_REFUSED"),
            Self::Timeout => Code::new("MODEL_TIMEOUT"),
            Self::Connection { .. } => Code::new("MODEL_CONNECTION"),
            Self::Malformed { .. } | Self::TooLong { .. } | Self::Incomplete { .. } => {
                Code::new("MODEL_ANSWER")
            }
            Self::CalledTool => Code::new("MODEL_CALLED_TOOL"),
            Self::Unsupported { .. } => Code::new("MODEL_UNSUPPORTED"),
            Self::Other { .. } => Code::new("MODEL_FAILED"),
        }
    }

    fn details(&self) -> Details {
        let none = Details::none();
        match self {
            Self::Overflow | Self::Timeout | Self::CalledTool => none,
            Self::RateLimited { retry_after } => seconds(none, *retry_after),
            Self::Overloaded { status, retry_after } => {
                seconds(none.with("status", u64::from(*status)), *retry_after)
            }
            Self::Server { status } | Self::Authentication { status } => {
                none.with("status", u64::from(*status))
            }
            Self::Refused { status, reason } => {
                let details = none.with("status", u64::from(*status));
                match reason {
                    Some(reason) => details.with("reason", Arc::clone(reason)),
                    None => details,
                }
            }
            Self::Connection { fault } => none.with("fault", Arc::<str>::from(fault.as_str())),
            Self::Malformed { what } => none.with("what", *what),
            Self::TooLong { limit } => none.with("limit", *limit),
            Self::Incomplete { reason } => none.with("reason", *reason),
            Self::Unsupported { part } => none.with("part", *part),
            Self::Other { what, .. } => none.with("what", Arc::clone(what)),
        }
    }
}

impl ConnectionFault {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Unreachable => "unreachable",
            Self::Broken => "broken",
            Self::Tls => "tls",
            Self::Address => "address",
        }
    }
}

fn seconds(details: Details, retry_after: Option<Duration>) -> Details {
    match retry_after {
        Some(wait) => details.with("retry_after_seconds", wait.as_secs()),
        None => details,
    }
}

/// An attempt that failed, with what it cost all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct FailedAttempt {
    /// Why.
    #[source]
    pub error: ModelError,
    /// What the provider counted for it, where it said so.
    pub usage: Option<TokenUsage>,
    /// The model that answered, as the provider names it.
    pub model: Option<Arc<str>>,
}

impl From<ModelError> for FailedAttempt {
    fn from(error: ModelError) -> Self {
        Self { error, usage: None, model: None }
    }
}
