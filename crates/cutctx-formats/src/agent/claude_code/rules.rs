//! What the provider would refuse of the messages that are made of a session's live branch.
//!
//! The lines are put together as the client does it: the lines of a message joined, neighbours of one role joined, the
//! results of a message first. Then the rules of the Anthropic Messages API hold.

use alloc::string::String;
use alloc::vec::Vec;

use super::index::Index;
use super::record::{Kind, Record};
use crate::provider::Groups;
use crate::raw::Node;
use crate::violation::Violation;

pub(super) fn violations(index: &Index, text: &str) -> Vec<Violation> {
    let mut groups = Groups::default();
    for entry in &index.entries {
        let role = if entry.kind == Kind::Assistant { "assistant" } else { "user" };
        let records = entry.lines.iter().filter_map(|line| Some((line.record, index.record(line.record)?)));
        let records: Vec<_> = records.collect();
        let Some((first, record)) = records.first() else { continue };
        let content = |record: &Record| Node::trusted(record.content.of(text), record.content.start);
        let contents: Vec<Node<'_>> = records.iter().map(|(_, record)| content(record)).collect();
        groups.push(String::from(role), *first, record.line.start, &contents);
    }
    groups.put_results_first();
    groups.violations()
}
