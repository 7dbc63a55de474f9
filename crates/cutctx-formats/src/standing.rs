//! Where turns stand in a file.

use crate::raw::Span;

/// Where a part of a turn stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// What holds it: a block, a message, a line.
    pub element: Span,
    /// The JSON value that says it; empty where none does.
    pub value: Span,
}

impl Standing {
    /// A part in this element that this value says.
    #[must_use]
    pub const fn new(element: Span, value: Span) -> Self {
        Self { element, value }
    }

    /// A part of which the whole element is what the model sees.
    #[must_use]
    pub const fn whole(element: Span) -> Self {
        Self { element, value: element }
    }
}
