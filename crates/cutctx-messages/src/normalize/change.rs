//! What was changed, what could not be, and what is still open.

use alloc::sync::Arc;

use crate::call::CallState;

/// One change. Indexes of messages are those of the list given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The message at which it was made.
    pub message: usize,
    /// The call that it is about.
    pub call_id: Option<Arc<str>>,
    /// What was changed.
    pub kind: ChangeKind,
}

/// What was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// What the message says was put into an earlier one.
    MergedMessage {
        /// The earlier message.
        into: usize,
    },
    /// The message was split before a call whose id it had already.
    SplitMessage,
    /// A result was moved to those of the same calls.
    MovedResult {
        /// The message that called.
        behind: usize,
    },
    /// A call was given a result that says that it was not completed.
    CompletedCall,
    /// A call without a result was removed.
    RemovedCall,
    /// A result that answers no call was removed.
    RemovedOrphanResult,
    /// A further result of a call was removed.
    RemovedDuplicateResult,
    /// A provisional result was removed, because a later one tells more.
    RemovedProvisionalResult,
    /// What a tool message held besides results was removed with them.
    RemovedToolContent,
}

impl ChangeKind {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MergedMessage { .. } => "merged-message",
            Self::SplitMessage => "split-message",
            Self::MovedResult { .. } => "moved-result",
            Self::CompletedCall => "completed-call",
            Self::RemovedCall => "removed-call",
            Self::RemovedOrphanResult => "removed-orphan-result",
            Self::RemovedDuplicateResult => "removed-duplicate-result",
            Self::RemovedProvisionalResult => "removed-provisional-result",
            Self::RemovedToolContent => "removed-tool-content",
        }
    }
}

/// Something that had to go and stayed, because its message is pinned. The list is not well formed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The pinned message, by its index in the list given.
    pub message: usize,
    /// The call that it is about.
    pub call_id: Option<Arc<str>>,
    /// What stayed.
    pub kind: ConflictKind,
}

/// What stayed although it had to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// A result that answers no call.
    OrphanResult,
    /// A further result of a call.
    DuplicateResult,
    /// A tool message without results.
    ToolContent,
}

impl ConflictKind {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OrphanResult => "orphan-result",
            Self::DuplicateResult => "duplicate-result",
            Self::ToolContent => "tool-content",
        }
    }
}

/// A call that waits for its final result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenCall {
    /// The message that calls, by its index in the list given.
    pub message: usize,
    /// The call's id.
    pub call_id: Arc<str>,
    /// What it waits for.
    pub state: CallState,
}

impl Change {
    pub(super) fn new(message: usize, call_id: Option<&str>, kind: ChangeKind) -> Self {
        Self { message, call_id: call_id.map(Arc::from), kind }
    }
}

impl Conflict {
    pub(super) fn new(message: usize, call_id: Option<&str>, kind: ConflictKind) -> Self {
        Self { message, call_id: call_id.map(Arc::from), kind }
    }
}

impl OpenCall {
    pub(super) fn new(message: usize, call_id: &str, state: CallState) -> Self {
        Self { message, call_id: call_id.into(), state }
    }
}
