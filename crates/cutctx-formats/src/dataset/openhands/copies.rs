//! Texts and arguments that stand in a log more than once.

use alloc::borrow::Cow;
use alloc::string::String;

use cutctx_exec::Fate;

use crate::layout::Edited;
use crate::note::NoteKind;
use crate::raw::{Span, quoted};
use crate::view::{Kept, View};

/// What a copy repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// What the agent says.
    Text,
    /// The arguments of a call; how none are spelled.
    Arguments(&'static str),
}

/// A JSON string that repeats a part of a turn.
#[derive(Debug)]
pub(super) struct Repeated {
    pub(super) turn: usize,
    pub(super) part: usize,
    pub(super) what: What,
    pub(super) span: Span,
    /// Whether it is the turn's first text, where a stub goes.
    pub(super) leads: bool,
}

impl Repeated {
    /// Changes the copy as the part that it repeats.
    pub(super) fn follow(&self, edited: &mut Edited, view: &View<'_>) {
        if let Some(text) = self.afterwards(view) {
            edited.splices.note(NoteKind::CopiesRewritten, self.span.start);
            edited.splices.replace(self.span, text);
        }
    }

    fn afterwards(&self, view: &View<'_>) -> Option<String> {
        let text: Cow<'_, str> = match (view.fate(self.turn), self.what) {
            (Fate::Kept | Fate::Dropped | Fate::SummarizedInto(_), _) => return None,
            (Fate::Masked(_), What::Arguments(none)) => return Some(String::from(none)),
            (Fate::Masked(stub), What::Text) if self.leads => Cow::Borrowed(stub),
            (Fate::Masked(_), What::Text) => Cow::Borrowed(""),
            (Fate::Trimmed(trim), what) => match (view.kept_of_part(self.turn, self.part, trim), what) {
                (Some(Kept::Whole), _) => return None,
                (_, What::Arguments(none)) => return Some(String::from(none)),
                (Some(Kept::Pieces(text)), What::Text) => Cow::Owned(text),
                (None, What::Text) => Cow::Borrowed(""),
            },
        };
        Some(quoted(&text))
    }
}
