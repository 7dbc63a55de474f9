//! The text with which a tool's own compaction stands for what was said before it.
//!
//! Its record marks where the context begins, so it stays whatever becomes of its text.

use alloc::string::String;

use cutctx_exec::Fate;

use crate::error::FormatError;
use crate::layout::Edited;
use crate::raw::{Span, quoted};
use crate::view::View;

/// The summary of an earlier compaction.
#[derive(Debug, Clone, Copy)]
pub(super) struct EarlierSummary {
    /// The turn that it is.
    pub(super) turn: usize,
    /// The JSON string that says it.
    pub(super) text: Span,
}

impl EarlierSummary {
    /// Whether the summary of this group takes its place.
    pub(super) fn is_followed_by(&self, group: &str, view: &View<'_>) -> bool {
        matches!(view.fate(self.turn), Fate::SummarizedInto(into) if into == group)
    }

    /// Writes what stands there when the turn is gone: the new summary, or nothing.
    pub(super) fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        let text = match view.fate(self.turn) {
            Fate::SummarizedInto(group) => Some(view.summary(group)?),
            Fate::Dropped => Some(""),
            Fate::Kept | Fate::Masked(_) | Fate::Trimmed(_) => None,
        };
        if let Some(text) = text {
            let blank = text.trim().is_empty();
            edited.splices.replace(self.text, if blank { String::from(r#""""#) } else { quoted(text) });
        }
        edited.added.retain(|(_, record)| !record.is_empty());
        Ok(())
    }
}
