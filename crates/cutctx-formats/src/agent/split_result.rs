//! Results whose text and whose media stand in two places.

use alloc::vec::Vec;

use cutctx_exec::Fate;
use cutctx_types::{PartKind, TranscriptTurn, Trim};

use crate::layout::{Edited, Frame};
use crate::raw::{ArrayEdit, Span};
use crate::view::{Kept, View};

/// A result of one text and then media, the last elements of a list.
#[derive(Debug)]
pub(crate) struct SplitResult {
    /// The turn that it is.
    pub(crate) turn: usize,
    /// The JSON value of the text, and how a text is spelled there.
    pub(crate) text: (Span, Frame),
    /// The list with all its elements, and the first of the media.
    pub(crate) list: (Span, Vec<Span>, usize),
}

impl SplitResult {
    /// Takes the media out that the turn's fate does not leave. Where some of them stay, the layout has not written the
    /// text either.
    pub(crate) fn finish(&self, edited: &mut Edited, view: &View<'_>) {
        match view.fate(self.turn) {
            Fate::Kept | Fate::Dropped | Fate::SummarizedInto(_) => {}
            Fate::Masked(_) => self.keep_media(|_| false, edited, view),
            Fate::Trimmed(trim) => self.trim(trim, edited, view),
        }
    }

    fn trim(&self, trim: &Trim, edited: &mut Edited, view: &View<'_>) {
        let parts = view.turn(self.turn).map(TranscriptTurn::parts).unwrap_or_default();
        let media = |part: usize| parts.get(part).is_some_and(|part| part.kind == PartKind::Media);
        let kept = |part: usize| view.kept_of_part(self.turn, part, trim);
        if trim.kept.iter().any(|kept| media(kept.part)) {
            match kept(0) {
                Some(Kept::Whole) => {}
                Some(Kept::Pieces(text)) => self.say(&text, edited),
                None => self.say("", edited),
            }
        }
        self.keep_media(|index| kept(index.saturating_add(1)).is_some(), edited, view);
    }

    fn say(&self, text: &str, edited: &mut Edited) {
        let (place, frame) = self.text;
        edited.splices.replace(place, frame.of(text));
    }

    /// Takes the media out that do not stay; they are counted from 0.
    fn keep_media(&self, stays: impl Fn(usize) -> bool, edited: &mut Edited, view: &View<'_>) {
        let (list, elements, first) = &self.list;
        let mut edit = ArrayEdit::new(view.text(), *list, elements.clone());
        let gone: Vec<usize> =
            (*first..elements.len()).filter(|index| !stays(index.saturating_sub(*first))).collect();
        if gone.is_empty() {
            return;
        }
        for index in gone {
            edit.remove(index);
        }
        edit.finish(&mut edited.splices);
    }
}
