//! What can be done to mend a file.

use alloc::string::String;
use alloc::vec::Vec;

use crate::raw::Splices;

/// One thing to be done to a file. Messages and their parts are counted as the observer of a reader meets them.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mend {
    /// A part goes, and what it stands in when nothing else does.
    Remove {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
    },
    /// A message goes as a whole.
    RemoveMessage {
        /// The message.
        message: usize,
    },
    /// The records go whose `id` an earlier record of the list has.
    RemoveCopies,
    /// A text or a result says this, whatever it said.
    Say {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
        /// What it says.
        text: String,
    },
    /// Of a result made of several parts only these stay.
    KeepInner {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
        /// The parts of the result.
        inner: Vec<usize>,
    },
    /// The value that says a result is put into the frame that a text has there.
    Frame {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
    },
    /// A call has these arguments.
    Arguments {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
        /// The arguments, a JSON object.
        json: String,
    },
    /// A call, or the answer to one, gets another id.
    Rename {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
        /// The id.
        from: String,
        /// The new id.
        to: String,
    },
    /// Results move, or are made, and stand together.
    Deliver {
        /// The results.
        pieces: Vec<Piece>,
        /// Where they go.
        to: Target,
    },
    /// All that a message says goes to the end of another one.
    Join {
        /// The message.
        message: usize,
        /// The other one.
        to: usize,
    },
    /// The object that a part is loses the member of this key.
    Unmark {
        /// The message.
        message: usize,
        /// Its part.
        part: usize,
        /// The key.
        key: &'static str,
    },
    /// The first objects in messages that have a member of this key lose it; an object of that member alone goes.
    UnmarkFirst {
        /// The key.
        key: &'static str,
        /// How many.
        count: usize,
    },
    /// A new first message, the user's, says this.
    Open {
        /// What it says.
        text: String,
    },
}

/// What a mend takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Going {
    /// A part of a message.
    Part { message: usize, part: usize },
    /// A message as a whole.
    Message { message: usize },
}

impl Mend {
    /// What it takes away, where it does nothing else.
    pub(crate) const fn takes_away(&self) -> Option<Going> {
        match self {
            Self::Remove { message, part } => Some(Going::Part { message: *message, part: *part }),
            Self::RemoveMessage { message } => Some(Going::Message { message: *message }),
            Self::RemoveCopies
            | Self::Say { .. }
            | Self::KeepInner { .. }
            | Self::Frame { .. }
            | Self::Arguments { .. }
            | Self::Rename { .. }
            | Self::Deliver { .. }
            | Self::Join { .. }
            | Self::Unmark { .. }
            | Self::UnmarkFirst { .. }
            | Self::Open { .. } => None,
        }
    }
}

/// A result that is put somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a result is there or is made")]
pub enum Piece {
    /// One that the file holds.
    Part {
        /// Its message.
        message: usize,
        /// Which part of that.
        part: usize,
    },
    /// A new one.
    Answer(Answer),
}

/// The result of a call that has none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a result names its call and says something")]
pub struct Answer {
    /// The provider's id of the call.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// What the result says.
    pub text: String,
}

/// Where results go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "results stand in a message, or in one of their own")]
pub enum Target {
    /// Before everything else in this message; in a record before it when it has no list of parts.
    Within(usize),
    /// Into records directly behind this message.
    Behind(usize),
}

/// What mending makes of a file.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Mended {
    /// The edits.
    pub splices: Splices,
    /// Those that could not be carried out in this format, by index. Nothing was done for them.
    pub refused: Vec<usize>,
}

impl core::fmt::Debug for Mend {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Remove { .. } => "Remove",
            Self::RemoveMessage { .. } => "RemoveMessage",
            Self::RemoveCopies => "RemoveCopies",
            Self::Say { .. } => "Say",
            Self::KeepInner { .. } => "KeepInner",
            Self::Frame { .. } => "Frame",
            Self::Arguments { .. } => "Arguments",
            Self::Rename { .. } => "Rename",
            Self::Deliver { .. } => "Deliver",
            Self::Join { .. } => "Join",
            Self::Unmark { .. } => "Unmark",
            Self::UnmarkFirst { .. } => "UnmarkFirst",
            Self::Open { .. } => "Open",
        })
    }
}
