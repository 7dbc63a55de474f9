//! Collecting breaches.

use alloc::string::String;
use alloc::vec::Vec;

use super::Rule;
use super::sent::Message;
use crate::violation::Violation;

/// The breaches found so far, of the rules of one provider.
#[derive(Debug)]
pub(super) struct Findings {
    rules: &'static [Rule],
    found: Vec<Violation>,
}

impl Findings {
    pub(super) const fn new(rules: &'static [Rule]) -> Self {
        Self { rules, found: Vec::new() }
    }

    /// A breach by a message.
    pub(super) fn broken(&mut self, name: &str, message: &Message) {
        self.add(name, message.index, message.span.start, None);
    }

    /// A breach by a call or a result; the id is left out where there is none.
    pub(super) fn broken_by(&mut self, name: &str, message: &Message, call_id: &str) {
        let call_id = Some(String::from(call_id)).filter(|id| !id.is_empty());
        self.add(name, message.index, message.span.start, call_id);
    }

    /// A breach at a byte of the file, by the message or record with this number.
    pub(super) fn broken_at(&mut self, name: &str, record: usize, offset: usize) {
        self.add(name, record, offset, None);
    }

    fn add(&mut self, name: &str, record: usize, offset: usize, call_id: Option<String>) {
        if let Some(rule) = self.rules.iter().find(|rule| rule.name == name) {
            self.found.push(Violation { rule, record, offset, line: 0, call_id });
        }
    }

    /// Whether a rule is broken anywhere.
    pub(super) fn has(&self, name: &str) -> bool {
        self.found.iter().any(|violation| violation.rule.name == name)
    }

    /// Takes some breaches of one rule for those of another one.
    pub(super) fn rename(&mut self, from: &str, to: &str, concerns: impl Fn(&Violation) -> bool) {
        let Some(rule) = self.rules.iter().find(|rule| rule.name == to) else { return };
        for violation in self.found.iter_mut().filter(|violation| violation.rule.name == from) {
            if concerns(violation) {
                violation.rule = rule;
            }
        }
    }

    /// Both.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.found.extend(other.found);
        self
    }

    /// The breaches in the order of the file, with their lines.
    pub(super) fn in_order(mut self, text: &str) -> Vec<Violation> {
        self.found.sort_by_key(|violation| (violation.offset, violation.record));
        let (mut line, mut read) = (1_usize, 0);
        for violation in &mut self.found {
            let between = text.as_bytes().get(read..violation.offset).unwrap_or_default();
            let feeds = between.split(|byte| *byte == b'\n').count().saturating_sub(1);
            line = line.saturating_add(feeds);
            read = read.max(violation.offset);
            violation.line = line;
        }
        self.found
    }
}
