//! What a session holds beside tokens, for people.

use super::contents::{CallLine, Contents, GroupLine, MarkerLine, ViolationLine};
use crate::show::{Column, ShortIds, grouped, share, table, visible};
use alloc::collections::BTreeSet;

/// How many lines there are of one sort before the rest is only counted.
const MOST_LINES: usize = 10;

/// How many groups of ballast are listed.
const MOST_GROUPS: usize = 8;

/// Sentences about what is the matter with a session.
pub(super) fn remarks(contents: &Contents<'_>, ids: &ShortIds<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if contents.conversations > 1 {
        let number = contents.conversation.unwrap_or_default();
        let count = grouped(contents.conversations);
        lines.push(format!("conversation {number} (from 0) of {count} in the file"));
    }
    lines.extend(some_of(&contents.markers, |marker| marker_line(marker, ids)));
    lines.extend(some_of(&contents.open_calls, |call| call_line(call, ids)));
    let mut told = BTreeSet::new();
    lines.extend(some_of(&contents.violations, |violation| violation_line(violation, &mut told)));
    lines
}

fn some_of<T>(all: &[T], line: impl FnMut(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = all.iter().take(MOST_LINES).map(line).collect();
    let left = all.len().saturating_sub(MOST_LINES);
    if left > 0 {
        lines.push(format!("  and {} more of these", grouped(left)));
    }
    lines
}

fn marker_line(marker: &MarkerLine<'_>, ids: &ShortIds<'_>) -> String {
    let summary = match marker.turn_id {
        Some(id) => format!("its summary is turn {}", visible(ids.short(id))),
        None => "no turn is told apart as its summary".to_owned(),
    };
    format!("compacted before, at line {}: {summary}", grouped(marker.line))
}

fn call_line(call: &CallLine<'_>, ids: &ShortIds<'_>) -> String {
    let state = match call.state {
        "in_flight" => "in flight",
        "awaiting_person" => "waits for a person",
        "provisional" => "at work, its result is not final",
        "aborted" => "was stopped",
        "dangling" => "never answered",
        _ => "open",
    };
    let tool = if call.tool_name.is_empty() { "a tool".into() } else { visible(&call.tool_name) };
    format!("open call of {tool} in turn {}: {state}", visible(ids.short(call.turn_id)))
}

fn violation_line(violation: &ViolationLine, told: &mut BTreeSet<String>) -> String {
    let ViolationLine { rule, line, says, remedy, .. } = violation;
    let breach = format!("the provider would refuse it, line {}: {rule}: {says}", grouped(*line));
    if told.insert(rule.clone()) { format!("{breach}\n  remedy: {remedy}") } else { breach }
}

/// Where the bytes of the file are.
pub(super) fn file_table(contents: &Contents<'_>, file_bytes: usize, width: u16) -> String {
    let columns =
        [Column::Text("in the file"), Column::Number("count"), Column::Number("bytes"), Column::Number("%")];
    let whole = wide(file_bytes);
    let row = |what: &str, count: String, bytes: usize| {
        vec![what.to_owned(), count, grouped(bytes), share(wide(bytes), whole).to_string()]
    };
    let ballast = &contents.ballast;
    let mut rows = vec![
        row("what turns say", String::new(), ballast.said_bytes),
        row("structure around it", String::new(), ballast.structure_bytes),
    ];
    for group in ballast.groups.iter().take(MOST_GROUPS) {
        rows.push(row(&label(group), grouped(group.count), group.bytes));
    }
    let left = ballast.groups.get(MOST_GROUPS..).unwrap_or_default();
    if !left.is_empty() {
        let count = left.iter().map(|group| group.count).fold(0, usize::saturating_add);
        let bytes = left.iter().map(|group| group.bytes).fold(0, usize::saturating_add);
        rows.push(row("other ballast", grouped(count), bytes));
    }
    table(width, &columns, rows)
}

fn label(group: &GroupLine) -> String {
    if group.whole_records { format!("{} (no turn)", group.what) } else { group.what.clone() }
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// What the tokens are of.
pub(super) fn kind_table(contents: &Contents<'_>, tokens: u64, width: u16) -> String {
    let columns = [
        Column::Text("kind"),
        Column::Number("turns"),
        Column::Number("parts"),
        Column::Number("tokens"),
        Column::Number("%"),
    ];
    let rows = contents.by_kind.iter().map(|kind| {
        let share = share(kind.tokens, tokens).to_string();
        let name = kind.name.replace('_', " ");
        vec![name, grouped(kind.turns), grouped(kind.parts), grouped(kind.tokens), share]
    });
    table(width, &columns, rows)
}
