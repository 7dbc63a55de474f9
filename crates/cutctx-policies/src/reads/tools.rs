//! Which tools read and write files, by name.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;

/// What a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trade {
    /// It reads a file.
    Read,
    /// It writes a file, all or in part.
    Write,
    /// It does both, as its `command` says.
    Editor,
    /// It runs a command line.
    Shell,
}

/// The tools of agents that are in wide use.
const KNOWN: [(Trade, &[&str]); 4] = [
    (
        Trade::Read,
        &[
            "Read",
            "read",
            "view",
            "View",
            "NotebookRead",
            "read_file",
            "ReadFile",
            "readFile",
            "read_files",
            "read_text_file",
            "view_file",
            "ViewFile",
            "open_file",
            "open",
            "get_file",
            "get_file_contents",
            "fs_read",
            "cat_file",
            "file_read",
            "read_notebook",
        ],
    ),
    (
        Trade::Write,
        &[
            "Write",
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "write",
            "edit",
            "multiedit",
            "patch",
            "apply_patch",
            "write_file",
            "WriteFile",
            "writeFile",
            "StrReplaceFile",
            "write_to_file",
            "replace",
            "replace_in_file",
            "edit_file",
            "create_file",
            "insert_content",
            "apply_diff",
            "search_replace",
            "search_and_replace",
            "replace_file_content",
            "multi_replace_file_content",
            "fs_write",
            "file_write",
            "create",
            "insert",
            "edit_notebook",
            "delete_file",
        ],
    ),
    (
        Trade::Editor,
        &[
            "str_replace_editor",
            "str_replace_based_edit_tool",
            "str_replace_editor_tool",
            "file_editor",
            "text_editor",
            "edit_anthropic",
        ],
    ),
    (
        Trade::Shell,
        &[
            "Bash",
            "bash",
            "shell",
            "Shell",
            "sh",
            "exec_command",
            "shell_command",
            "local_shell",
            "container.exec",
            "run_shell_command",
            "run_command",
            "execute_bash",
            "execute_command",
            "terminal",
            "run_terminal_cmd",
            "run_in_terminal",
            "cat",
            "sed",
            "head",
            "tail",
        ],
    ),
];

/// Tools by name: those of agents in wide use, and the user's own.
#[derive(Debug, Clone)]
pub(crate) struct ToolTable {
    own: BTreeMap<Arc<str>, Trade>,
}

impl ToolTable {
    pub(crate) const fn new() -> Self {
        Self { own: BTreeMap::new() }
    }

    /// Adds tools of a trade; the user's word holds against the table's.
    pub(crate) fn add(&mut self, trade: Trade, names: impl IntoIterator<Item = Arc<str>>) {
        self.own.extend(names.into_iter().map(|name| (name, trade)));
    }

    pub(crate) fn trade_of(&self, tool: &str) -> Option<Trade> {
        let known = || KNOWN.iter().find(|(_, names)| names.contains(&tool)).map(|(trade, _)| *trade);
        self.own.get(tool).copied().or_else(known)
    }
}
