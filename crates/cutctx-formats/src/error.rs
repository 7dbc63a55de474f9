//! Why a file is refused, or cannot be written.

use alloc::string::{String, ToString};

use cutctx_types::{Code, Coded, Details, TranscriptError, TurnError};

use crate::detect::formats;
use crate::raw::{SpliceError, SyntaxError};

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The byte offset in the file.
    pub offset: usize,
}

impl Place {
    /// The place of a byte of `text`. An offset past the end is the end.
    #[must_use]
    pub fn of(offset: usize, text: &str) -> Self {
        let offset = offset.min(text.len());
        let before = text.as_bytes().get(..offset).unwrap_or_default();
        let feeds = before.split(|byte| *byte == b'\n').count();
        Self { line: feeds, offset }
    }
}

/// What is wrong with a record that is valid JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// An object was expected.
    #[error("it is not an object")]
    NotAnObject,
    /// A field that the format needs is missing or of another type.
    #[error("its field `{0}` is missing or has another type than expected")]
    Field(&'static str),
    /// The role is none of the format's roles.
    #[error("its role is unknown")]
    Role,
    /// A block belongs to another provider's format.
    #[error("it holds a block of another provider's format")]
    ForeignBlock,
}

/// Why a file is refused, or cannot be written back. Never shows text of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file holds nothing.
    #[error("the file is empty")]
    Empty,
    /// The bytes are not UTF-8.
    #[error("line {}: the bytes from offset {} on are no UTF-8 text", at.line, at.offset)]
    NotUtf8 {
        /// The first bad byte.
        at: Place,
    },
    /// The text is not JSON, or stops inside a value.
    #[error("line {}: {} JSON at byte {}{}", at.line, if *truncated { "incomplete" } else { "malformed" }, at.offset, seems(*looks_like))]
    Syntax {
        /// Where reading stopped.
        at: Place,
        /// The text ends inside a value.
        truncated: bool,
        /// What the file seems to be.
        looks_like: Option<&'static str>,
    },
    /// Several pretty-printed JSON documents follow each other.
    #[error("line {}: a second JSON document starts here; a session file holds one{}", at.line, seems(*looks_like))]
    Glued {
        /// Where the second document starts.
        at: Place,
        /// What the file seems to be.
        looks_like: Option<&'static str>,
    },
    /// The content fits no known format.
    #[error("line {}: this is no session in a known format{}", at.line, seems(*looks_like))]
    Unrecognized {
        /// Where the content starts.
        at: Place,
        /// What the file seems to be.
        looks_like: Option<&'static str>,
    },
    /// The file holds more than one conversation.
    #[error("line {}: the file holds {conversations} conversations; choose one of them", at.line)]
    SeveralConversations {
        /// Where they start.
        at: Place,
        /// How many there are.
        conversations: usize,
    },
    /// The file has fewer conversations than asked for.
    #[error("line {}: there is no conversation {wanted}; the file holds {conversations}, counted from 0", at.line)]
    NoSuchConversation {
        /// Where they start.
        at: Place,
        /// Which one was asked for, from 0.
        wanted: usize,
        /// How many there are.
        conversations: usize,
    },
    /// A record of the format cannot be read.
    #[error("line {}: record {record} cannot be read as {format}: {fault}", at.line)]
    Record {
        /// The format that was being read.
        format: &'static str,
        /// Where the record starts.
        at: Place,
        /// Its number, from 0.
        record: usize,
        /// What is wrong with it.
        fault: RecordFault,
    },
    /// A turn of the file is refused.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The turns of the file are no transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The number of fates is not the number of turns.
    #[error("{given} fates were given for {turns} turns")]
    FateCount {
        /// How many fates there are.
        given: usize,
        /// How many turns there are.
        turns: usize,
    },
    /// No text was given for a group.
    #[error("no text was given for the summary of group `{group}`")]
    SummaryMissing {
        /// The group.
        group: String,
    },
    /// A turn cannot have this fate in this format, such as the system prompt.
    #[error("turn {turn} cannot be changed in {format}")]
    Unchangeable {
        /// The format.
        format: &'static str,
        /// The turn's index.
        turn: usize,
    },
    /// A file that a session was opened from cannot be read.
    #[error("the session cannot be read: {kind}")]
    Source {
        /// What the system says.
        kind: std::io::ErrorKind,
    },
    /// A file that a session was opened from is not what it was then.
    #[error("the session has changed since it was read")]
    SourceChanged,
    /// The edits of a rendering contradict each other: a defect of the format.
    #[error(transparent)]
    Edit(#[from] SpliceError),
}

fn seems(looks_like: Option<&'static str>) -> String {
    let is_none =
        |name: &str| ["CutCtx", "the ", "recorded ", "a single "].iter().any(|start| name.starts_with(start));
    let is_read = |name: &str| formats().iter().any(|format| format.describe() == name);
    let end = |name: &str| match name {
        name if is_read(name) => "",
        name if is_none(name) => ", which is no session",
        _ => "; not supported yet",
    };
    looks_like.map(|name| ["; it looks like ", name, end(name)].concat()).unwrap_or_default()
}

impl FormatError {
    /// What is wrong with a record of this format that starts at this byte of `text`.
    #[must_use]
    pub fn record(format: &'static str, fault: RecordFault, start: usize, record: usize, text: &str) -> Self {
        Self::Record { format, at: Place::of(start, text), record, fault }
    }

    /// A syntax error with its line.
    #[must_use]
    pub fn syntax(error: SyntaxError, text: &str) -> Self {
        Self::Syntax { at: Place::of(error.offset, text), truncated: error.truncated, looks_like: None }
    }

    /// The place in the file, where the error has one.
    #[must_use]
    pub const fn place(&self) -> Option<Place> {
        match self {
            Self::NotUtf8 { at }
            | Self::Syntax { at, .. }
            | Self::Glued { at, .. }
            | Self::Unrecognized { at, .. }
            | Self::SeveralConversations { at, .. }
            | Self::NoSuchConversation { at, .. }
            | Self::Record { at, .. } => Some(*at),
            Self::Empty
            | Self::Turn(_)
            | Self::Transcript(_)
            | Self::FateCount { .. }
            | Self::SummaryMissing { .. }
            | Self::Unchangeable { .. }
            | Self::Source { .. }
            | Self::SourceChanged
            | Self::Edit(_) => None,
        }
    }

    /// The error with its place where `offset` says it is. Lines keep their numbers.
    pub(crate) fn moved(mut self, offset: impl Fn(usize) -> usize) -> Self {
        if let Self::NotUtf8 { at }
        | Self::Syntax { at, .. }
        | Self::Glued { at, .. }
        | Self::Unrecognized { at, .. }
        | Self::SeveralConversations { at, .. }
        | Self::NoSuchConversation { at, .. }
        | Self::Record { at, .. } = &mut self
        {
            at.offset = offset(at.offset);
        }
        if let Self::Edit(edit) = &mut self {
            (edit.start, edit.end) = (offset(edit.start), offset(edit.end));
        }
        self
    }

    /// What the file seems to be, where its structure gives that away.
    #[must_use]
    pub const fn looks_like(&self) -> Option<&'static str> {
        match self {
            Self::Syntax { looks_like, .. }
            | Self::Glued { looks_like, .. }
            | Self::Unrecognized { looks_like, .. } => *looks_like,
            Self::Empty
            | Self::NotUtf8 { .. }
            | Self::SeveralConversations { .. }
            | Self::NoSuchConversation { .. }
            | Self::Record { .. }
            | Self::Turn(_)
            | Self::Transcript(_)
            | Self::FateCount { .. }
            | Self::SummaryMissing { .. }
            | Self::Unchangeable { .. }
            | Self::Source { .. }
            | Self::SourceChanged
            | Self::Edit(_) => None,
        }
    }
}

impl Coded for FormatError {
    fn code(&self) -> Code {
        match self {
            Self::Empty => Code::new("FORMAT_EMPTY"),
            Self::NotUtf8 { .. } => Code::new("FORMAT_NOT_UTF8"),
            Self::Syntax { .. } => Code::new("FORMAT_SYNTAX"),
            Self::Glued { .. } => Code::new("FORMAT_SEVERAL_DOCUMENTS"),
            Self::Unrecognized { .. } => Code::new("FORMAT_UNRECOGNIZED"),
            Self::SeveralConversations { .. } => Code::new("FORMAT_SEVERAL_CONVERSATIONS"),
            Self::NoSuchConversation { .. } => Code::new("FORMAT_NO_SUCH_CONVERSATION"),
            Self::Record { .. } => Code::new("FORMAT_RECORD"),
            Self::FateCount { .. } => Code::new("FORMAT_FATE_COUNT"),
            Self::SummaryMissing { .. } => Code::SUMMARY_MISSING,
            Self::Unchangeable { .. } => Code::new("FORMAT_UNCHANGEABLE"),
            Self::Source { .. } => Code::new("FORMAT_SOURCE"),
            Self::SourceChanged => Code::new("FORMAT_SOURCE_CHANGED"),
            Self::Edit(_) => Code::new("FORMAT_EDIT"),
            Self::Turn(error) => error.code(),
            Self::Transcript(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        let details = match self {
            Self::Turn(error) => return error.details(),
            Self::Transcript(error) => return error.details(),
            Self::Syntax { truncated, .. } => Details::none().with("truncated", *truncated),
            Self::SeveralConversations { conversations, .. } => {
                Details::none().with("conversations", *conversations)
            }
            Self::NoSuchConversation { wanted, conversations, .. } => {
                Details::none().with("wanted", *wanted).with("conversations", *conversations)
            }
            Self::Record { format, record, fault, .. } => {
                Details::none().with("format", *format).with("record", *record).with("fault", fault.code())
            }
            Self::FateCount { given, turns } => Details::none().with("given", *given).with("turns", *turns),
            Self::SummaryMissing { group } => Details::none().with("group_id", group.as_str()),
            Self::Unchangeable { format, turn } => {
                Details::none().with("format", *format).with("turn", *turn)
            }
            Self::Edit(error) => Details::none().with("start", error.start).with("end", error.end),
            Self::Source { kind } => Details::none().with("reason", kind.to_string()),
            Self::Empty
            | Self::NotUtf8 { .. }
            | Self::Glued { .. }
            | Self::Unrecognized { .. }
            | Self::SourceChanged => Details::none(),
        };
        with_place(details, self)
    }
}

fn with_place(mut details: Details, error: &FormatError) -> Details {
    if let Some(at) = error.place() {
        details = details.with("line", at.line).with("offset", at.offset);
    }
    if let Some(name) = error.looks_like() {
        details = details.with("looks_like", name);
    }
    details
}

impl RecordFault {
    /// A short stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotAnObject => "not_an_object",
            Self::Field(_) => "field",
            Self::Role => "role",
            Self::ForeignBlock => "foreign_block",
        }
    }
}
