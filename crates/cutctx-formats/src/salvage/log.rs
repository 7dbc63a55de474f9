//! What is done to a file while it is gone through: the edits, and a note for each damaged place.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::finding::{Damage, Edit, Finding, Remedy};
use crate::error::Place;
use crate::raw::Span;

/// Edits and notes, in any order until [`Log::finish`].
#[derive(Debug, Default)]
pub(super) struct Log {
    edits: Vec<Edit>,
    notes: Vec<Note>,
}

/// A finding without its line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Note {
    pub(super) kind: Damage,
    pub(super) remedy: Remedy,
    pub(super) start: usize,
    pub(super) bytes: usize,
}

impl Log {
    /// The log of a file that is left as it is.
    pub(super) fn left(kind: Damage, at: usize) -> Self {
        Self {
            edits: Vec::new(),
            notes: alloc::vec![Note { kind, remedy: Remedy::Left, start: at, bytes: 0 }],
        }
    }

    /// Leaves bytes out. `goes_on` says that they belong to the damaged place before them.
    pub(super) fn skip(&mut self, kind: Damage, span: Span, goes_on: bool) {
        if span.is_empty() {
            return;
        }
        let joins = |last: &&mut Edit| goes_on && last.text.is_empty() && last.span.end == span.start;
        let (edit, note) = (self.edits.last_mut().filter(joins), self.notes.last_mut());
        if let (Some(edit), Some(note)) = (edit, note.filter(|note| note.remedy == Remedy::Skipped)) {
            edit.span.end = span.end;
            note.bytes = note.bytes.saturating_add(span.len());
            return;
        }
        self.edits.push(Edit { span, text: "" });
        self.notes.push(Note { kind, remedy: Remedy::Skipped, start: span.start, bytes: span.len() });
    }

    /// Puts a line end before the record at `at`.
    pub(super) fn split(&mut self, at: usize) {
        self.edits.push(Edit { span: Span::at(at), text: "\n" });
        self.notes.push(Note { kind: Damage::Glued, remedy: Remedy::Split, start: at, bytes: 0 });
    }

    /// Many small edits that are one finding.
    pub(super) fn replace(&mut self, kind: Damage, remedy: Remedy, edits: impl Iterator<Item = Edit>) {
        let before = self.edits.len();
        self.edits.extend(edits);
        let new = self.edits.get(before..).unwrap_or_default();
        if let Some(first) = new.first() {
            let bytes = new.iter().map(|edit| edit.span.len()).fold(0, usize::saturating_add);
            self.notes.push(Note { kind, remedy, start: first.span.start, bytes });
        }
    }

    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The edits and the findings in the order of the file.
    pub(super) fn finish(mut self, bytes: &[u8]) -> (Vec<Edit>, Vec<Finding>) {
        self.edits.sort_by_key(|edit| edit.span);
        self.notes.sort_by_key(|note| note.start);
        let mut place = Place::start();
        let findings = self.notes.iter().map(|note| {
            place = place.forward(bytes, note.start);
            Finding { kind: note.kind, at: place, bytes: note.bytes, remedy: note.remedy }
        });
        let findings = findings.collect();
        (self.edits, findings)
    }
}

impl Place {
    const fn start() -> Self {
        Self { line: 1, offset: 0 }
    }

    /// A later place of the same bytes.
    fn forward(self, bytes: &[u8], offset: usize) -> Self {
        let between = bytes.get(self.offset..offset).unwrap_or_default();
        let feeds = between.split(|byte| *byte == b'\n').count().saturating_sub(1);
        Self { line: self.line.saturating_add(feeds), offset }
    }
}

/// The file with ordered edits made.
pub(super) fn edited<'a>(bytes: &'a [u8], edits: &[Edit]) -> Cow<'a, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for edit in edits {
        text.extend_from_slice(bytes.get(done..edit.span.start).unwrap_or_default());
        text.extend_from_slice(edit.text.as_bytes());
        done = edit.span.end;
    }
    text.extend_from_slice(bytes.get(done..).unwrap_or_default());
    Cow::Owned(text)
}
