//! What came of a build.

/// What came of a build of the recommended policy. Numbers are tokens of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextOutcome {
    /// The context goes on where the last one ended.
    Unchanged {
        /// What it takes.
        tokens: u64,
        /// Why what was remembered could not be used, where that is so.
        invalidated: Option<InvalidatedReason>,
    },
    /// The context was compacted.
    Compacted {
        /// What it took before.
        tokens_before: u64,
        /// What it takes.
        tokens_after: u64,
        /// Why what was remembered could not be used, where that is so.
        invalidated: Option<InvalidatedReason>,
    },
    /// The context fits, and not everything that was wanted could be done.
    Degraded {
        /// What could not.
        reason: DegradedReason,
        /// What it took before.
        tokens_before: u64,
        /// What it takes.
        tokens_after: u64,
    },
    /// The context does not fit although everything was done.
    OverBudget {
        /// What it takes.
        needed: u64,
        /// What it may take.
        allowed: u64,
        /// What of it can never go: the system's messages, a short task, and the newest of all.
        floor: u64,
    },
}

impl ContextOutcome {
    /// A short stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unchanged { .. } => "unchanged",
            Self::Compacted { .. } => "compacted",
            Self::Degraded { .. } => "degraded",
            Self::OverBudget { .. } => "over_budget",
        }
    }
}

/// What could not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DegradedReason {
    /// The compactor gave no summary; the context was brought down without one.
    SummaryFailed,
    /// The summary was longer than its budget and was cut.
    SummaryCut,
    /// What could be freed is less than the declared minimum. It is not tried again until something was added.
    LittleGain,
    /// What is new had to be shortened.
    RecentShortened,
}

impl DegradedReason {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SummaryFailed => "summary_failed",
            Self::SummaryCut => "summary_cut",
            Self::LittleGain => "little_gain",
            Self::RecentShortened => "recent_shortened",
        }
    }
}

/// Why what was remembered could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InvalidatedReason {
    /// It is not in the form of any version known.
    Unreadable,
    /// There are fewer messages than it was made of.
    TranscriptShorter,
    /// The messages that it was made of have changed.
    ContentChanged,
}

impl InvalidatedReason {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::TranscriptShorter => "transcript_shorter",
            Self::ContentChanged => "content_changed",
        }
    }
}
