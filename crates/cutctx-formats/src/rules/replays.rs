//! Records that a session file holds twice.

use alloc::collections::BTreeSet;

use super::findings::Findings;
use super::names::REPLAYED_RECORD;
use super::sent::Sent;
use crate::raw::{Lines, Node};

/// Lines that form a tree by `uuid` and `parentUuid`, or by `id` and `parentId`, have each id once. A tool that writes
/// again what it has read doubles the file at every compaction.
pub(super) fn replayed_records(sent: &Sent<'_>, found: &mut Findings) {
    if !sent.is_lines || !(sent.text.contains("parentUuid") || sent.text.contains("parentId")) {
        return;
    }
    let mut ids = BTreeSet::new();
    let lines = Lines::new(sent.text, 0).filter(|line| !line.is_filler());
    for (record, line) in lines.enumerate() {
        let Ok(Some(object)) = line.object() else { continue };
        let own = |id: &str, parent: &str| object.get(id).filter(|_| object.has(parent));
        let id = own("uuid", "parentUuid").or_else(|| own("id", "parentId"));
        if id.as_ref().map(Node::text).is_some_and(|id| !ids.insert(id)) {
            found.broken_at(REPLAYED_RECORD, record, line.span.start);
        }
    }
}
