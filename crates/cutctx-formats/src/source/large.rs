//! A large file: the abridged text, and the file beside it.

use alloc::string::String;
use std::io;

use super::abridged::Abridged;
use super::disk::Disk;
use super::filling::{Filling, filled_reading};
use super::finder::Finder;
use super::stand_in::{self, StandIn};
use super::worth::Worth;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{Format, Reading};
use crate::raw::{Line, Lines, Span, Splices};
use crate::request::ReadRequest;

/// A large file of which an abridged text is held.
pub(crate) struct Large {
    pub(super) abridged: Abridged,
    pub(super) worth: Worth,
    pub(super) disk: Disk,
}

impl Large {
    pub(super) fn text(&self) -> &str {
        &self.abridged.text
    }

    pub(super) const fn length(&self) -> usize {
        self.disk.length()
    }

    pub(super) fn check(&self) -> Result<(), FormatError> {
        self.disk.check()
    }

    pub(super) fn read(
        &self,
        format: &dyn Format,
        request: &ReadRequest<'_>,
        document: &Document<'_>,
    ) -> Result<Reading, FormatError> {
        let filling = Filling::new(self, request.estimator);
        let own = ReadRequest { estimator: &filling, ..*request };
        let read = format.read(document, &own);
        filling.failed()?;
        let reading = read.map_err(|error| error.moved(|offset| self.offset(offset)))?;
        filled_reading(self, reading)
    }

    pub(super) fn original(&self, span: Span) -> Result<String, FormatError> {
        self.disk.text(Finder::new(self).span(span)?)
    }

    /// The offset in the file of an offset in the text; that of its line where the file cannot be read any more.
    pub(super) fn offset(&self, place: usize) -> usize {
        let line = || self.abridged.start(self.abridged.line_of(place)).map_or(0, |start| start.file);
        Finder::new(self).start(place).unwrap_or_else(|_| line())
    }

    pub(super) fn write(&self, splices: &Splices, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        self.check().map_err(io::Error::other)?;
        let mut finder = Finder::new(self);
        let mut done = 0;
        for (span, replacement) in splices.edits() {
            let span = finder.span(*span).map_err(io::Error::other)?;
            self.disk.copy(Span { start: done, end: span.start }, out)?;
            let whole = stand_in::filled(replacement, |stand_in| self.middle(stand_in));
            out.write_all(whole.map_err(io::Error::other)?.as_bytes())?;
            done = span.end;
        }
        self.disk.copy(Span { start: done, end: self.length() }, out)?;
        self.check().map_err(io::Error::other)
    }

    /// Gives every line as it is held and as it stands in the file.
    pub(super) fn line_pairs(&self, each: &mut dyn FnMut(Line<'_>, Line<'_>)) -> Result<(), FormatError> {
        let mut held = Lines::new(self.text(), 0);
        self.disk.lines(|bytes| {
            let whole = core::str::from_utf8(bytes).map_err(|_| FormatError::SourceChanged)?;
            let pair = held.next().zip(Lines::new(whole, 0).next());
            let (held, whole) = pair.ok_or(FormatError::SourceChanged)?;
            each(held, whole);
            Ok(true)
        })
    }

    /// What a stand-in stands for, as it is spelled in the file.
    pub(super) fn middle(&self, stand_in: StandIn) -> Result<String, FormatError> {
        let Some(middle) = self.abridged.middle(stand_in) else {
            let mut unknown = String::new();
            stand_in.push_to(&mut unknown);
            return Ok(unknown);
        };
        let length = usize::try_from(stand_in.missing).unwrap_or(usize::MAX);
        self.disk.text(Span { start: middle.start, end: middle.start.saturating_add(length) })
    }
}
