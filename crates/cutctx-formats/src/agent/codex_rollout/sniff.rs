//! Whether a file is a rollout.

use crate::document::{Document, Shape};
use crate::format::Confidence;
use crate::raw::{Kind, Object};

/// How many lines are looked at.
const SAMPLE: usize = 24;

/// The types of lines.
const TYPES: [&str; 6] =
    ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"];

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    if !matches!(document.shape(), Shape::Lines | Shape::Object(_)) {
        return None;
    }
    let records = document.sample(SAMPLE);
    let oldest = records.first().is_some_and(is_oldest_head) && records.len() > 1;
    (oldest || records.iter().any(is_line)).then_some(Confidence::Certain)
}

fn is_line(record: &Object<'_>) -> bool {
    let is_object = |key: &str| record.get(key).is_some_and(|value| value.kind() == Kind::Object);
    let kind = record.string("type").unwrap_or_default();
    (is_object("payload") && TYPES.contains(&kind.as_ref()))
        || record.get("record_type").is_some_and(|kind| kind.is_string("state"))
}

/// The first line of the oldest files.
fn is_oldest_head(record: &Object<'_>) -> bool {
    ["id", "timestamp", "instructions"].iter().all(|key| record.has(key)) && !record.has("type")
}
