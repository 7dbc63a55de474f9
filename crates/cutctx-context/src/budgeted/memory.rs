//! What is remembered from one step to the next.

use alloc::sync::Arc;

use cutctx_messages::{DurableError, DurableObject, DurableValue, Message, SpokenText, messages_digest};

use super::edits::Edits;
use super::outcome::InvalidatedReason;
use super::scale::Ratio;
use super::settings::BudgetedContextSettings;
use crate::payload::whole;

/// The key of the policy's entry in a checkpoint; the instance's own key stands behind it.
const KEY: &str = "budgeted_context";

/// The version of the entry.
const VERSION: u64 = 1;

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Memory {
    /// The first message that no summary stands for.
    pub(super) cursor: usize,
    /// Tool results before this message are shown as stubs.
    pub(super) pruned: usize,
    /// Results that are shown shorter behind the cursor.
    pub(super) edits: Edits,
    /// The summary of what is before the cursor.
    pub(super) summary: Option<SpokenText>,
    /// Under which key the compactor was exhausted.
    pub(super) exhausted: Option<Arc<str>>,
    /// What the provider counted in place of what was estimated.
    pub(super) ratio: Ratio,
    /// What the context took, in tokens, when little could be freed.
    pub(super) stalled_at: Option<u64>,
    /// How often the context was rewritten, which costs a provider's cache.
    pub(super) rewrites: u64,
    /// How often a compactor was asked.
    pub(super) calls: u64,
}

impl Memory {
    /// What a checkpoint says, where it was made of these messages; otherwise nothing, and why. `first` is where what
    /// may be compacted begins.
    pub(super) fn load(
        checkpoint: Option<&DurableObject>,
        settings: &BudgetedContextSettings,
        messages: &[Message],
        first: usize,
    ) -> (Self, Option<InvalidatedReason>) {
        let nothing = Self { cursor: first, pruned: first, ..Self::default() };
        let Some(entry) = checkpoint.and_then(|checkpoint| checkpoint.get(&key(settings))) else {
            return (nothing, None);
        };
        match Self::read(entry, messages, first) {
            Ok(memory) => (memory, None),
            Err(reason) => (nothing, Some(reason)),
        }
    }

    fn read(entry: &DurableValue, messages: &[Message], first: usize) -> Result<Self, InvalidatedReason> {
        let read = || {
            let entry = entry.as_object().filter(|entry| whole(entry, "version") == Some(VERSION))?;
            let size = |key: &str| usize::try_from(whole(entry, key)?).ok();
            let text = |key: &str| entry.get(key).and_then(DurableValue::as_text);
            let summary = text("summary").map(|text| SpokenText::new(text.clone()));
            let memory = Self {
                cursor: size("cursor")?,
                pruned: size("pruned")?,
                edits: entry.get("edits").map_or_else(|| Some(Edits::default()), Edits::from_value)?,
                summary: summary.transpose().ok()?,
                exhausted: text("exhausted").cloned(),
                ratio: Ratio::new(whole(entry, "observed_tokens"), whole(entry, "estimated_tokens")),
                stalled_at: whole(entry, "stalled_at"),
                rewrites: whole(entry, "rewrites").unwrap_or(0),
                calls: whole(entry, "calls").unwrap_or(0),
            };
            let ordered = first <= memory.cursor && memory.cursor <= memory.pruned;
            let whole = memory.cursor == first || memory.summary.is_some();
            Some((memory, text("source_sha256")?)).filter(|_| ordered && whole)
        };
        let (memory, digest) = read().ok_or(InvalidatedReason::Unreadable)?;
        let source = messages.get(..memory.source()).ok_or(InvalidatedReason::TranscriptShorter)?;
        if messages_digest(source).to_hex() != **digest {
            return Err(InvalidatedReason::ContentChanged);
        }
        Ok(memory)
    }

    /// How many of the first messages this was made of.
    fn source(&self) -> usize {
        self.pruned.max(self.edits.end())
    }

    /// The checkpoint with this in place of what was remembered before.
    pub(super) fn put_into(
        &self,
        checkpoint: &DurableObject,
        settings: &BudgetedContextSettings,
        messages: &[Message],
    ) -> Result<DurableObject, DurableError> {
        let source = messages.get(..self.source()).unwrap_or_default();
        let number = |value: u64| DurableValue::from(i64::try_from(value).unwrap_or(i64::MAX));
        let size = |value: usize| number(u64::try_from(value).unwrap_or(u64::MAX));
        let (observed, estimated) = self.ratio.parts();
        let mut entry = alloc::vec![
            ("version".into(), number(VERSION)),
            ("cursor".into(), size(self.cursor)),
            ("pruned".into(), size(self.pruned)),
            ("source_sha256".into(), DurableValue::text(messages_digest(source).to_hex())?),
            ("observed_tokens".into(), number(observed)),
            ("estimated_tokens".into(), number(estimated)),
            ("rewrites".into(), number(self.rewrites)),
            ("calls".into(), number(self.calls)),
        ];
        if !self.edits.is_empty() {
            entry.push(("edits".into(), self.edits.to_value()?));
        }
        if let Some(summary) = &self.summary {
            entry.push(("summary".into(), DurableValue::text(summary.shared().clone())?));
        }
        if let Some(exhausted) = &self.exhausted {
            entry.push(("exhausted".into(), DurableValue::text(exhausted.clone())?));
        }
        if let Some(stalled_at) = self.stalled_at {
            entry.push(("stalled_at".into(), number(stalled_at)));
        }
        checkpoint.with(key(settings), DurableObject::new(entry)?.into())
    }
}

/// The key of this instance.
pub(super) fn key(settings: &BudgetedContextSettings) -> Arc<str> {
    match &settings.key {
        None => KEY.into(),
        Some(own) => [KEY, ":", own].concat().into(),
    }
}
