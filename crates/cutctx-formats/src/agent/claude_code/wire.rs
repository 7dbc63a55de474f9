//! The live branch as the messages that the model is sent.
//!
//! One API message stands on several lines, one block each, and lines of other messages stand between them: while
//! calls run in parallel, results arrive. Only one of those lines leads on, so the others are missing from the chain
//! of parents. Here they are found again.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use super::record::{Kind, Record};
use super::tree::Tree;
use crate::raw::Node;

/// Under which key a result names its call.
const TOOL_USE_ID: &str = "tool_use_id";

/// One message as sent: the numbers of its lines, in file order.
#[derive(Debug)]
pub(super) struct WireMessage {
    pub(super) kind: Kind,
    pub(super) lines: Vec<usize>,
}

/// The messages in the order in which they are sent, and the lines that repeat lines of them.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) messages: Vec<WireMessage>,
    /// The lines that repeat a line of the branch, by that line.
    pub(super) copies: BTreeMap<usize, Vec<usize>>,
}

/// Finds the messages of the live branch.
pub(super) fn messages(records: &[Record], tree: &Tree, text: &str) -> Wire {
    let mut search = Search::new(records, tree, text);
    for line in &tree.chain {
        search.add_of_chain(*line);
    }
    search.add_siblings();
    search.add_results();
    search.finish()
}

struct Search<'r> {
    records: &'r [Record],
    tree: &'r Tree,
    text: &'r str,
    /// Messages with their order: the place on the chain, then that of a result found beside it.
    found: Vec<((usize, usize), WireMessage)>,
    /// The message of every line that is in.
    owners: Vec<Option<usize>>,
    by_id: BTreeMap<&'r str, usize>,
    /// The first line of every content of every message.
    said: BTreeMap<Said<'r>, usize>,
    copies: BTreeMap<usize, Vec<usize>>,
    repeated: BTreeSet<usize>,
}

/// What a line says: the id of its message and its content. The length comes first, because it settles most
/// comparisons without a look into the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Said<'r> {
    length: usize,
    id: &'r str,
    content: &'r str,
}

impl<'r> Said<'r> {
    const fn new(id: &'r str, content: &'r str) -> Self {
        Self { length: content.len(), id, content }
    }
}

impl<'r> Search<'r> {
    fn new(records: &'r [Record], tree: &'r Tree, text: &'r str) -> Self {
        Self {
            records,
            tree,
            text,
            found: Vec::new(),
            owners: vec![None; records.len()],
            by_id: BTreeMap::new(),
            said: BTreeMap::new(),
            copies: BTreeMap::new(),
            repeated: BTreeSet::new(),
        }
    }

    fn add_of_chain(&mut self, line: usize) {
        let Some(record) = self.records.get(line).filter(|record| self.tree.is_of_thread(record)) else {
            return;
        };
        match record.kind {
            Kind::Assistant => self.add_assistant(line, record),
            Kind::User => self.add_user(line, record),
            Kind::Notice | Kind::Boundary | Kind::Other => {}
        }
    }

    /// A line of a message that is known goes there, unless it repeats a line of it.
    fn add_assistant(&mut self, line: usize, record: &Record) {
        let id = record.message_id().of(self.text);
        if id.is_empty() {
            return self.open(line, Kind::Assistant);
        }
        let content = record.content().of(self.text);
        if let Some(of) = self.said.get(&Said::new(id, content)).copied() {
            return self.repeat(line, of);
        }
        self.said.insert(Said::new(id, content), line);
        if let Some(message) = self.by_id.get(id).copied() {
            self.join(line, message);
        } else {
            self.by_id.insert(id, self.found.len());
            self.open(line, Kind::Assistant);
        }
    }

    /// What follows a repeated line and says what was said before is a repetition too.
    fn add_user(&mut self, line: usize, record: &Record) {
        let content = record.content().of(self.text);
        let repeats = self.tree.parent(line).is_some_and(|parent| self.repeated.contains(&parent));
        if let Some(of) = self.said.get(&Said::new("", content)).copied().filter(|_| repeats) {
            self.repeat(line, of);
        } else {
            self.said.insert(Said::new("", content), line);
            self.open(line, Kind::User);
        }
    }

    fn repeat(&mut self, line: usize, of: usize) {
        self.repeated.insert(line);
        self.copies.entry(of).or_default().push(line);
    }

    fn open(&mut self, line: usize, kind: Kind) {
        self.own(line, self.found.len());
        self.found.push(((self.found.len(), 0), WireMessage { kind, lines: vec![line] }));
    }

    fn join(&mut self, line: usize, message: usize) {
        self.own(line, message);
        if let Some((_, message)) = self.found.get_mut(message) {
            message.lines.push(line);
        }
    }

    fn own(&mut self, line: usize, message: usize) {
        if let Some(owner) = self.owners.get_mut(line) {
            *owner = Some(message);
        }
    }

    fn owner(&self, line: usize) -> Option<usize> {
        self.owners.get(line).copied().flatten()
    }

    /// The lines beside the chain, since the last compaction. A line of the chain that repeats another one is none.
    fn beside(&self, kind: Kind) -> Vec<usize> {
        let start = self.tree.start(self.records);
        let lines = self.records.iter().enumerate().skip(start).filter(|(line, record)| {
            record.kind == kind
                && self.tree.is_of_thread(record)
                && !self.tree.is_copy(*line)
                && self.owner(*line).is_none()
                && !self.repeated.contains(line)
        });
        lines.map(|(line, _)| line).collect()
    }

    /// Other lines of the messages that are in. They hang on the branch, after the first line of their message; one that
    /// says what a line of its message says repeats that line. What a resumed session repeats elsewhere in the file is
    /// no part of the branch.
    fn add_siblings(&mut self) {
        if self.tree.is_linear {
            return;
        }
        for line in self.beside(Kind::Assistant) {
            let hangs = self.tree.said_above(line).is_some_and(|above| self.owner(above).is_some());
            if let Some(record) = self.records.get(line).filter(|_| hangs) {
                self.add_sibling(line, record);
            }
        }
    }

    fn add_sibling(&mut self, line: usize, record: &Record) {
        let (id, content) = (record.message_id().of(self.text), record.content().of(self.text));
        let Some(message) = self.by_id.get(id).copied() else { return };
        let first = self.found.get(message).and_then(|(_, message)| message.lines.first());
        if first.is_none_or(|first| *first >= line) {
            return;
        }
        if let Some(of) = self.said.get(&Said::new(id, content)).copied() {
            self.copies.entry(of).or_default().push(line);
        } else {
            self.said.insert(Said::new(id, content), line);
            self.join(line, message);
        }
    }

    /// Results that hang on a line that is in and answer a call of its message that no result on the chain answers.
    fn add_results(&mut self) {
        let callers: Vec<(usize, usize)> =
            self.beside(Kind::User).into_iter().filter_map(|line| Some((line, self.caller(line)?))).collect();
        if self.tree.is_linear || callers.is_empty() {
            return;
        }
        let mut answered = self.answered();
        let mut calls: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for (line, message) in callers {
            let ids = self.ids_in(line, TOOL_USE_ID);
            let calls = calls.entry(message).or_insert_with(|| self.calls_of(message));
            let fresh = ids.iter().all(|id| calls.contains(id) && !answered.contains(id));
            if fresh && !ids.is_empty() {
                answered.extend(ids);
                self.own(line, message);
                let order = self.found.get(message).map_or(message, |((order, _), _)| *order);
                let key = (order, line.saturating_add(1));
                self.found.push((key, WireMessage { kind: Kind::User, lines: vec![line] }));
            }
        }
    }

    /// The assistant's message that a line beside the chain answers.
    fn caller(&self, line: usize) -> Option<usize> {
        let above = self.tree.source(line).or_else(|| self.tree.said_above(line))?;
        let assistant = self.records.get(above)?.kind == Kind::Assistant;
        self.owner(above).filter(|_| assistant)
    }

    fn answered(&self) -> BTreeSet<&'r str> {
        let users = self.found.iter().filter(|(_, message)| message.kind == Kind::User);
        let lines = users.flat_map(|(_, message)| message.lines.iter());
        lines.flat_map(|line| self.ids_in(*line, TOOL_USE_ID)).collect()
    }

    fn calls_of(&self, message: usize) -> BTreeSet<&'r str> {
        let lines = self.found.get(message).map(|(_, message)| message.lines.as_slice()).unwrap_or_default();
        lines.iter().flat_map(|line| self.ids_in(*line, "id")).collect()
    }

    /// The ids in a line's blocks under a key, as JSON text.
    fn ids_in(&self, line: usize, key: &str) -> Vec<&'r str> {
        let content = self.records.get(line).map(Record::content).unwrap_or_default();
        let node = Node::trusted(content.of(self.text), content.start);
        let blocks = node.objects().ok().flatten().unwrap_or_default();
        blocks.iter().flatten().filter_map(|block| Some(block.get(key)?.text())).collect()
    }

    fn finish(mut self) -> Wire {
        self.found.sort_by_key(|(order, _)| *order);
        let mut messages: Vec<WireMessage> = self.found.into_iter().map(|(_, message)| message).collect();
        for message in &mut messages {
            message.lines.sort_unstable();
        }
        Wire { messages, copies: self.copies }
    }
}
