//! The records as a tree by their parents, and the branch that is alive.

use alloc::vec;
use alloc::vec::Vec;

use super::ids::Ids;
use super::record::{Kind, Record};
use crate::raw::Span;

/// A field that names another record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The record that has the field.
    pub(super) owner: usize,
    /// The field's value.
    pub(super) place: Span,
    /// The record that it names.
    pub(super) target: usize,
}

/// Which record follows which. All record numbers in it are those of originals.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// For every record the one that stands for its id: of several lines with one id the last one that is a message.
    originals: Vec<usize>,
    parents: Vec<Option<usize>>,
    /// The assistant lines that results name as their callers.
    sources: Vec<Option<usize>>,
    /// The nearest record above that is said, past progress and notices.
    said_above: Vec<Option<usize>>,
    /// Whether the file has no links at all, so that the order of lines is the order of the conversation.
    pub(super) is_linear: bool,
    /// Whether the conversation is a sub-agent's: all messages of the file are side chain.
    side: bool,
    /// The records of the live branch, from its root to its leaf.
    pub(super) chain: Vec<usize>,
    on_chain: Vec<bool>,
}

impl Tree {
    /// Follows the parents of the last message back to the root.
    pub(super) fn new(records: &[Record], ids: &Ids<'_>, text: &str) -> Self {
        let find = |span: Span| ids.get(span.of(text));
        let originals: Vec<usize> =
            records.iter().enumerate().map(|(this, record)| find(record.uuid).unwrap_or(this)).collect();
        let parents = parents(records, &originals, text, find);
        let source = |(record, parent): (&Record, &Option<usize>)| {
            if record.source.of(text) == record.parent.of(text) { *parent } else { find(record.source) }
        };
        let sources = records.iter().zip(&parents).map(source).collect();
        let said_above = said_above(records, &parents);
        let side = !records.iter().any(|record| record.is_context() && !record.side);
        let mut tree = Self {
            originals,
            parents,
            sources,
            said_above,
            is_linear: false,
            side,
            chain: Vec::new(),
            on_chain: vec![false; records.len()],
        };
        tree.is_linear = !records.iter().enumerate().any(|(this, record)| {
            tree.is_of_thread(record) && record.is_said() && tree.parent(this).is_some()
        });
        tree.chain = if tree.is_linear { tree.in_file_order(records) } else { tree.branch_of_leaf(records) };
        for this in &tree.chain {
            if let Some(flag) = tree.on_chain.get_mut(*this) {
                *flag = true;
            }
        }
        tree
    }

    /// Whether a record is one of the live branch.
    pub(super) fn is_on_chain(&self, record: usize) -> bool {
        self.on_chain.get(record) == Some(&true)
    }

    /// The record that stands for a record's id.
    pub(super) fn original(&self, record: usize) -> usize {
        self.originals.get(record).copied().unwrap_or(record)
    }

    /// Whether a record only repeats another one's id.
    pub(super) fn is_copy(&self, record: usize) -> bool {
        self.original(record) != record
    }

    /// The record that this one follows.
    pub(super) fn parent(&self, record: usize) -> Option<usize> {
        self.parents.get(record).copied().flatten()
    }

    /// The assistant line that a result names as its caller.
    pub(super) fn source(&self, record: usize) -> Option<usize> {
        self.sources.get(record).copied().flatten()
    }

    /// The nearest record above that is said.
    pub(super) fn said_above(&self, record: usize) -> Option<usize> {
        self.said_above.get(record).copied().flatten()
    }

    /// Whether the record belongs to the conversation that the file is about.
    pub(super) const fn is_of_thread(&self, record: &Record) -> bool {
        record.side == self.side
    }

    /// The first line that can be context: nothing from before the last compaction is.
    pub(super) fn start(&self, records: &[Record]) -> usize {
        let first = self.chain.first().copied();
        first
            .filter(|first| records.get(*first).is_some_and(|record| record.kind == Kind::Boundary))
            .unwrap_or(0)
    }

    fn in_file_order(&self, records: &[Record]) -> Vec<usize> {
        let said = records
            .iter()
            .enumerate()
            .filter(|(this, record)| record.is_said() && self.is_of_thread(record) && !self.is_copy(*this));
        let mut chain: Vec<usize> = said.map(|(this, _)| this).collect();
        let boundary = |this: &usize| records.get(*this).is_some_and(|record| record.kind == Kind::Boundary);
        if let Some(cut) = chain.iter().rposition(boundary) {
            chain.drain(..cut);
        }
        chain
    }

    /// A record that was passed before ends the walk, so that a loop in the links does.
    fn branch_of_leaf(&self, records: &[Record]) -> Vec<usize> {
        let leaf = records.iter().rposition(|record| record.is_said() && self.is_of_thread(record));
        let mut passed = vec![false; records.len()];
        let mut chain = Vec::new();
        let mut next = leaf.map(|leaf| self.original(leaf));
        while let Some(this) = next {
            let Some(flag) = passed.get_mut(this).filter(|passed| !**passed) else { break };
            *flag = true;
            chain.push(this);
            let boundary = records.get(this).is_some_and(|record| record.kind == Kind::Boundary);
            next = self.parent(this).filter(|_| !boundary);
        }
        chain.reverse();
        chain
    }
}

/// What each record follows. Most follow the line before, which costs no search.
fn parents(
    records: &[Record],
    originals: &[usize],
    text: &str,
    find: impl Fn(Span) -> Option<usize>,
) -> Vec<Option<usize>> {
    let mut before = None;
    let parents = records.iter().zip(originals).map(|(record, original)| {
        let named = before.filter(|(uuid, _): &(&str, usize)| *uuid == record.parent.of(text));
        before = Some((record.uuid.of(text), *original)).filter(|(uuid, _)| !uuid.is_empty());
        named.map_or_else(|| find(record.parent), |(_, original)| Some(original))
    });
    parents.collect()
}

/// One pass: a record stands after the one that it follows. Where it does not, nothing is found above it.
fn said_above(records: &[Record], parents: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut above: Vec<Option<usize>> = Vec::with_capacity(records.len());
    for parent in parents {
        let said = parent.filter(|parent| records.get(*parent).is_some_and(Record::is_said));
        above.push(said.or_else(|| above.get((*parent)?).copied().flatten()));
    }
    above
}
