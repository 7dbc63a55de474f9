//! A line of the file beside what is held of it: how places in the one are found in the other.

use alloc::vec::Vec;

use super::abridged::{Abridged, Start, cuts_of};
use super::cuts::{Cut, CutKind};
use super::disk::Disk;
use super::stand_in;
use super::worth::Worth;
use crate::error::FormatError;
use crate::raw::Span;

/// Which end of a stretch a place is. It matters where something was cut out: the stretch before it ends where the
/// cut begins, and the one after it begins where the cut ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

/// A line that was read again.
pub(super) struct Opened {
    pub(super) number: usize,
    start: Start,
    cuts: Vec<Cut>,
}

impl Opened {
    /// Reads a line again.
    pub(super) fn read(
        number: usize,
        abridged: &Abridged,
        worth: &Worth,
        disk: &Disk,
    ) -> Result<Self, FormatError> {
        let start = abridged.start(number).unwrap_or(Start { here: 0, file: 0 });
        let end = abridged.start(number.saturating_add(1)).map_or(disk.length(), |next| next.file);
        let line = disk.text(Span { start: start.file, end })?;
        let cuts = cuts_of(&line, worth);
        if is_same(&line, &cuts, abridged.line(number)) {
            Ok(Self { number, start, cuts })
        } else {
            Err(FormatError::SourceChanged)
        }
    }

    /// The place in the file of a place in this line; `None` inside of a stand-in.
    pub(super) fn in_file(&self, place: usize, edge: Edge) -> Option<usize> {
        let place = place.saturating_sub(self.start.here);
        // How many bytes were cut out so far, and how many stand there instead.
        let (mut gone, mut put) = (0_usize, 0_usize);
        for cut in &self.cuts {
            let here = cut.span.start.saturating_add(put).saturating_sub(gone);
            let stands = if cut.kind == CutKind::Ballast { 0 } else { stand_in::LENGTH };
            if place < here || (place == here && (edge == Edge::End || stands > 0)) {
                break;
            }
            if place < here.saturating_add(stands) {
                return None;
            }
            gone = gone.saturating_add(cut.span.len());
            put = put.saturating_add(stands);
        }
        Some(place.saturating_add(gone).saturating_sub(put).saturating_add(self.start.file))
    }
}

/// Whether a line of the file is the one of which this is held. The numbers of stand-ins are not compared.
fn is_same(line: &str, cuts: &[Cut], held: &str) -> bool {
    let (mut done, mut rest) = (0, held);
    for cut in cuts {
        let Some(after) = rest.strip_prefix(Span { start: done, end: cut.span.start }.of(line)) else {
            return false;
        };
        rest = after;
        if cut.kind != CutKind::Ballast {
            let Some(("", found, after)) = stand_in::first(rest) else { return false };
            if usize::try_from(found.missing) != Ok(cut.span.len()) {
                return false;
            }
            rest = after;
        }
        done = cut.span.end;
    }
    line.get(done..) == Some(rest)
}
