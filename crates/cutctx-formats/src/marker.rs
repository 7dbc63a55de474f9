//! Where a tool or a provider has compacted before.

use crate::raw::Span;

/// The record of an earlier compaction of which the context holds what it left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marker {
    /// Where it stands in the file.
    pub span: Span,
    /// The turn that says its summary, where one is told apart.
    pub summary: Option<usize>,
}

impl Marker {
    /// A marker at this place with the turn that says its summary.
    #[must_use]
    pub const fn new(span: Span, summary: Option<usize>) -> Self {
        Self { span, summary }
    }
}
