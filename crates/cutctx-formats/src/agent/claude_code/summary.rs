//! Summaries as new records.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::Role;

use super::index::Index;
use super::record::Kind;
use crate::error::FormatError;
use crate::raw::{Object, quoted};
use crate::shapes::{fresh_id, uuid};
use crate::view::View;

/// The fields of the first line that a summary stands for which its own line repeats.
const REPEATED: [&str; 11] = [
    r#""isSidechain""#,
    r#""userType""#,
    r#""entrypoint""#,
    r#""cwd""#,
    r#""sessionId""#,
    r#""version""#,
    r#""gitBranch""#,
    r#""slug""#,
    r#""agentId""#,
    r#""promptId""#,
    r#""timestamp""#,
];

/// A summary's record.
#[derive(Debug)]
pub(super) struct Added {
    /// The line of the branch before which it goes; none for the end.
    pub(super) before: Option<usize>,
    /// Its id as a JSON string.
    pub(super) uuid: String,
    /// The fields after `parentUuid`.
    fields: String,
}

impl Added {
    /// The record as a line, following the record with this id (JSON text).
    pub(super) fn line(&self, parent: &str) -> String {
        [r#"{"parentUuid":"#, parent, ",", &self.fields, "}\n"].concat()
    }
}

/// The records of all groups. A blank summary has none.
pub(super) fn records(index: &Index, view: &View<'_>) -> Result<Vec<Added>, FormatError> {
    let groups = view.groups();
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let text = view.text();
    let taken: BTreeSet<&str> = index.records.iter().map(|record| record.uuid().of(text)).collect();
    let mut made = BTreeSet::new();
    let mut added = Vec::with_capacity(groups.len());
    for (turn, group) in groups {
        let summary = view.summary(group)?;
        let Some(entry) = index.entry_of(turn).filter(|_| !summary.trim().is_empty()) else { continue };
        let uuid = fresh_uuid(group, &taken, &mut made);
        let line = index.entries.get(entry).and_then(|entry| entry.lines.first());
        let line =
            line.and_then(|line| index.record(line.record)).map(|record| record.line).unwrap_or_default();
        let said = [r#""content":"#, &quoted(summary), r#"},"isMeta":true"#].concat();
        let fields = fields(&view.original(line)?, &said, &uuid);
        added.push(Added { before: place(index, view, turn, entry), uuid, fields });
    }
    Ok(added)
}

/// The first line of the branch at or after a message. A call that stays and its results are not parted.
fn place(index: &Index, view: &View<'_>, turn: usize, entry: usize) -> Option<usize> {
    let from = caller(index, view, turn, entry).unwrap_or(entry);
    index.entries.iter().skip(from).find_map(|entry| {
        entry.lines.iter().map(|line| line.record).find(|record| index.tree.is_on_chain(*record))
    })
}

/// The message that stays and whose call a turn answers: it is the assistant's last one before, as results follow
/// their call at once.
fn caller(index: &Index, view: &View<'_>, turn: usize, entry: usize) -> Option<usize> {
    let answer = view.turn(turn).filter(|turn| turn.role() == Role::Tool)?;
    let exchange = answer.tool_call_id()?;
    let calls = |turn: usize| {
        view.turn(turn).is_some_and(|turn| turn.tool_call_id() == Some(exchange)) && !view.is_gone(turn)
    };
    let before = index.entries.get(..entry)?;
    let caller = before.iter().rposition(|entry| entry.kind == Kind::Assistant)?;
    before.get(caller)?.turns.clone().any(calls).then_some(caller)
}

/// The record of results that these blocks are, beside this line and before that one.
pub(super) fn results(
    (name, blocks): (&str, &[String]),
    line: &str,
    before: Option<usize>,
    (taken, made): (&BTreeSet<&str>, &mut BTreeSet<String>),
) -> Added {
    let uuid = fresh_uuid(name, taken, made);
    let said = [r#""content":["#, &blocks.join(","), "]}"].concat();
    let fields = fields(line, &said, &uuid);
    Added { before, uuid, fields }
}

/// An id in the form of a UUID, made from the group's id, that no record of the file and no other summary has.
fn fresh_uuid(group: &str, taken: &BTreeSet<&str>, made: &mut BTreeSet<String>) -> String {
    let is_taken = |id: &str| {
        let id = quoted(id);
        taken.contains(id.as_str()) || made.contains(&id)
    };
    let uuid = quoted(&fresh_id(group, uuid, is_taken));
    made.insert(uuid.clone());
    uuid
}

/// The fields of a user line beside this one, from the content of its message on.
fn fields(line: &str, said: &str, uuid: &str) -> String {
    let object = Object::parse(line, 0).unwrap_or_default();
    let repeated = object.members().iter().filter(|member| REPEATED.contains(&member.key.text()));
    let mut fields: Vec<String> =
        repeated.map(|member| [member.key.text(), ":", member.value.text()].concat()).collect();
    fields.push(String::from(r#""type":"user""#));
    fields.push([r#""message":{"role":"user","#, said].concat());
    fields.push([r#""uuid":"#, uuid].concat());
    fields.join(",")
}
