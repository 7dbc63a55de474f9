//! Finds places of the abridged text in the file.

use super::large::Large;
use super::opened::{Edge, Opened};
use crate::error::FormatError;
use crate::raw::{Span, SpliceError};

/// Finds places, best in the order of the text: the line that was looked at last is kept.
pub(super) struct Finder<'l> {
    large: &'l Large,
    line: Option<Opened>,
}

impl<'l> Finder<'l> {
    pub(super) const fn new(large: &'l Large) -> Self {
        Self { large, line: None }
    }

    /// The stretch of the file that a stretch of the text stands for, with what was cut out inside of it, and without
    /// what was cut out beside it.
    pub(super) fn span(&mut self, span: Span) -> Result<Span, FormatError> {
        let inside = |place: Option<usize>| {
            place.ok_or(FormatError::Edit(SpliceError { start: span.start, end: span.end }))
        };
        let edge = if span.is_empty() { Edge::End } else { Edge::Start };
        let start = inside(self.place(span.start, edge)?)?;
        if span.is_empty() {
            return Ok(Span::at(start));
        }
        Ok(Span { start, end: inside(self.place(span.end, Edge::End)?)? })
    }

    /// The place in the file at which something begins.
    pub(super) fn start(&mut self, place: usize) -> Result<usize, FormatError> {
        let found = self.place(place, Edge::Start)?;
        found.ok_or(FormatError::Edit(SpliceError { start: place, end: place }))
    }

    fn place(&mut self, place: usize, edge: Edge) -> Result<Option<usize>, FormatError> {
        let Large { abridged, worth, disk } = self.large;
        if place >= abridged.text.len() {
            return Ok(Some(disk.length()));
        }
        let number = abridged.line_of(place);
        if let Some(start) = abridged.start(number).filter(|start| start.here == place) {
            return Ok(Some(start.file));
        }
        if self.line.as_ref().is_none_or(|line| line.number != number) {
            self.line = Some(Opened::read(number, abridged, worth, disk)?);
        }
        Ok(self.line.as_ref().and_then(|line| line.in_file(place, edge)))
    }
}
