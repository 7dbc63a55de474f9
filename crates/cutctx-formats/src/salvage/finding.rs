//! What is wrong with a damaged file, and what was done about it.

use core::fmt;

use cutctx_types::{Code, Coded, Details};

use crate::error::Place;
use crate::raw::Span;

/// One damaged place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What is wrong.
    pub kind: Damage,
    /// The first byte of it.
    pub at: Place,
    /// How many bytes of the file it takes up. They are not in the recovered text, unless nothing was done.
    pub bytes: usize,
    /// What was done about it.
    pub remedy: Remedy,
}

/// A kind of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Damage {
    /// A record breaks off, and others follow: its writer was stopped, and another one went on.
    Torn,
    /// The last record breaks off: the file is being written, or its writer was stopped.
    Truncated,
    /// Bytes that belong to no record, such as the end of one whose beginning is lost.
    Stray,
    /// A block of zero bytes, as a crash of the machine leaves it.
    Zeros,
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// A record begins on the line on which another one ends.
    Glued,
    /// A record goes over several lines.
    Spread,
    /// A string holds control characters, line ends among them, that JSON wants escaped.
    Control,
    /// The file is one JSON document that breaks off.
    TruncatedDocument,
    /// The file is one JSON document that is malformed in its middle.
    BrokenDocument,
    /// The file holds no records on lines at all.
    NotLines,
}

/// What was done about a damaged place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Remedy {
    /// The bytes were left out.
    Skipped,
    /// The line ends inside of a record were left out, so that it stands on one line.
    Joined,
    /// A line end was put before the record.
    Split,
    /// The bytes were replaced by their JSON escapes; for bytes that are no text it is that of U+FFFD.
    Escaped,
    /// Nothing: any change would be a guess.
    Left,
}

/// An edit of the damaged file: a range of its bytes, and what stands there instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// What comes in their place: nothing, a line end or JSON escapes; never text of the file.
    pub text: &'static str,
}

/// The first damaged place of a file, for readers that stop there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {}: {kind} at byte {}", at.line, at.offset)]
#[non_exhaustive]
pub struct Damaged {
    /// What is wrong.
    pub kind: Damage,
    /// The first byte of it.
    pub at: Place,
}

impl Damage {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Torn,
        Self::Truncated,
        Self::Stray,
        Self::Zeros,
        Self::NotUtf8,
        Self::Glued,
        Self::Spread,
        Self::Control,
        Self::TruncatedDocument,
        Self::BrokenDocument,
        Self::NotLines,
    ];

    /// A short stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Torn => "torn",
            Self::Truncated => "truncated",
            Self::Stray => "stray",
            Self::Zeros => "zeros",
            Self::NotUtf8 => "not_utf8",
            Self::Glued => "glued",
            Self::Spread => "spread",
            Self::Control => "control",
            Self::TruncatedDocument => "truncated_document",
            Self::BrokenDocument => "broken_document",
            Self::NotLines => "not_lines",
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Torn => "a record that breaks off",
            Self::Truncated => "a last record that breaks off",
            Self::Stray => "bytes that belong to no record",
            Self::Zeros => "a block of zero bytes",
            Self::NotUtf8 => "bytes that are no UTF-8 text",
            Self::Glued => "a record that begins on the line of another one",
            Self::Spread => "a record that goes over several lines",
            Self::Control => "raw control characters in a string",
            Self::TruncatedDocument => "a document that breaks off",
            Self::BrokenDocument => "a document that is malformed",
            Self::NotLines => "no records on lines of their own",
        })
    }
}

impl Remedy {
    /// A short stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Joined => "joined",
            Self::Split => "split",
            Self::Escaped => "escaped",
            Self::Left => "left",
        }
    }
}

impl Coded for Damaged {
    fn code(&self) -> Code {
        Code::new("FORMAT_DAMAGED")
    }

    fn details(&self) -> Details {
        let details = Details::none().with("damage", self.kind.code());
        details.with("line", self.at.line).with("offset", self.at.offset)
    }
}
