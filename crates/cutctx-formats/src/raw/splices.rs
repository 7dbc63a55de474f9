//! Edits of a text as byte ranges and their replacements.

use alloc::string::String;
use alloc::vec::Vec;
use std::io;

use crate::note::NoteKind;

/// A range of bytes of the file: `start` inclusive, `end` exclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a range is two ends and nothing else")]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The empty range at a place: where something is to be inserted.
    #[must_use]
    pub const fn at(place: usize) -> Self {
        Self { start: place, end: place }
    }

    /// The number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range holds no byte.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end <= self.start
    }

    /// The text of the range; empty when the range is not one of `text`.
    #[must_use]
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Two edits that contradict each other or lie outside the text: a defect of the format that made them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an edit of bytes {start} to {end} overlaps another one or lies outside the text")]
#[non_exhaustive]
pub struct SpliceError {
    /// Start of the edit that does not fit.
    pub start: usize,
    /// Its end.
    pub end: usize,
}

/// A list of edits of one text. Without edits the text is written as it is, byte for byte.
///
/// Edits may be added in any order. Several insertions at one place keep the order in which they were added and
/// come before a replacement that starts there.
#[derive(Debug, Clone, Default)]
pub struct Splices {
    edits: Vec<(Span, String)>,
    remarks: Vec<Remark>,
}

/// What some of the edits do beside what they were asked for; places are those of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remark {
    pub(crate) kind: NoteKind,
    pub(crate) count: usize,
    pub(crate) at: usize,
    pub(crate) to: Option<usize>,
}

impl Splices {
    /// No edits.
    #[must_use]
    pub const fn new() -> Self {
        Self { edits: Vec::new(), remarks: Vec::new() }
    }

    /// Puts `replacement` where `span` is now.
    pub fn replace(&mut self, span: Span, replacement: impl Into<String>) {
        self.edits.push((span, replacement.into()));
    }

    /// Takes `span` out.
    pub fn remove(&mut self, span: Span) {
        self.replace(span, String::new());
    }

    /// Puts `text` before the byte at `place`.
    pub fn insert(&mut self, place: usize, text: impl Into<String>) {
        self.replace(Span::at(place), text);
    }

    /// Says that an edit at this place does something beside what was asked for ([`Note`](crate::Note)).
    pub fn note(&mut self, kind: NoteKind, at: usize) {
        let known = self.remarks.iter_mut().find(|known| known.kind == kind && known.to.is_none());
        if let Some(known) = known {
            known.count = known.count.saturating_add(1);
            known.at = known.at.min(at);
        } else {
            self.remarks.push(Remark { kind, count: 1, at, to: None });
        }
    }

    /// As [`Splices::note`], of something that was moved.
    pub fn note_move(&mut self, kind: NoteKind, at: usize, to: usize) {
        self.remarks.push(Remark { kind, count: 1, at, to: Some(to) });
    }

    /// What was noted, by kind and place.
    pub(crate) fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Whether nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The byte offset in the original text at which the first edit stands.
    #[must_use]
    pub fn first_change(&self) -> Option<usize> {
        self.edits.iter().map(|(span, _)| span.start).min()
    }

    /// Puts the edits into the order of the text and checks that they fit it and each other.
    ///
    /// # Errors
    ///
    /// When two edits overlap or one lies outside `text` or cuts a character.
    pub fn ordered(mut self, text: &str) -> Result<Self, SpliceError> {
        self.edits.sort_by_key(|(span, _)| *span);
        self.remarks.sort_by_key(|remark| (remark.kind, remark.at));
        let mut done = 0;
        for (span, _) in &self.edits {
            if span.start < done || text.get(span.start..span.end).is_none() {
                return Err(SpliceError { start: span.start, end: span.end });
            }
            done = span.end;
        }
        Ok(self)
    }

    /// Writes the edited text. Call [`Splices::ordered`] first: edits that do not fit are skipped here.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_to(&self, text: &str, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        let mut done = 0;
        for (span, replacement) in &self.edits {
            out.write_all(Span { start: done, end: span.start }.of(text).as_bytes())?;
            out.write_all(replacement.as_bytes())?;
            done = span.end;
        }
        out.write_all(Span { start: done, end: text.len() }.of(text).as_bytes())
    }

    /// The edited text as a string.
    ///
    /// # Errors
    ///
    /// As [`Splices::ordered`].
    pub fn apply(self, text: &str) -> Result<String, SpliceError> {
        Ok(self.ordered(text)?.edited(text))
    }

    /// The edits: where, and what stands there instead.
    pub(crate) fn edits(&self) -> &[(Span, String)] {
        &self.edits
    }

    /// The edited text as a string, of edits that are in order.
    pub(crate) fn edited(&self, text: &str) -> String {
        let mut edited = String::with_capacity(text.len());
        let mut done = 0;
        for (span, replacement) in &self.edits {
            edited.push_str(Span { start: done, end: span.start }.of(text));
            edited.push_str(replacement);
            done = span.end;
        }
        edited.push_str(Span { start: done, end: text.len() }.of(text));
        edited
    }
}
