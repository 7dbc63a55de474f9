//! What a model answered.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

/// One answer of a model.
///
/// `Debug` prints the length of the text, not the text.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Completion {
    /// The visible text; reasoning is left out.
    pub text: String,
    /// Why the model stopped, where the provider said so.
    pub finish: Option<FinishReason>,
    /// Whether the provider called the answer complete. `None` where it says no such thing.
    pub completed: Option<bool>,
    /// Whether the model called a tool.
    pub called_tool: bool,
    /// What was counted, where the provider said so.
    pub usage: Option<TokenUsage>,
    /// The model that answered, as the provider names it.
    pub model: Option<Arc<str>>,
}

impl Completion {
    /// An answer of this text that says nothing else.
    ///
    /// ```
    /// use cutctx_models::Completion;
    /// assert!(!Completion::of("a summary").called_tool);
    /// ```
    #[must_use]
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The answer, finished for this reason.
    #[must_use]
    pub const fn finished(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// The answer with what it cost.
    #[must_use]
    pub const fn with_usage(mut self, usage: TokenUsage) -> Self {
        self.usage = Some(usage);
        self
    }
}

impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completion")
            .field("text_bytes", &self.text.len())
            .field("finish", &self.finish)
            .field("completed", &self.completed)
            .field("called_tool", &self.called_tool)
            .field("usage", &self.usage)
            .field("model", &self.model)
            .finish()
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishReason {
    /// It was done.
    Stop,
    /// It reached its limit of output tokens.
    Length,
    /// It called a tool.
    ToolCall,
    /// It was stopped by a filter, or refused.
    Refusal,
    /// Something else.
    Other,
}

impl FinishReason {
    /// The name that reports use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCall => "tool_call",
            Self::Refusal => "refusal",
            Self::Other => "other",
        }
    }
}

/// What a provider counted for one call, in tokens. No token stands in two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TokenUsage {
    /// Input at the full price.
    pub uncached_input: u64,
    /// Input read from a cache.
    pub cached_input: u64,
    /// Input written to a cache.
    pub cache_write: u64,
    /// Output, reasoning included.
    pub output: u64,
}

impl TokenUsage {
    /// Input at the full price and output; nothing cached.
    #[must_use]
    pub const fn new(uncached_input: u64, output: u64) -> Self {
        Self { uncached_input, cached_input: 0, cache_write: 0, output }
    }

    /// All input, cached or not.
    #[must_use]
    pub const fn input(&self) -> u64 {
        self.uncached_input.saturating_add(self.cached_input).saturating_add(self.cache_write)
    }

    /// Both uses together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            uncached_input: self.uncached_input.saturating_add(other.uncached_input),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
        }
    }
}
