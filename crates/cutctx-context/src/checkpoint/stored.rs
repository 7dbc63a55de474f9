//! What the checkpoint says.

use alloc::sync::Arc;

use cutctx_messages::{DurableError, DurableObject, DurableValue, SpokenText, ValueView};

use crate::payload::whole;

/// The key of the policy's entry in a checkpoint.
pub(super) const KEY: &str = "context_compaction";

/// The version of the entry.
const VERSION: u64 = 2;

/// How far an earlier build came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    /// The first message that no summary stands for.
    pub(crate) cursor: usize,
    /// The summary of those before.
    pub(crate) summary: Option<SpokenText>,
    /// Under which key the compactor was exhausted.
    pub(crate) exhausted: Option<Arc<str>>,
}

impl Stored {
    /// As if nothing had been compacted.
    pub(crate) const fn nothing(first: usize) -> Self {
        Self { cursor: first, summary: None, exhausted: None }
    }

    /// What a checkpoint says, where that fits a transcript whose compactable messages begin at `first` and that may be
    /// cut at these boundaries. What does not fit is as if it were not there.
    pub(crate) fn load(checkpoint: &DurableObject, first: usize, boundaries: &[usize]) -> Self {
        Self::read(checkpoint, first, boundaries).unwrap_or(Self::nothing(first))
    }

    fn read(checkpoint: &DurableObject, first: usize, boundaries: &[usize]) -> Option<Self> {
        let entry = checkpoint.get(KEY)?.as_object()?;
        if whole(entry, "version") != Some(VERSION) {
            return None;
        }
        let cursor = usize::try_from(whole(entry, "compacted_transcript_cursor")?).ok()?;
        let exhausted = exhausted(entry);
        let Some(summary) = entry.get("summary") else {
            let no_progress = entry.get("no_progress").map(DurableValue::view) == Some(ValueView::Bool(true));
            let exhausted = exhausted.filter(|_| cursor == first);
            return no_progress.then_some(Self { exhausted, ..Self::nothing(first) });
        };
        let summary = SpokenText::new(summary.as_text()?.clone()).ok()?;
        let fits = cursor >= first && boundaries.binary_search(&cursor).is_ok();
        fits.then_some(Self { cursor, summary: Some(summary), exhausted })
    }

    /// The checkpoint with this entry in place of the one before.
    pub(crate) fn put_into(
        &self,
        checkpoint: &DurableObject,
        metadata: &DurableObject,
    ) -> Result<DurableObject, DurableError> {
        let cursor = i64::try_from(self.cursor).unwrap_or(i64::MAX);
        let mut entry = DurableObject::empty().with("version", i64::try_from(VERSION).unwrap_or(0).into())?;
        if let Some(summary) = &self.summary {
            entry = entry.with("summary", DurableValue::text(summary.shared().clone())?)?;
        }
        entry = entry.with("compacted_transcript_cursor", cursor.into())?;
        entry = entry.with("metadata", metadata.clone().into())?;
        if self.summary.is_none() {
            entry = entry.with("no_progress", true.into())?;
        }
        if let Some(key) = &self.exhausted {
            let progress = DurableObject::empty()
                .with("exhausted", true.into())?
                .with("key", DurableValue::text(key.clone())?)?;
            entry = entry.with("progress", progress.into())?;
        }
        checkpoint.with(KEY, entry.into())
    }
}

fn exhausted(entry: &DurableObject) -> Option<Arc<str>> {
    let progress = entry.get("progress")?.as_object()?;
    let is_exhausted = progress.get("exhausted")?.view() == ValueView::Bool(true);
    progress.get("key")?.as_text().filter(|_| is_exhausted).cloned()
}
