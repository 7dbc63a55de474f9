//! What a trim keeps of a turn.

use alloc::vec::Vec;
use core::ops::Range;
use serde::{Deserialize, Serialize};

/// What is kept of a turn that is cut down: parts and ranges, never text.
///
/// Parts that are not listed go. The rules of `cutctx-invariants` say when a trim is sound: parts in
/// order and once, ranges ordered, disjoint, not empty, inside their part and on character borders,
/// indivisible parts whole, not everything and not nothing, and never a higher estimate.
///
/// ```
/// use cutctx_types::{KeptPart, Trim};
/// // Of "0123456789" the beginning and the end stay.
/// let trim = Trim::new(vec![KeptPart::new(0, vec![0..2, 8..10])], 1);
/// assert_eq!(trim.kept[0].ranges.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Trim {
    /// Whether the marks that stand where much was cut out of a text tell how much that was
    /// ([`Trim::mark_of`]). In JSON it stands only where it is true.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub counted: bool,
    /// The parts that stay, with what stays of each.
    pub kept: Vec<KeptPart>,
    /// What the trimmed turn costs, in tokens.
    pub token_estimate: u64,
}

impl Trim {
    /// A trim that keeps these parts and then costs this many tokens.
    #[must_use]
    pub const fn new(kept: Vec<KeptPart>, token_estimate: u64) -> Self {
        Self { counted: false, kept, token_estimate }
    }

    /// The trim with marks that tell how much was cut out, or without.
    #[must_use]
    pub const fn with_counts(mut self, counted: bool) -> Self {
        self.counted = counted;
        self
    }
}

/// What stays of one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct KeptPart {
    /// The part's index in the turn (0 for a turn without parts).
    pub part: usize,
    /// What stays of it, in bytes from the start of the turn's content.
    pub ranges: Vec<Range<usize>>,
}

impl KeptPart {
    /// These ranges of the part at this index.
    #[must_use]
    pub const fn new(part: usize, ranges: Vec<Range<usize>>) -> Self {
        Self { part, ranges }
    }
}
