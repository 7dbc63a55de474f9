//! Links that survive: the names of lines that are gone become the names of lines that stay.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::index::Index;
use super::record::Record;
use super::summary::Added;
use crate::note::NoteKind;
use crate::raw::{Span, Splices};

/// Writes the new records and changes the links to records that are gone.
pub(super) fn rewrite(index: &Index, text: &str, removed: &[bool], added: &[Added], splices: &mut Splices) {
    if added.is_empty() && removed.iter().all(|gone| !gone) {
        return;
    }
    let mut anchors = Anchors::new(index, text, removed, added);
    let parents = anchors.insert(splices);
    for link in index.parent_links().chain(index.links.iter().copied()) {
        let replaced = parents.contains_key(&link.owner) && is_parent(index, link.owner, link.place);
        if anchors.is_gone(link.target) && !anchors.is_line_gone(link.owner) && !replaced {
            let anchor = anchors.of(link.target);
            splices.note(NoteKind::LinksRewritten, link.place.start);
            splices.replace(link.place, anchors.name(anchor));
        }
    }
    for (record, summary) in parents {
        if let Some(record) = index.record(record) {
            splices.note(NoteKind::LinksRewritten, record.line.start);
            set_parent(record, text, &anchors.name(Anchor::Added(summary)), splices);
        }
    }
}

/// What stands for a record that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// Nothing: it was the root.
    Root,
    /// The record with this number.
    Record(usize),
    /// The new record with this number.
    Added(usize),
}

struct Anchors<'a> {
    index: &'a Index,
    text: &'a str,
    removed: &'a [bool],
    added: &'a [Added],
    /// The first and the last of the new records before a line of the branch.
    before: BTreeMap<usize, (usize, usize)>,
    known: Vec<Option<Anchor>>,
}

impl<'a> Anchors<'a> {
    fn new(index: &'a Index, text: &'a str, removed: &'a [bool], added: &'a [Added]) -> Self {
        let mut before: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (number, record) in added.iter().enumerate() {
            if let Some(line) = record.before {
                before.entry(line).or_insert((number, number)).1 = number;
            }
        }
        Self { index, text, removed, added, before, known: vec![None; index.records.len()] }
    }

    fn is_line_gone(&self, record: usize) -> bool {
        self.removed.get(record) == Some(&true)
    }

    /// Whether no record of an id is left.
    fn is_gone(&self, record: usize) -> bool {
        self.is_line_gone(self.index.tree.original(record))
    }

    /// What stands for a record that is gone: the summary that took its place, or what stands for its parent. Links in
    /// a loop lead nowhere.
    fn of(&mut self, record: usize) -> Anchor {
        let mut path = Vec::new();
        let mut next = Some(record);
        let anchor = loop {
            let Some(this) = next else { break Anchor::Root };
            if !self.is_gone(this) {
                break Anchor::Record(this);
            }
            if let Some(known) = self.known.get(this).copied().flatten() {
                break known;
            }
            if let Some((_, last)) = self.before.get(&this) {
                break Anchor::Added(*last);
            }
            self.know(this, Anchor::Root);
            path.push(this);
            next = self.index.tree.parent(this);
        };
        for this in path {
            self.know(this, anchor);
        }
        anchor
    }

    fn know(&mut self, record: usize, anchor: Anchor) {
        if let Some(known) = self.known.get_mut(record) {
            *known = Some(anchor);
        }
    }

    fn name(&self, anchor: Anchor) -> String {
        let name = match anchor {
            Anchor::Root => None,
            Anchor::Record(record) => self.index.record(record).map(|record| record.uuid().of(self.text)),
            Anchor::Added(number) => self.added.get(number).map(|added| added.uuid.as_str()),
        };
        String::from(name.unwrap_or("null"))
    }

    /// Inserts the new records. Returns the lines that stay and follow a new record from now on, and which.
    fn insert(&mut self, splices: &mut Splices) -> BTreeMap<usize, usize> {
        let mut parents = BTreeMap::new();
        for (number, record) in self.added.iter().enumerate() {
            let parent = self.parent_of_added(number, record.before);
            let line = record.line(&self.name(parent));
            splices.insert(self.place(record.before), self.on_own_line(record.before, line));
            if let Some(before) = record.before.filter(|before| !self.is_gone(*before)) {
                parents.insert(before, number);
            }
        }
        if self.index.tree.is_linear { BTreeMap::new() } else { parents }
    }

    /// A new record follows the one that was put into the same place before it, or what stands above that place.
    fn parent_of_added(&mut self, number: usize, before: Option<usize>) -> Anchor {
        if self.index.tree.is_linear {
            return Anchor::Root;
        }
        let neighbour = number
            .checked_sub(1)
            .filter(|previous| self.added.get(*previous).is_some_and(|previous| previous.before == before));
        if let Some(neighbour) = neighbour {
            return Anchor::Added(neighbour);
        }
        let above = match before {
            Some(line) => self.index.tree.parent(line),
            None => self.index.tree.chain.last().copied(),
        };
        above.map_or(Anchor::Root, |above| self.of(above))
    }

    fn place(&self, before: Option<usize>) -> usize {
        let record = before.and_then(|before| self.index.record(before));
        record.map_or(self.text.len(), |record| record.line.start)
    }

    /// A file's last line may lack its line feed.
    fn on_own_line(&self, before: Option<usize>, line: String) -> String {
        let open = before.is_none() && !self.text.ends_with('\n');
        if open { ["\n", &line].concat() } else { line }
    }
}

fn is_parent(index: &Index, owner: usize, place: Span) -> bool {
    index.record(owner).is_some_and(|record| record.parent() == place)
}

/// Sets a line's parent, adding the field where the line has none.
fn set_parent(record: &Record, text: &str, name: &str, splices: &mut Splices) {
    if !record.parent().is_empty() {
        return splices.replace(record.parent(), name);
    }
    let brace = record.line.of(text).find('{').unwrap_or(0);
    let place = record.line.start.saturating_add(brace).saturating_add(1);
    splices.insert(place, [r#""parentUuid":"#, name, ","].concat());
}
