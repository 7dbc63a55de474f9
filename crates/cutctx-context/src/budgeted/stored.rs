//! What a checkpoint holds.

mod earlier;
mod legal;
mod runs;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableError, DurableObject, DurableValue, ValueView};
use cutctx_types::Action;

use super::machine::Machine;
use super::memory::Memory;
use super::outcome::InvalidatedReason;
use super::scale::Ratio;
use super::settings::BudgetedContextSettings;
use crate::payload::whole;

pub(super) use earlier::Earlier;
pub(super) use legal::{Legal, legal};
pub(super) use runs::Run;

/// The key of the policy's entry in a checkpoint; the instance's own key stands behind it.
const KEY: &str = "budgeted_context";

/// The version of the entry that is written.
const VERSION: u64 = 2;

/// The version before, which is read.
const EARLIER: u64 = 1;

/// What a checkpoint holds of a context.
#[derive(Debug)]
pub(super) enum Stored {
    /// Fates of turns.
    Fates(Fates),
    /// What version 1 held: a summary, stubs and edits of messages.
    Earlier(Earlier),
}

/// Fates of turns, and what they were made of.
#[derive(Debug)]
pub(super) struct Fates {
    pub(super) source: Source,
    /// One for each of the source's first turns; the others are kept.
    pub(super) runs: Vec<Run>,
    /// The texts of summaries by group.
    pub(super) summaries: BTreeMap<Arc<str>, Arc<str>>,
    pub(super) memory: Memory,
}

/// What fates were made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) kind: SourceKind,
    /// How many messages, or turns.
    pub(super) count: usize,
    /// Their digest as lower-case hex digits.
    pub(super) sha256: Arc<str>,
}

/// What a source is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceKind {
    Messages,
    Turns,
}

impl SourceKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Turns => "turns",
        }
    }
}

impl Stored {
    /// What a checkpoint holds, where it holds something.
    pub(super) fn load(
        checkpoint: Option<&DurableObject>,
        settings: &BudgetedContextSettings,
    ) -> Option<Result<Self, InvalidatedReason>> {
        let entry = checkpoint?.get(&key(settings))?;
        Some(Self::read(entry).ok_or(InvalidatedReason::Unreadable))
    }

    fn read(entry: &DurableValue) -> Option<Self> {
        let entry = entry.as_object()?;
        match whole(entry, "version")? {
            VERSION => Fates::read(entry).map(Self::Fates),
            EARLIER => Earlier::read(entry).map(Self::Earlier),
            _ => None,
        }
    }
}

impl Fates {
    fn read(entry: &DurableObject) -> Option<Self> {
        let kinds = [SourceKind::Messages, SourceKind::Turns];
        let kind = text(entry, "source")?;
        let source = Source {
            kind: kinds.into_iter().find(|known| known.as_str() == &**kind)?,
            count: size(entry, "source_count")?,
            sha256: Arc::clone(text(entry, "source_sha256")?),
        };
        let runs = runs::read(list(entry.get("fates")?)?)?;
        let summaries = entry.get("summaries").map_or_else(|| Some(BTreeMap::new()), texts)?;
        let is_known = |(action, _): &Run| !matches!(action, Action::Summarize { group } if !summaries.contains_key(group));
        runs.iter().all(is_known).then(|| Self { source, runs, summaries, memory: remembered(entry) })
    }
}

fn remembered(entry: &DurableObject) -> Memory {
    Memory {
        ratio: Ratio::new(whole(entry, "observed_tokens"), whole(entry, "estimated_tokens")),
        stalled_at: whole(entry, "stalled_at"),
        exhausted: text(entry, "exhausted").cloned(),
        rewrites: whole(entry, "rewrites").unwrap_or(0),
        calls: whole(entry, "calls").unwrap_or(0),
        seen: size(entry, "seen_turns").unwrap_or(0),
    }
}

/// The checkpoint with what a machine holds in place of what was stored before.
pub(super) fn put_into(
    checkpoint: &DurableObject,
    machine: &Machine,
    source: &Source,
) -> Result<DurableObject, DurableError> {
    let (ledger, memory) = (&machine.ledger, &machine.memory);
    let (observed, estimated) = memory.ratio.parts();
    let settled = ledger.actions().get(..ledger.settled()).unwrap_or_default();
    let summaries = ledger.summaries().iter().map(|(group, summary)| {
        (durable(group), DurableValue::text(durable(&summary.text)).unwrap_or(DurableValue::NULL))
    });
    let mut entry = alloc::vec![
        ("version".into(), number(VERSION)),
        ("source".into(), DurableValue::text(source.kind.as_str())?),
        ("source_count".into(), count(source.count)),
        ("source_sha256".into(), DurableValue::text(Arc::clone(&source.sha256))?),
        ("fates".into(), runs::written(settled)?),
        ("summaries".into(), DurableObject::new(summaries.collect())?.into()),
        ("seen_turns".into(), count(memory.seen)),
        ("observed_tokens".into(), number(observed)),
        ("estimated_tokens".into(), number(estimated)),
        ("rewrites".into(), number(memory.rewrites)),
        ("calls".into(), number(memory.calls)),
    ];
    if let Some(exhausted) = &memory.exhausted {
        entry.push(("exhausted".into(), DurableValue::text(durable(exhausted))?));
    }
    if let Some(stalled_at) = memory.stalled_at {
        entry.push(("stalled_at".into(), number(stalled_at)));
    }
    checkpoint.with(key(&machine.config.settings), DurableObject::new(entry)?.into())
}

/// The key of this instance.
pub(super) fn key(settings: &BudgetedContextSettings) -> Arc<str> {
    match &settings.key {
        None => KEY.into(),
        Some(own) => [KEY, ":", own].concat().into(),
    }
}

/// A text without the character that is never stored.
fn durable(text: &Arc<str>) -> Arc<str> {
    if text.contains('\0') { text.replace('\0', "\u{FFFD}").into() } else { Arc::clone(text) }
}

fn number(value: u64) -> DurableValue {
    DurableValue::from(i64::try_from(value).unwrap_or(i64::MAX))
}

fn count(value: usize) -> DurableValue {
    number(u64::try_from(value).unwrap_or(u64::MAX))
}

fn size(entry: &DurableObject, key: &str) -> Option<usize> {
    usize::try_from(whole(entry, key)?).ok()
}

fn text<'e>(entry: &'e DurableObject, key: &str) -> Option<&'e Arc<str>> {
    entry.get(key).and_then(DurableValue::as_text)
}

fn list(value: &DurableValue) -> Option<&[DurableValue]> {
    if let ValueView::Array(items) = value.view() { Some(items) } else { None }
}

fn texts(value: &DurableValue) -> Option<BTreeMap<Arc<str>, Arc<str>>> {
    let members = value.as_object()?.iter();
    members.map(|(group, text)| Some((Arc::clone(group), Arc::clone(text.as_text()?)))).collect()
}
