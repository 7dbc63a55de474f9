//! Settings of the recommended policy.

use cutctx_messages::CleanText;

use crate::checkpoint::SummaryPrefix;
use crate::setting::{SettingError, SettingFault};

/// Between which marks a context is kept. All marks are tokens of the request's input, tools and options included.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made with the rest taken from `for_window` or `for_input`")]
pub struct BudgetedContextSettings {
    /// The most that the input may take.
    pub limit_tokens: u64,
    /// Above this the context is compacted.
    pub high_water_tokens: u64,
    /// Down to this.
    pub low_water_tokens: u64,
    /// What is set aside for the summary, out of the low mark.
    pub summary_tokens: u64,
    /// A compaction that frees less is not repeated until so much has been added.
    pub min_gain_tokens: u64,
    /// So many of the last messages, as far as they take no more than half of the low mark, are touched only where the
    /// context would not fit otherwise.
    pub protected_recent_messages: usize,
    /// Whether, as a last resort, long texts of a person are cut, too: of the last message, and of messages that are pinned
    /// for their place. Without it only what the model and tools said is.
    pub clip_active: bool,
    /// The most that the user's first message may take to be shown for ever.
    pub task_tokens: u64,
    /// So many tool results keep their files.
    pub max_attachment_results: usize,
    /// What stands before the summary.
    pub summary_prefix: SummaryPrefix,
    /// The key of this policy in the checkpoint, where a session has several of its kind.
    pub key: Option<CleanText>,
}

impl BudgetedContextSettings {
    /// The least that may be set aside for a summary, in tokens.
    pub const LEAST_SUMMARY_TOKENS: u64 = 16;

    /// Marks for a window of so many tokens: an eighth is left to the answer, the rest may be
    /// [input](Self::for_input).
    #[must_use]
    pub const fn for_window(window_tokens: u64) -> Self {
        Self::for_input(window_tokens.saturating_sub(window_tokens / 8))
    }

    /// Marks where the input may take so many tokens: compaction begins at four fifths of them and goes down to a half.
    #[must_use]
    pub const fn for_input(limit_tokens: u64) -> Self {
        Self {
            limit_tokens,
            high_water_tokens: limit_tokens.saturating_sub(limit_tokens / 5),
            low_water_tokens: limit_tokens / 2,
            summary_tokens: limit_tokens / 12,
            min_gain_tokens: limit_tokens / 20,
            protected_recent_messages: 8,
            clip_active: false,
            task_tokens: limit_tokens / 8,
            max_attachment_results: 1,
            summary_prefix: SummaryPrefix::DEFAULT,
            key: None,
        }
    }

    /// The first setting that is refused.
    pub(super) const fn check(&self) -> Result<(), SettingError> {
        if self.summary_tokens < Self::LEAST_SUMMARY_TOKENS {
            let least = Self::LEAST_SUMMARY_TOKENS;
            return Err(SettingFault::TooSmall { least }.of("summary_tokens"));
        }
        if self.summary_tokens >= self.low_water_tokens {
            return Err(SettingFault::ReservedSummary.of("summary_tokens"));
        }
        if self.low_water_tokens >= self.high_water_tokens {
            return Err(SettingFault::Order.of("low_water_tokens"));
        }
        if self.high_water_tokens > self.limit_tokens {
            return Err(SettingFault::Order.of("high_water_tokens"));
        }
        if self.min_gain_tokens == 0 {
            return Err(SettingFault::MustBePositive.of("min_gain_tokens"));
        }
        Ok(())
    }
}
