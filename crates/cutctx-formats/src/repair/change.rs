//! What a repair did, and what it could not do.

use alloc::string::String;

use crate::violation::Violation;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairChange {
    /// What was changed.
    pub kind: RepairKind,
    /// The byte of the file at which the message begins that it is about.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// The provider's id of the call that it is about.
    pub call_id: Option<String>,
}

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// A call got a result that says that it was not completed.
    AnsweredCall,
    /// A call whose result may still have come got one that says that it was not completed.
    ClosedCall,
    /// A result was put to where the provider looks for it.
    MovedResult,
    /// A result that answers no call went.
    RemovedOrphanResult,
    /// A further result of a call went.
    RemovedDuplicateResult,
    /// A result without content got some, or lost its empty parts.
    FilledResult,
    /// A result that is no object became one.
    WrappedResult,
    /// A call, and its result, got another id.
    RenamedCall,
    /// Arguments that are no object became one.
    WrappedArguments,
    /// A blank text went.
    RemovedBlankText,
    /// A message that says nothing went.
    RemovedEmptyMessage,
    /// White space at the end of the last text went.
    TrimmedText,
    /// Reasoning went as a whole.
    RemovedReasoning,
    /// A call or a result of a tool that the provider ran went, because it has no partner.
    RemovedServerPart,
    /// A copy of a record went.
    RemovedCopy,
    /// A cache mark went.
    RemovedCacheMark,
    /// What a message says was put into the one before it.
    JoinedMessages,
    /// A first message of the user's was put in front.
    AddedOpening,
}

impl RepairKind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
        Self::AnsweredCall,
        Self::ClosedCall,
        Self::MovedResult,
        Self::RemovedOrphanResult,
        Self::RemovedDuplicateResult,
        Self::FilledResult,
        Self::WrappedResult,
        Self::RenamedCall,
        Self::WrappedArguments,
        Self::RemovedBlankText,
        Self::RemovedEmptyMessage,
        Self::TrimmedText,
        Self::RemovedReasoning,
        Self::RemovedServerPart,
        Self::RemovedCopy,
        Self::RemovedCacheMark,
        Self::JoinedMessages,
        Self::AddedOpening,
    ];

    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AnsweredCall => "answered_call",
            Self::ClosedCall => "closed_call",
            Self::MovedResult => "moved_result",
            Self::RemovedOrphanResult => "removed_orphan_result",
            Self::RemovedDuplicateResult => "removed_duplicate_result",
            Self::FilledResult => "filled_result",
            Self::WrappedResult => "wrapped_result",
            Self::RenamedCall => "renamed_call",
            Self::WrappedArguments => "wrapped_arguments",
            Self::RemovedBlankText => "removed_blank_text",
            Self::RemovedEmptyMessage => "removed_empty_message",
            Self::TrimmedText => "trimmed_text",
            Self::RemovedReasoning => "removed_reasoning",
            Self::RemovedServerPart => "removed_server_part",
            Self::RemovedCopy => "removed_copy",
            Self::RemovedCacheMark => "removed_cache_mark",
            Self::JoinedMessages => "joined_messages",
            Self::AddedOpening => "added_opening",
        }
    }

    /// What was changed, for people.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::AnsweredCall => "the call gets a result that says that it was not completed",
            Self::ClosedCall => "the open call gets a result that says that it was not completed",
            Self::MovedResult => "the result is put to its call",
            Self::RemovedOrphanResult => "the result answers no call and is removed",
            Self::RemovedDuplicateResult => "the call has a result already; this one is removed",
            Self::FilledResult => "the empty result gets a content",
            Self::WrappedResult => "the result is put into an object",
            Self::RenamedCall => "the call and its result get another id",
            Self::WrappedArguments => "the arguments are put into an object",
            Self::RemovedBlankText => "the blank text is removed",
            Self::RemovedEmptyMessage => "the message says nothing and is removed",
            Self::TrimmedText => "the white space at the end is cut off",
            Self::RemovedReasoning => "the reasoning is removed as a whole",
            Self::RemovedServerPart => "a tool's call or result without partner is removed",
            Self::RemovedCopy => "the record is a copy and is removed",
            Self::RemovedCacheMark => "a cache mark is removed",
            Self::JoinedMessages => "the message is joined to the one before it",
            Self::AddedOpening => "a first message of the user is put in front",
        }
    }
}

/// A breach that is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unrepaired {
    /// The breach; its place is that in the file as it was.
    pub violation: Violation,
    /// Why it is there.
    pub reason: Unrepairable,
}

/// Why a breach was not mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unrepairable {
    /// The call is the last act of the conversation, or waits for a person: its result may still come.
    OpenCall,
    /// What would have to go is pinned.
    Pinned,
    /// What is missing is not in the file.
    Missing,
    /// It cannot be mended in this format.
    NotInThisFormat,
}

impl Unrepairable {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenCall => "open_call",
            Self::Pinned => "pinned",
            Self::Missing => "missing",
            Self::NotInThisFormat => "not_in_this_format",
        }
    }

    /// The reason, for people.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::OpenCall => "the call is still open: its result may come",
            Self::Pinned => "what would have to go is pinned",
            Self::Missing => "what is missing is not in the file",
            Self::NotInThisFormat => "it cannot be mended in this format",
        }
    }
}
