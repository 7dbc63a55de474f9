//! Which record stands for which id.

use alloc::collections::BTreeMap;

use super::record::Record;

/// The record of each id. Ids are JSON texts, quotes included.
#[derive(Debug)]
pub(super) struct Ids<'t> {
    records: BTreeMap<Id<'t>, usize>,
}

impl<'t> Ids<'t> {
    /// Of several records with one id the last one that is a message stands for it, or else the last one.
    pub(super) fn new(records: &[Record], text: &'t str) -> Self {
        let mut ids = BTreeMap::new();
        for (this, record) in records.iter().enumerate().filter(|(_, record)| !record.uuid().is_empty()) {
            let stands = ids.entry(Id::new(record.uuid().of(text))).or_insert(this);
            let before = records.get(*stands).is_some_and(Record::is_said);
            if record.is_said() || !before {
                *stands = this;
            }
        }
        Self { records: ids }
    }

    /// The record that stands for an id.
    pub(super) fn get(&self, id: &str) -> Option<usize> {
        self.records.get(&Id::new(id)).copied()
    }
}

/// An id as a key. A number made of its first characters settles most comparisons without a look into the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Id<'t> {
    head: u64,
    text: &'t str,
}

impl<'t> Id<'t> {
    fn new(text: &'t str) -> Self {
        let inside = text.as_bytes().get(1..).and_then(<[u8]>::first_chunk);
        Self { head: inside.map_or(0, |first| u64::from_be_bytes(*first)), text }
    }
}
