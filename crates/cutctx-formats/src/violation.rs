//! What a provider would refuse.

/// A place at which a document breaks a rule of its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule's short stable name, such as `unanswered_call`.
    pub rule: &'static str,
    /// The index of the message or record, from 0.
    pub record: usize,
    /// The byte offset in the file at which it starts.
    pub offset: usize,
}

impl Violation {
    /// A breach of `rule` by the record with this index that starts at this byte.
    #[must_use]
    pub const fn new(rule: &'static str, record: usize, offset: usize) -> Self {
        Self { rule, record, offset }
    }
}
