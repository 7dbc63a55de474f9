//! Where the bytes of a session are: in memory, or in a large file of which only the context is held.
//!
//! A large file of lines is read twice. The first pass makes an *abridged* text: every line without the members that
//! its format does not read ([`Worth`]), and without the middle of long texts. The format reads it like a whole file,
//! the middles are put into the turns, and what the format wants changed is found again in the file. The second pass
//! copies the file and changes that on the way. In between the file must stay as it is.

mod abridged;
mod cuts;
mod disk;
mod filling;
mod finder;
mod large;
mod opened;
mod opening;
mod stand_in;
mod worth;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use std::fs::File;
use std::io;

use crate::document::Document;
use crate::error::{FormatError, Place};
use crate::format::{Format, Reading};
use crate::raw::{Line, Lines, Span, Splices};
use crate::request::ReadRequest;
use crate::violation::Violation;
use large::Large;

pub use opening::OpenOptions;
pub(crate) use opening::open;
pub(crate) use stand_in::whole_length;
pub use worth::Worth;

/// Where the bytes of a session are.
pub(crate) enum Source {
    /// In memory.
    Memory(String),
    /// In a file.
    Large(Large),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({} bytes, {} held)", self.length(), self.text().len())
    }
}

impl Source {
    /// A source in memory.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Result<Self, FormatError> {
        let text = String::from_utf8(bytes)
            .map_err(|error| not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()))?;
        Ok(Self::Memory(text))
    }

    /// The text that formats read.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Memory(text) => text,
            Self::Large(large) => large.text(),
        }
    }

    /// How many bytes there are, held or not.
    pub(crate) const fn length(&self) -> usize {
        match self {
            Self::Memory(text) => text.len(),
            Self::Large(large) => large.length(),
        }
    }

    /// Whether only a part of the text is held.
    pub(crate) const fn is_abridged(&self) -> bool {
        matches!(self, Self::Large(_))
    }

    /// Lets a format read the text, and puts whole texts into the turns.
    pub(crate) fn read(
        &self,
        format: &dyn Format,
        request: &ReadRequest<'_>,
        document: &Document<'_>,
    ) -> Result<Reading, FormatError> {
        match self {
            Self::Memory(_) => format.read(document, request),
            Self::Large(large) => large.read(format, request, document),
        }
    }

    /// What stands in the file where this stands in the text.
    pub(crate) fn original(&self, span: Span) -> Result<Cow<'_, str>, FormatError> {
        match self {
            Self::Memory(text) => Ok(Cow::Borrowed(span.of(text))),
            Self::Large(large) => large.original(span).map(Cow::Owned),
        }
    }

    /// The offset in the file of an offset in the text.
    pub(crate) fn offset(&self, place: usize) -> usize {
        match self {
            Self::Memory(_) => place,
            Self::Large(large) => large.offset(place),
        }
    }

    /// Gives every line of a large file as it is held and as it stands in the file.
    pub(crate) fn line_pairs(&self, each: &mut dyn FnMut(Line<'_>, Line<'_>)) -> Result<(), FormatError> {
        match self {
            Self::Memory(text) => Lines::new(text, 0).for_each(|line| each(line, line)),
            Self::Large(large) => large.line_pairs(each)?,
        }
        Ok(())
    }

    /// The violation with its place in the file.
    pub(crate) fn in_file(&self, violation: Violation) -> Violation {
        Violation { offset: self.offset(violation.offset), ..violation }
    }

    /// That the file is what was read.
    pub(crate) fn check(&self) -> Result<(), FormatError> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Large(large) => large.check(),
        }
    }

    /// Whether a large file was opened from this one, and this one has not changed.
    pub(crate) fn is_of(&self, file: &File) -> io::Result<bool> {
        match self {
            Self::Memory(_) => Ok(false),
            Self::Large(large) => large.disk.looks_like(file),
        }
    }

    /// Writes the file with these edits of the text.
    pub(crate) fn write(&self, splices: &Splices, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        match self {
            Self::Memory(text) => splices.write_to(text, out),
            Self::Large(large) => large.write(splices, out),
        }
    }
}

fn not_utf8(bytes: &[u8], offset: usize) -> FormatError {
    let line = bytes.get(..offset).unwrap_or_default().split(|byte| *byte == b'\n').count();
    FormatError::NotUtf8 { at: Place { line, offset } }
}
