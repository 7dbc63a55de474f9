//! Where a document breaks a rule.

use alloc::string::String;

use crate::rules::Rule;

/// A place at which a document breaks a rule of its provider. It shows no text of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// The index of the message, from 0; of the line's record where the rule is about the file.
    pub record: usize,
    /// The byte offset in the file at which it starts.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// The provider's id of the call that it is about.
    pub call_id: Option<String>,
}
