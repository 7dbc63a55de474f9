//! The records as a tree by their parents, and the branch that is alive.

use alloc::vec;
use alloc::vec::Vec;

use super::ids::Ids;
use super::record::{Kind, Preserved, Record};
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
    originals: Numbers,
    parents: Numbers,
    /// The assistant lines that results name as their callers.
    sources: Numbers,
    /// The nearest record above that is said, past progress and notices.
    said_above: Numbers,
    /// Whether the file has no links at all, so that the order of lines is the order of the conversation.
    pub(super) is_linear: bool,
    /// Whether the conversation is a sub-agent's: all messages of the file are side chain.
    side: bool,
    /// The records of the live branch, from its root to its leaf.
    pub(super) chain: Vec<usize>,
    on_chain: Vec<bool>,
    /// The head, the anchor and the tail of the messages that the last compaction kept from before it.
    pub(super) preserved: Option<[usize; 3]>,
}

/// For every record the number of another one, or none, in a quarter of the room. A number beyond 32 bits is none.
#[derive(Debug, Default)]
struct Numbers(Vec<u32>);

impl Numbers {
    const NONE: u32 = u32::MAX;

    fn get(&self, record: usize) -> Option<usize> {
        let number = self.0.get(record).copied().filter(|number| *number != Self::NONE)?;
        usize::try_from(number).ok()
    }
}

impl FromIterator<Option<usize>> for Numbers {
    fn from_iter<I: IntoIterator<Item = Option<usize>>>(numbers: I) -> Self {
        let narrow = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok());
        Self(numbers.into_iter().map(|number| narrow(number).unwrap_or(Self::NONE)).collect())
    }
}

impl Tree {
    /// Follows the parents of the last message back to the root.
    pub(super) fn new(records: &[Record], ids: &Ids<'_>, text: &str, preserved: Option<Preserved>) -> Self {
        let find = |span: Span| ids.get(span.of(text));
        let originals: Vec<usize> =
            records.iter().enumerate().map(|(this, record)| find(record.uuid()).unwrap_or(this)).collect();
        let mut parents = parents(records, &originals, text, find);
        let preserved = preserved.and_then(|preserved| relink(preserved, &mut parents, find));
        let source = |(record, parent): (&Record, &Option<usize>)| {
            if record.source().of(text) == record.parent().of(text) { *parent } else { find(record.source()) }
        };
        let sources = records.iter().zip(&parents).map(source).collect();
        let said_above = said_above(records, &parents);
        let side = !records.iter().any(|record| record.is_context() && !record.side);
        let mut tree = Self {
            originals: originals.into_iter().map(Some).collect(),
            parents: parents.into_iter().collect(),
            sources,
            said_above: said_above.into_iter().collect(),
            is_linear: false,
            side,
            chain: Vec::new(),
            on_chain: vec![false; records.len()],
            preserved,
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
        self.originals.get(record).unwrap_or(record)
    }

    /// Whether a record only repeats another one's id.
    pub(super) fn is_copy(&self, record: usize) -> bool {
        self.original(record) != record
    }

    /// The record that this one follows.
    pub(super) fn parent(&self, record: usize) -> Option<usize> {
        self.parents.get(record)
    }

    /// The assistant line that a result names as its caller.
    pub(super) fn source(&self, record: usize) -> Option<usize> {
        self.sources.get(record)
    }

    /// The nearest record above that is said.
    pub(super) fn said_above(&self, record: usize) -> Option<usize> {
        self.said_above.get(record)
    }

    /// Whether the record belongs to the conversation that the file is about.
    pub(super) const fn is_of_thread(&self, record: &Record) -> bool {
        record.side == self.side
    }

    /// Whether the branch begins with a compaction.
    pub(super) fn is_compacted(&self, records: &[Record]) -> bool {
        let first = self.chain.first().and_then(|first| records.get(*first));
        first.is_some_and(|first| first.kind == Kind::Boundary)
    }

    /// The first line that can be context: nothing from before the last compaction is, but for what that kept.
    pub(super) fn start(&self, records: &[Record]) -> usize {
        self.chain.iter().copied().min().filter(|_| self.is_compacted(records)).unwrap_or(0)
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
        if let Some([_, anchor, tail]) = self.preserved
            && next == Some(anchor)
        {
            next = Some(tail);
        }
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

/// Lets the messages that a compaction kept follow its anchor, and what followed the anchor follow them, as the tool
/// does when it reads the file. `None` when they are not there: no way leads from the last of them to the first.
fn relink(
    preserved: Preserved,
    parents: &mut [Option<usize>],
    find: impl Fn(Span) -> Option<usize>,
) -> Option<[usize; 3]> {
    let (head, anchor, tail) = (find(preserved.head)?, find(preserved.anchor)?, find(preserved.tail)?);
    let mut next = tail;
    for _ in 0..parents.len() {
        if next == head || next == anchor {
            break;
        }
        next = parents.get(next).copied().flatten()?;
    }
    if next != head || head == anchor {
        return None;
    }
    for parent in parents.iter_mut().filter(|parent| **parent == Some(anchor)) {
        *parent = Some(tail);
    }
    *parents.get_mut(head)? = Some(anchor);
    Some([head, anchor, tail])
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
        let named = before.filter(|(uuid, _): &(&str, usize)| *uuid == record.parent().of(text));
        before = Some((record.uuid().of(text), *original)).filter(|(uuid, _)| !uuid.is_empty());
        named.map_or_else(|| find(record.parent()), |(_, original)| Some(original))
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
