//! What a call does to a file: reads it, all of it or a part, or writes it.

mod shell;
mod tools;

pub(crate) use tools::{ToolTable, Trade};

use crate::calls::Call;
use crate::json::{Value, members};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// What a call does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    /// The file, as the call names it.
    pub(crate) path: String,
    pub(crate) kind: AccessKind,
}

/// Whether a file is read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// All of it is read.
    ReadAll,
    /// A part of it is read: the one that these settings of the call name.
    ReadPart(String),
    /// It is written, all or in part.
    Write,
}

/// The names under which calls tell the file, the most telling first.
const PATHS: [&str; 14] = [
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "AbsolutePath",
    "notebook_path",
    "target_file",
    "TargetFile",
    "relative_workspace_path",
    "relative_path",
    "filename",
    "file_name",
    "fileName",
    "file",
];

/// The names under which calls tell the part of a file.
const PARTS: [&str; 23] = [
    "offset",
    "limit",
    "view_range",
    "line_range",
    "range",
    "pages",
    "start",
    "end",
    "line_number",
    "line_offset",
    "n_lines",
    "start_line",
    "end_line",
    "startLine",
    "endLine",
    "StartLine",
    "EndLine",
    "line_start",
    "line_end",
    "start_line_one_indexed",
    "end_line_one_indexed_inclusive",
    "head",
    "tail",
];

/// What a call does to a file, by the trade of its tool; `None` for other tools, and where no one file is told.
pub(crate) fn access_of(call: &Call<'_>, tools: &ToolTable) -> Option<Access> {
    let trade = tools.trade_of(call.tool)?;
    let Some(members) = members(call.arguments) else { return spoken(call, trade) };
    match trade {
        Trade::Shell => shell::access_of(&command(&members)?),
        Trade::Read => Some(Access { path: path(&members)?, kind: read(&members) }),
        Trade::Write => {
            let path = path(&members).or_else(|| patched(&members))?;
            Some(Access { path, kind: AccessKind::Write })
        }
        Trade::Editor => {
            let Value::Text(deed) = value_of(&members, "command")? else { return None };
            let kind = if deed == "view" { read(&members) } else { AccessKind::Write };
            Some(Access { path: path(&members)?, kind })
        }
    }
}

/// A call whose arguments are no object: a command line, a patch, or `open FILE LINE`.
fn spoken(call: &Call<'_>, trade: Trade) -> Option<Access> {
    match trade {
        Trade::Shell => shell::access_of(call.arguments),
        Trade::Write => {
            let is_patch = call.arguments.contains("*** ") || call.arguments.contains("+++ ");
            let path =
                if is_patch { path_in_patch(call.arguments) } else { shell::argument(call.arguments) }?;
            Some(Access { path, kind: AccessKind::Write })
        }
        Trade::Read => shell::opened(call.arguments),
        Trade::Editor => None,
    }
}

type Members<'t> = [(Cow<'t, str>, Value<'t>)];

fn value_of<'m, 't>(members: &'m Members<'t>, key: &str) -> Option<&'m Value<'t>> {
    members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn path(members: &Members<'_>) -> Option<String> {
    PATHS.iter().find_map(|key| match value_of(members, key)? {
        Value::Text(path) if !path.is_empty() => Some(normal(path)),
        Value::Text(_) | Value::List(_) | Value::Other(_) | Value::Nested => None,
    })
}

/// The same file may be named with or without a step that leads nowhere.
fn normal(path: &str) -> String {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    String::from(path)
}

/// What is read: the settings that name a part, in their own order.
fn read(members: &Members<'_>) -> AccessKind {
    let mut part = String::new();
    for key in PARTS {
        let told: Vec<&str> = match value_of(members, key) {
            Some(Value::Text(text)) => alloc::vec![text],
            Some(Value::Other(text)) if *text != "null" => alloc::vec![text],
            Some(Value::List(items)) => items.iter().map(AsRef::as_ref).collect(),
            Some(Value::Other(_) | Value::Nested) | None => continue,
        };
        part.extend([" ", key, "=", &told.join(",")]);
    }
    if part.is_empty() { AccessKind::ReadAll } else { AccessKind::ReadPart(part) }
}

/// The command line of a call, which some tools take as a list.
fn command<'m>(members: &'m Members<'_>) -> Option<Cow<'m, str>> {
    let keys = ["command", "cmd", "CommandLine", "commandLine", "script", "input"];
    keys.iter().find_map(|key| match value_of(members, key)? {
        Value::Text(command) => Some(Cow::Borrowed(command.as_ref())),
        Value::List(words) => match words.as_slice() {
            [_, flag, command] if flag.starts_with('-') && flag.ends_with('c') => {
                Some(Cow::Borrowed(command.as_ref()))
            }
            words => Some(Cow::Owned(words.join(" "))),
        },
        Value::Other(_) | Value::Nested => None,
    })
}

/// The file that a patch among the arguments is for.
fn patched(members: &Members<'_>) -> Option<String> {
    members.iter().find_map(|(_, value)| match value {
        Value::Text(text) => path_in_patch(text),
        Value::List(_) | Value::Other(_) | Value::Nested => None,
    })
}

/// The file that a patch is for, if it is for one alone.
fn path_in_patch(text: &str) -> Option<String> {
    let heads = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/"];
    let mut files = text.lines().filter_map(|line| heads.iter().find_map(|head| line.strip_prefix(head)));
    let only = files.next()?;
    files.next().is_none().then(|| normal(only.trim()))
}

#[cfg(test)]
mod tests;
