//! What a model answers to a compactor.

use alloc::string::String;
use core::time::Duration;

use cutctx_messages::DurableObject;

/// What a model answered, or why it did not.
pub type ModelOutcome = Result<ModelCompletion, ModelFailure>;

/// An answer of a model. `Debug` shows its length only.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelCompletion {
    /// What it said, reasoning left out.
    pub text: String,
    /// Whether it called a tool.
    pub called_tool: bool,
    /// What the provider reported at the end: status, finish reason, usage.
    pub completed: DurableObject,
}

impl ModelCompletion {
    /// An answer that says this.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), called_tool: false, completed: DurableObject::empty() }
    }

    /// With what the provider reported at the end.
    #[must_use]
    pub fn with_completed(mut self, completed: DurableObject) -> Self {
        self.completed = completed;
        self
    }

    /// As an answer that calls a tool, or not.
    #[must_use]
    pub const fn with_called_tool(mut self, called_tool: bool) -> Self {
        self.called_tool = called_tool;
        self
    }
}

impl core::fmt::Debug for ModelCompletion {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "ModelCompletion({} bytes, called_tool: {})", self.text.len(), self.called_tool)
    }
}

/// Why a model did not answer, and what that cost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelFailure {
    /// What sort of failure.
    pub kind: ModelFailureKind,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// Whether trying again may help, where somebody knows.
    pub retryable: Option<bool>,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
    /// What the provider reported, where it did.
    pub completed: Option<DurableObject>,
}

impl ModelFailure {
    /// A failure of this sort.
    #[must_use]
    pub const fn new(kind: ModelFailureKind) -> Self {
        Self { kind, status: None, retryable: None, retry_after: None, completed: None }
    }
}

/// What sort of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelFailureKind {
    /// The request does not fit the window.
    ContextOverflow,
    /// Too many requests.
    RateLimited,
    /// The provider is overloaded or failed.
    ProviderError,
    /// It took too long, or the connection broke.
    Connection,
    /// The answer ended before it was complete.
    Unfinished,
    /// The answer cannot be read.
    Malformed,
    /// The request is refused and will be again.
    Refused,
}

impl ModelFailureKind {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContextOverflow => "context_overflow",
            Self::RateLimited => "rate_limited",
            Self::ProviderError => "provider_error",
            Self::Connection => "connection",
            Self::Unfinished => "unfinished_stream",
            Self::Malformed => "malformed",
            Self::Refused => "refused",
        }
    }
}
