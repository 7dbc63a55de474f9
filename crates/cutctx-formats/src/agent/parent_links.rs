//! Records that name the record which they follow, and how the links are mended when records go and come.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::layout::Edited;
use crate::note::NoteKind;
use crate::raw::{Object, Span, Splices, quoted};

/// The links of a file's records.
#[derive(Debug)]
pub(super) struct ParentLinks {
    /// The keys of a record's own id and of that of its parent.
    keys: (&'static str, &'static str),
    /// The JSON strings of the records' ids; empty where there is none.
    ids: Vec<Span>,
    /// The JSON values of the records' parents.
    parents: Vec<Span>,
    /// The records that these name.
    targets: Vec<Option<usize>>,
    /// The records with an id, in the order of their ids.
    by_id: Vec<usize>,
    /// The records that make up the conversation, in its order.
    pub(super) chain: Vec<usize>,
}

impl ParentLinks {
    /// The links of these records. An `alias` is another name under which a record is known, as JSON text; own ids
    /// come first, and of equal ones the first record.
    pub(super) fn new(
        records: &[Object<'_>],
        keys: (&'static str, &'static str),
        aliases: &[(&str, usize)],
    ) -> Self {
        let place = |record: &Object<'_>, key: &str| record.get(key).map(|value| value.span());
        let ids: Vec<Span> = records.iter().map(|record| place(record, keys.0).unwrap_or_default()).collect();
        let parents: Vec<Span> =
            records.iter().map(|record| place(record, keys.1).unwrap_or_default()).collect();
        let own =
            records.iter().enumerate().filter_map(|(record, object)| Some((object.get(keys.0)?, record)));
        let mut known: Vec<(&str, bool, usize)> =
            own.map(|(id, record)| (id.text(), false, record)).collect();
        known.extend(aliases.iter().map(|(id, record)| (*id, true, *record)));
        known.sort_unstable();
        let targets = records.iter().map(|record| find(&known, record.get(keys.1)?.text())).collect();
        let by_id = known.iter().filter(|(_, alias, _)| !alias).map(|(_, _, record)| *record).collect();
        Self { keys, ids, parents, targets, by_id, chain: Vec::new() }
    }

    /// Whether the records have links, be they null.
    pub(super) fn is_linked(&self) -> bool {
        self.parents.iter().any(|parent| !parent.is_empty())
    }

    /// The record that a record follows.
    pub(super) fn parent(&self, record: usize) -> Option<usize> {
        self.targets.get(record).copied().flatten()
    }

    /// The records from a root to this one. A record that was passed before ends the walk.
    pub(super) fn branch(&self, leaf: usize) -> Vec<usize> {
        let mut passed = vec![false; self.targets.len()];
        let mut chain = Vec::new();
        let mut next = Some(leaf);
        while let Some(record) = next {
            let Some(flag) = passed.get_mut(record).filter(|passed| !**passed) else { break };
            *flag = true;
            chain.push(record);
            next = self.parent(record);
        }
        chain.reverse();
        chain
    }

    /// The record with this id, given as JSON text.
    pub(super) fn record(&self, id: &str, text: &str) -> Option<usize> {
        let place =
            self.by_id.partition_point(|record| self.id(*record).is_some_and(|own| own.of(text) < id));
        let record = self.by_id.get(place).copied()?;
        (self.id(record)?.of(text) == id).then_some(record)
    }

    /// Whether a record has this id.
    pub(super) fn is_taken(&self, id: &str, text: &str) -> bool {
        self.record(&quoted(id), text).is_some()
    }

    /// The JSON string of a record's id.
    pub(super) fn id(&self, record: usize) -> Option<Span> {
        self.ids.get(record).copied().filter(|id| !id.is_empty())
    }

    /// Lets new records follow the one of the conversation before them and be followed by the one behind, and every
    /// record whose parent is gone follow the nearest one above that stays.
    ///
    /// A record that goes takes the other records of its id with it that are not in the conversation: one of them would
    /// stand for it.
    pub(super) fn mend(&self, edited: &mut Edited, text: &str) {
        if edited.added.is_empty() && !edited.gone.contains(&true) {
            return;
        }
        self.remove_copies(edited, text);
        let mut mending = Mending::new(self, edited, text);
        for record in &self.chain {
            mending.put_added(|before| before <= *record);
            mending.pass(*record);
        }
        mending.put_added(|_| true);
        let (links, added) = mending.finish();
        for (place, id) in links {
            edited.splices.note(NoteKind::LinksRewritten, place.start);
            edited.splices.replace(place, id);
        }
        for (index, record) in added {
            if let Some((_, old)) = edited.added.get_mut(index) {
                *old = record;
            }
        }
    }

    fn remove_copies(&self, edited: &mut Edited, text: &str) {
        let id = |record: usize| self.id(record).map(|id| id.of(text));
        let mut is_said = vec![false; self.ids.len()];
        for record in &self.chain {
            if let Some(flag) = is_said.get_mut(*record) {
                *flag = true;
            }
        }
        for copies in self.by_id.chunk_by(|one, other| id(*one) == id(*other)) {
            let (said, aside): (Vec<usize>, Vec<usize>) =
                copies.iter().partition(|record| is_said.get(**record) == Some(&true));
            let goes = !said.is_empty() && said.iter().all(|record| edited.gone.get(*record) == Some(&true));
            for record in aside.into_iter().filter(|_| goes) {
                if let Some(flag) = edited.gone.get_mut(record) {
                    *flag = true;
                }
            }
        }
    }
}

/// Links that change, and new records with their numbers that are linked now.
type Mended = (Vec<(Span, String)>, Vec<(usize, String)>);

fn find(known: &[(&str, bool, usize)], id: &str) -> Option<usize> {
    let place = known.partition_point(|(own, _, _)| *own < id);
    known.get(place).filter(|(own, _, _)| *own == id).map(|(_, _, record)| *record)
}

/// A walk along the conversation.
struct Mending<'m> {
    links: &'m ParentLinks,
    text: &'m str,
    edited: &'m Edited,
    /// The ids of the records that stay; several records may have one id.
    living: BTreeSet<&'m str>,
    /// The next new record that has not been put into the conversation yet.
    next_added: usize,
    /// The id of the record before: JSON text.
    last: Option<String>,
    /// The new records that were put in so far: the id of the newest one, and how many.
    newest: Option<String>,
    put: usize,
    /// Whether a record of the conversation that stays was passed.
    has_first: bool,
    /// For each record of the conversation that was passed: how many new ones came before it, and the id of itself or,
    /// where it is gone, of the nearest one above that stays.
    passed: BTreeMap<usize, (usize, Option<String>)>,
    changed: Vec<(Span, String)>,
    spelled: Vec<(usize, String)>,
}

impl<'m> Mending<'m> {
    fn new(links: &'m ParentLinks, edited: &'m Edited, text: &'m str) -> Self {
        let stays = |record: &usize| edited.gone.get(*record) != Some(&true);
        let records = links.by_id.iter().filter(|record| stays(record));
        let living = records.filter_map(|record| Some(links.id(*record)?.of(text))).collect();
        Self {
            links,
            text,
            edited,
            living,
            next_added: 0,
            last: None,
            newest: None,
            put: 0,
            has_first: false,
            passed: BTreeMap::new(),
            changed: Vec::new(),
            spelled: Vec::new(),
        }
    }

    /// Puts the next new records into the conversation, as long as their place is a wanted one.
    fn put_added(&mut self, wanted: impl Fn(usize) -> bool) {
        while let Some((before, record)) = self.edited.added.get(self.next_added) {
            if !wanted(*before) {
                return;
            }
            self.put_record(record);
            self.next_added = self.next_added.saturating_add(1);
        }
    }

    fn put_record(&mut self, record: &str) {
        let Ok(object) = Object::parse(record, 0) else { return };
        let (own, parent) = (object.get(self.links.keys.0), object.get(self.links.keys.1));
        let (Some(own), Some(parent)) = (own, parent) else { return };
        let mut splices = Splices::new();
        splices.replace(parent.span(), self.last.clone().unwrap_or_else(|| self.root()));
        if let Ok(linked) = splices.apply(record) {
            self.spelled.push((self.next_added, linked));
        }
        self.last = Some(String::from(own.text()));
        self.newest.clone_from(&self.last);
        self.put = self.put.saturating_add(1);
    }

    /// What the conversation's first record follows.
    fn root(&self) -> String {
        let first = self.links.chain.first().and_then(|first| self.links.parents.get(*first));
        let parent = first.map(|parent| parent.of(self.text)).filter(|parent| !parent.is_empty());
        String::from(parent.unwrap_or("null"))
    }

    /// Passes a record of the conversation.
    fn pass(&mut self, record: usize) {
        if !self.is_gone(record) {
            self.relink(record);
            self.has_first = true;
            if let Some(id) = self.links.id(record) {
                self.last = Some(String::from(id.of(self.text)));
            }
        }
        self.passed.insert(record, (self.put, self.last.clone()));
    }

    /// A record that stays follows the newest new record that came between it and its parent, or what stays of the
    /// branch above.
    fn relink(&mut self, record: usize) {
        let parent = match self.links.parent(record) {
            Some(target) => {
                let (before, last) = self.passed.get(&target).cloned().unwrap_or_default();
                if self.put > before {
                    self.newest.clone()
                } else if !self.lives(target) {
                    Some(last.unwrap_or_else(|| self.root()))
                } else {
                    None
                }
            }
            None if !self.has_first => self.newest.clone(),
            None => None,
        };
        self.link(record, parent);
    }

    fn link(&mut self, record: usize, parent: Option<String>) {
        let place = self.links.parents.get(record).copied().unwrap_or_default();
        if let Some(parent) = parent.filter(|_| !place.is_empty()) {
            self.changed.push((place, parent));
        }
    }

    /// Whether a record of a record's id stays.
    fn lives(&self, record: usize) -> bool {
        self.links
            .id(record)
            .map_or_else(|| !self.is_gone(record), |id| self.living.contains(id.of(self.text)))
    }

    fn is_gone(&self, record: usize) -> bool {
        self.edited.gone.get(record) == Some(&true)
    }

    /// The links of records beside the conversation, and all changes.
    fn finish(mut self) -> Mended {
        for record in 0..self.links.targets.len() {
            let target = self.links.parent(record).filter(|target| !self.lives(*target));
            let beside = !self.passed.contains_key(&record) && !self.is_gone(record);
            let Some(target) = target.filter(|_| beside) else { continue };
            let last = self.passed.get(&target).and_then(|(_, last)| last.clone());
            let parent = last.unwrap_or_else(|| self.root());
            self.link(record, Some(parent));
        }
        (self.changed, self.spelled)
    }
}
