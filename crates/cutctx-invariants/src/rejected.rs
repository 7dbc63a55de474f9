//! All the rules that a draft breaks.

use crate::violation::Violation;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use cutctx_types::{Code, Coded, Details};

/// A draft broke rules: at least one, at most one violation a rule, in the order of the rules.
///
/// Code and details are those of the first.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{first}{}", more(rest.len()))]
pub struct Rejected {
    /// Boxed, so that what may fail this way hands little around.
    first: Box<Violation>,
    rest: Vec<Violation>,
}

fn more(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => String::from(" (and 1 more broken rule)"),
        _ => format!(" (and {count} more broken rules)"),
    }
}

impl Rejected {
    pub(crate) fn new(first: Violation, rest: Vec<Violation>) -> Self {
        Self { first: Box::new(first), rest }
    }

    /// The first violation.
    #[must_use]
    pub fn first(&self) -> &Violation {
        &self.first
    }

    /// All violations, in the order of the rules.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        core::iter::once(&*self.first).chain(&self.rest)
    }
}

impl Coded for Rejected {
    fn code(&self) -> Code {
        self.first.code()
    }

    fn details(&self) -> Details {
        self.first.details()
    }
}
