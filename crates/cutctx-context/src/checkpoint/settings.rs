//! Settings of the checkpoint policy.

use cutctx_messages::SpokenText;

use crate::setting::{SettingError, SettingFault, positive};

/// When the checkpoint policy compacts, and what it keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made with the rest taken from the default")]
pub struct CheckpointCompactionSettings {
    /// Count mode: so many turns of the user are not summarized.
    pub max_user_turns: usize,
    /// Count mode: so many messages must be older than these.
    pub compact_after_messages: usize,
    /// Tokens decide instead of counts.
    pub size: Option<SizeMode>,
    /// What is kept free for the answer, in tokens.
    pub reserved_output_tokens: u64,
    /// Size mode: what is kept free for the summary, in tokens.
    pub reserved_summary_tokens: u64,
    /// Size mode: whether a context above what is kept is a failure.
    pub enforce_recent_context_target: bool,
    /// How often the compactor may be asked for one context.
    pub max_compaction_passes: usize,
    /// What stands before the summary.
    pub summary_prefix: SummaryPrefix,
    /// So many tool results keep their files.
    pub max_attachment_results: usize,
}

/// Two marks in tokens between which a context is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the two marks are the mode")]
pub struct SizeMode {
    /// A window of so many tokens triggers.
    pub compact_after_estimated_context_tokens: u64,
    /// So many tokens of input are kept, summary included.
    pub max_recent_context_tokens: u64,
}

/// What stands before a summary. The default is the reference's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryPrefix(Option<SpokenText>);

impl SummaryPrefix {
    /// The default.
    pub const DEFAULT: Self = Self(None);

    /// Another text.
    #[must_use]
    pub const fn new(text: SpokenText) -> Self {
        Self(Some(text))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or("Previous session context summary:")
    }
}

impl Default for CheckpointCompactionSettings {
    /// Count mode: ten turns stay, and forty older messages trigger.
    fn default() -> Self {
        Self {
            max_user_turns: 10,
            compact_after_messages: 40,
            size: None,
            reserved_output_tokens: 0,
            reserved_summary_tokens: 0,
            enforce_recent_context_target: true,
            max_compaction_passes: 8,
            summary_prefix: SummaryPrefix::DEFAULT,
            max_attachment_results: 1,
        }
    }
}

impl CheckpointCompactionSettings {
    /// Size mode between these marks in tokens; the rest as by default.
    #[must_use]
    pub fn by_size(compact_after_estimated_context_tokens: u64, max_recent_context_tokens: u64) -> Self {
        let size = SizeMode { compact_after_estimated_context_tokens, max_recent_context_tokens };
        Self { size: Some(size), ..Self::default() }
    }

    /// The first setting that is refused.
    pub(super) fn check(&self) -> Result<(), SettingError> {
        positive("max_user_turns", self.max_user_turns)?;
        positive("compact_after_messages", self.compact_after_messages)?;
        positive("max_compaction_passes", self.max_compaction_passes)?;
        self.check_size()
    }

    fn check_size(&self) -> Result<(), SettingError> {
        let reserved = "reserved_summary_tokens";
        let Some(size) = self.size else {
            if self.reserved_summary_tokens > 0 {
                return Err(SettingFault::ReservedSummary.of(reserved));
            }
            if !self.enforce_recent_context_target {
                return Err(SettingFault::NeedsSizeMode.of("enforce_recent_context_target"));
            }
            return Ok(());
        };
        let (after, kept) = (size.compact_after_estimated_context_tokens, size.max_recent_context_tokens);
        if after == 0 {
            return Err(SettingFault::MustBePositive.of("compact_after_estimated_context_tokens"));
        }
        if kept == 0 {
            return Err(SettingFault::MustBePositive.of("max_recent_context_tokens"));
        }
        if kept.saturating_add(self.reserved_output_tokens) >= after {
            return Err(SettingFault::SizeOrder.of("max_recent_context_tokens"));
        }
        if self.reserved_summary_tokens > 0 && self.reserved_summary_tokens >= kept {
            return Err(SettingFault::ReservedSummary.of(reserved));
        }
        Ok(())
    }
}
