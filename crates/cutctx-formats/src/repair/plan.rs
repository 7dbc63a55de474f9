//! What is to be done about the breaches of a conversation, one kind of breach after the other.

mod contents;
mod ids;
mod marks;
mod pairs;
mod reasoning;
mod servers;
mod sides;

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::change::RepairKind;
use super::outline::{Message, Outline};
use crate::format::Dialect;
use crate::layout::Mend;
use crate::violation::Violation;

/// A conversation and what is wrong with it.
#[derive(Debug)]
pub(super) struct Case<'c> {
    pub(super) dialect: Dialect,
    pub(super) outline: &'c Outline,
    /// The breaches that are to be mended.
    pub(super) found: &'c [Violation],
    /// What the result of a call says that was not completed.
    pub(super) not_completed: &'c str,
    pub(super) closes_open_calls: bool,
}

/// One thing to do, and what is said about it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) mend: Mend,
    pub(super) notes: Vec<Note>,
}

/// What is said about a change.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) kind: RepairKind,
    pub(super) message: usize,
    pub(super) call_id: Option<String>,
}

/// The stages in their order: each leaves the next ones a simpler case.
pub(super) const STAGES: [fn(&Case<'_>) -> Vec<Step>; 9] = [
    ids::copies,
    ids::respelled,
    pairs::plan,
    servers::plan,
    reasoning::plan,
    contents::plan,
    sides::joined,
    sides::opened,
    marks::plan,
];

impl Case<'_> {
    /// Whether a rule is broken anywhere.
    pub(super) fn breaks(&self, rules: &[&str]) -> bool {
        self.found.iter().any(|violation| rules.contains(&violation.rule.name))
    }

    /// The messages of the list that break a rule.
    pub(super) fn breaking(&self, rules: &[&str]) -> Vec<(usize, &Message)> {
        let of_rule = |violation: &&Violation| rules.contains(&violation.rule.name);
        let places: BTreeSet<usize> =
            self.found.iter().filter(of_rule).map(|violation| violation.offset).collect();
        self.outline.listed().filter(|(_, message)| places.contains(&message.span.start)).collect()
    }

    /// How often a rule is broken.
    pub(super) fn count(&self, rule: &str) -> usize {
        self.found.iter().filter(|violation| violation.rule.name == rule).count()
    }
}

impl Step {
    pub(super) fn new(mend: Mend, note: Note) -> Self {
        Self { mend, notes: alloc::vec![note] }
    }
}

impl Note {
    pub(super) const fn new(kind: RepairKind, message: usize) -> Self {
        Self { kind, message, call_id: None }
    }

    pub(super) fn of_call(kind: RepairKind, message: usize, call_id: &str) -> Self {
        let call_id = Some(String::from(call_id)).filter(|id| !id.is_empty());
        Self { kind, message, call_id }
    }
}
