//! What version 1 of a checkpoint held.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;

use cutctx_messages::{DurableObject, DurableValue, ValueView};

use super::super::memory::Memory;
use super::{list, remembered, size, text};

/// What version 1 held: a summary of the messages before a cursor, stubs for long results of tools up to another place,
/// and texts that stand in place of single results.
#[derive(Debug)]
pub(in super::super) struct Earlier {
    /// The first message that no summary stands for.
    pub(in super::super) cursor: usize,
    /// Long results of tools before this message are shown as stubs.
    pub(in super::super) pruned: usize,
    /// What is shown in place of results: by message, and part of it.
    pub(in super::super) edits: BTreeMap<(usize, usize), Arc<str>>,
    pub(in super::super) summary: Option<Arc<str>>,
    pub(in super::super) sha256: Arc<str>,
    pub(in super::super) memory: Memory,
}

impl Earlier {
    pub(super) fn read(entry: &DurableObject) -> Option<Self> {
        let edits = entry.get("edits").map_or_else(|| Some(BTreeMap::new()), edits)?;
        let earlier = Self {
            cursor: size(entry, "cursor")?,
            pruned: size(entry, "pruned")?,
            edits,
            summary: text(entry, "summary").cloned(),
            sha256: Arc::clone(text(entry, "source_sha256")?),
            memory: remembered(entry),
        };
        (earlier.cursor <= earlier.pruned).then_some(earlier)
    }

    /// How many of the first messages it was made of.
    pub(in super::super) fn count(&self) -> usize {
        let edited = self.edits.last_key_value().map_or(0, |((message, _), _)| message.saturating_add(1));
        self.pruned.max(edited)
    }
}

fn edits(value: &DurableValue) -> Option<BTreeMap<(usize, usize), Arc<str>>> {
    list(value)?.iter().map(edit).collect()
}

fn edit(value: &DurableValue) -> Option<((usize, usize), Arc<str>)> {
    let [message, part, text] = list(value)? else { return None };
    let number = |value: &DurableValue| {
        if let ValueView::Int(number) = value.view() { usize::try_from(number).ok() } else { None }
    };
    Some(((number(message)?, number(part)?), Arc::clone(text.as_text()?)))
}
