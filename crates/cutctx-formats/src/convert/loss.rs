//! What could not be carried over.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Something that the converted document does not say, or says in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What it is.
    pub kind: LossKind,
    /// The message that it stood in, by its index; `None` for what is about the document.
    pub message: Option<usize>,
    /// How many of them the message has.
    pub count: usize,
    /// The line at which the message begins, where the file is known.
    pub line: Option<usize>,
}

/// What could not be carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// Readable reasoning was left out.
    Reasoning,
    /// Signed or encrypted reasoning was left out: only the provider that signed it takes it.
    SignedReasoning,
    /// The call of a tool that the provider ran was left out.
    ServerCall,
    /// The result of a tool that the provider ran was left out.
    ServerResult,
    /// A medium was left out: its data is not in the file, or the target does not take it.
    Media,
    /// A medium of a result was put into a message behind the results, because those are texts in the target.
    MovedMedia,
    /// How closely the model is to look at an image could not be said.
    ImageDetail,
    /// A block that has no counterpart was left out.
    OtherBlock,
    /// A blank text was left out.
    BlankText,
    /// White space at the end of the last message was cut off.
    TrimmedText,
    /// A system prompt in the middle became a message of the user's.
    SystemInMiddle,
    /// Arguments that are no JSON object were put into one, under the key `unparsed_arguments`.
    WrappedArguments,
    /// The id of a call, and of its result, was made anew.
    RespelledId,
    /// That a result reports a failure could not be said.
    ErrorMark,
    /// A result without content got some.
    FilledResult,
    /// A call without a result got one that says that it was not completed.
    AnsweredCall,
    /// A result that answers no call was left out.
    OrphanResult,
    /// A further result of a call, or a provisional one, was left out.
    FurtherResult,
    /// A first message of the user's was put in front.
    AddedOpening,
    /// The definitions of tools are not in the messages; each tool was given one that says nothing but its name.
    ToolDefinitions,
    /// Cache marks were left out.
    CacheMark,
}

impl LossKind {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
            Self::SignedReasoning => "signed_reasoning",
            Self::ServerCall => "server_call",
            Self::ServerResult => "server_result",
            Self::Media => "media",
            Self::MovedMedia => "moved_media",
            Self::ImageDetail => "image_detail",
            Self::OtherBlock => "other_block",
            Self::BlankText => "blank_text",
            Self::TrimmedText => "trimmed_text",
            Self::SystemInMiddle => "system_in_middle",
            Self::WrappedArguments => "wrapped_arguments",
            Self::RespelledId => "respelled_id",
            Self::ErrorMark => "error_mark",
            Self::FilledResult => "filled_result",
            Self::AnsweredCall => "answered_call",
            Self::OrphanResult => "orphan_result",
            Self::FurtherResult => "further_result",
            Self::AddedOpening => "added_opening",
            Self::ToolDefinitions => "tool_definitions",
            Self::CacheMark => "cache_mark",
        }
    }

    /// What became of it, for people.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning left out",
            Self::SignedReasoning => "signed or encrypted reasoning left out",
            Self::ServerCall => "call of a tool that the provider ran left out",
            Self::ServerResult => "result of a tool that the provider ran left out",
            Self::Media => "medium left out",
            Self::MovedMedia => "medium of a result put into a message behind it",
            Self::ImageDetail => "how closely to look at an image left out",
            Self::OtherBlock => "block without counterpart left out",
            Self::BlankText => "blank text left out",
            Self::TrimmedText => "white space at the end cut off",
            Self::SystemInMiddle => "system prompt in the middle made a message of the user's",
            Self::WrappedArguments => "arguments that are no object put under `unparsed_arguments`",
            Self::RespelledId => "id of a call made anew",
            Self::ErrorMark => "mark that a result is a failure left out",
            Self::FilledResult => "empty result given a content",
            Self::AnsweredCall => "call without a result given one that says so",
            Self::OrphanResult => "result that answers no call left out",
            Self::FurtherResult => "further or provisional result of a call left out",
            Self::AddedOpening => "first message of the user put in front",
            Self::ToolDefinitions => "tool given a definition that says nothing but its name",
            Self::CacheMark => "cache mark left out",
        }
    }
}

impl Loss {
    /// So many, somewhere in the file; none where there are none.
    pub(super) fn of_file(kind: LossKind, count: usize) -> Option<Self> {
        (count > 0).then_some(Self { kind, message: None, count, line: None })
    }
}

/// Counts losses by message and kind.
#[derive(Debug, Default)]
pub struct Losses(BTreeMap<(Option<usize>, LossKind), usize>);

impl Losses {
    pub(super) fn note(&mut self, kind: LossKind, message: usize) {
        let count = self.0.entry((Some(message), kind)).or_default();
        *count = count.saturating_add(1);
    }

    pub(super) fn note_of_document(&mut self, kind: LossKind) {
        let count = self.0.entry((None, kind)).or_default();
        *count = count.saturating_add(1);
    }

    pub(super) fn into_list(self) -> Vec<Loss> {
        let loss = |((message, kind), count)| Loss { kind, message, count, line: None };
        self.0.into_iter().map(loss).collect()
    }
}

/// Gives losses the lines of their messages, which begin at these bytes.
pub(super) fn give_lines(losses: &mut [Loss], offsets: &[Option<usize>], text: &str) {
    let feeds: Vec<usize> =
        text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place).collect();
    for loss in losses {
        let offset = loss.message.and_then(|message| offsets.get(message).copied().flatten());
        loss.line = offset.map(|offset| feeds.partition_point(|feed| *feed < offset).saturating_add(1));
    }
}
