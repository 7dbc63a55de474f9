//! Where bytes of an edited text stood before, and where they stand after.

use alloc::vec::Vec;

use crate::raw::{Span, Splices};

/// The edits of one pass over a text, in order: what they replaced, and the length of what stands there now.
#[derive(Debug)]
pub(super) struct Pass(Vec<(Span, usize)>);

impl Pass {
    pub(super) fn of(ordered: &Splices) -> Self {
        Self(ordered.edits().iter().map(|(span, text)| (*span, text.len())).collect())
    }

    /// The place before the edits; for a byte of a new text the place at which it was put.
    fn before(&self, offset: usize) -> usize {
        let (mut old, mut new) = (0_usize, 0_usize);
        for (span, length) in &self.0 {
            let kept = span.start.saturating_sub(old);
            if offset < new.saturating_add(kept) {
                break;
            }
            new = new.saturating_add(kept);
            if offset < new.saturating_add(*length) {
                return span.start;
            }
            new = new.saturating_add(*length);
            old = span.end;
        }
        old.saturating_add(offset.saturating_sub(new))
    }

    /// The place after the edits; `None` when the byte went.
    pub(super) fn after(&self, offset: usize) -> Option<usize> {
        let (mut old, mut new) = (0_usize, 0_usize);
        for (span, length) in &self.0 {
            if span.start > offset || (span.start == offset && !span.is_empty()) {
                break;
            }
            new = new.saturating_add(span.start.saturating_sub(old)).saturating_add(*length);
            old = span.end;
        }
        offset.checked_sub(old).map(|more| new.saturating_add(more))
    }
}

/// The place in the first text for one in the last.
pub(super) fn original(passes: &[Pass], offset: usize) -> usize {
    passes.iter().rev().fold(offset, |offset, pass| pass.before(offset))
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct LineNumbers(Vec<usize>);

impl LineNumbers {
    pub(super) fn of(text: &str) -> Self {
        let feeds = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place);
        Self(feeds.collect())
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|feed| *feed < offset).saturating_add(1)
    }
}
