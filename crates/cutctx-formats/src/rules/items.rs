//! The items of the Responses API as they stand in the file: reasoning and what must follow it, ids that repeat.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::IgnoredAny;

use super::findings::Findings;
use super::names::{INVALID_ARGUMENTS, ITEM_WITHOUT_REASONING, REASONING_WITHOUT_ITEM, REPEATED_ITEM_ID};
use super::sent::{Message, Sent};
use crate::raw::{Node, Object};

/// An item.
#[derive(Debug)]
struct Item<'m> {
    kind: Kind,
    id: Option<String>,
    message: &'m Message,
    /// Whether it is a function's call whose arguments are no JSON. What custom tools are given is free text.
    is_malformed: bool,
}

/// Whose an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The model's reasoning.
    Reasoning,
    /// What else the model gave: a message, a call.
    Output,
    /// What it was given: a message, the output of a call.
    Input,
    /// Something else, such as a compaction.
    Other,
}

/// Checks the items, if the records are items.
pub(super) fn are_whole(sent: &Sent<'_>, found: &mut Findings) {
    let items: Vec<Item<'_>> = (0..sent.messages.len()).flat_map(|index| items_of(sent, index)).collect();
    reasoning_has_its_item(&items, found);
    items_have_their_reasoning(&items, found);
    ids_are_unique(&items, found);
    for item in items.iter().filter(|item| item.is_malformed) {
        found.broken(INVALID_ARGUMENTS, item.message);
    }
}

fn items_of<'m>(sent: &'m Sent<'_>, index: usize) -> Vec<Item<'m>> {
    let Some(message) = sent.messages.get(index) else { return Vec::new() };
    let records = sent.records(index);
    records.iter().filter_map(|record| item(*record, message)).collect()
}

/// A record is an item, or a line with one in it.
fn item<'m>(record: Node<'_>, message: &'m Message) -> Option<Item<'m>> {
    let record = record.object().ok()??;
    let record = match record.string("type").as_deref() {
        Some("response_item") => record.get("payload")?.object().ok()??,
        _ => record,
    };
    let kind = kind_of(&record)?;
    let id = record.owned("id").filter(|id| !id.is_empty());
    Some(Item { kind, id, message, is_malformed: is_malformed(&record) })
}

fn kind_of(item: &Object<'_>) -> Option<Kind> {
    let from_role = || match item.string("role").as_deref() {
        Some("assistant") => Some(Kind::Output),
        Some(_) => Some(Kind::Input),
        None => None,
    };
    match item.string("type").as_deref() {
        Some("reasoning") => Some(Kind::Reasoning),
        Some("message") | None => from_role(),
        Some(kind) if kind.ends_with("_output") => Some(Kind::Input),
        Some(kind) if kind.ends_with("_call") => Some(Kind::Output),
        Some("event_msg" | "turn_context" | "session_meta" | "world_state") => None,
        Some(_) => Some(Kind::Other),
    }
}

fn is_malformed(item: &Object<'_>) -> bool {
    let is_call = item.get("type").is_some_and(|kind| kind.is_string("function_call"));
    let text = item.string("arguments").filter(|text| is_call && !text.trim().is_empty());
    text.is_some_and(|text| serde_json::from_str::<IgnoredAny>(&text).is_err())
}

/// A stored item of reasoning is followed by the item that it led to.
fn reasoning_has_its_item(items: &[Item<'_>], found: &mut Findings) {
    for (index, item) in items.iter().enumerate() {
        let next = items.get(index.saturating_add(1)).map(|next| next.kind);
        let is_alone = matches!(next, None | Some(Kind::Input));
        if item.kind == Kind::Reasoning && item.id.is_some() && is_alone {
            found.broken(REASONING_WITHOUT_ITEM, item.message);
        }
    }
}

/// Where the model's stored items have reasoning, all of them have: a response without is one that lost it.
fn items_have_their_reasoning(items: &[Item<'_>], found: &mut Findings) {
    if !items.iter().any(|item| item.kind == Kind::Reasoning && item.id.is_some()) {
        return;
    }
    let is_models = |item: &Item<'_>| matches!(item.kind, Kind::Reasoning | Kind::Output);
    for run in items.chunk_by(|one, next| is_models(one) == is_models(next)) {
        let reasons = run.iter().any(|item| item.kind == Kind::Reasoning);
        let stored = run.iter().find(|item| item.kind == Kind::Output && item.id.is_some());
        if let Some(item) = stored.filter(|_| !reasons) {
            found.broken(ITEM_WITHOUT_REASONING, item.message);
        }
    }
}

fn ids_are_unique(items: &[Item<'_>], found: &mut Findings) {
    let mut ids = BTreeSet::new();
    for item in items {
        if item.id.as_ref().is_some_and(|id| !ids.insert(id)) {
            found.broken(REPEATED_ITEM_ID, item.message);
        }
    }
}
