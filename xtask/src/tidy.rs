//! `cargo xtask tidy`: house rules that no other tool checks.
//!
//! Each rule is a function from one file to complaints, with a failing example in its tests: [`text`] (spaces, open
//! ends, words), [`source`] (what a Rust file looks like), [`door`] (no unchecked `Deserialize`), [`manifest`] (what
//! members inherit), [`links`] (documents point at files and headings that exist). Everything is read as text, so that
//! the check takes a moment and needs no parser.

mod door;
mod files;
mod links;
mod manifest;
mod source;
mod text;

use std::fmt;
use std::path::Path;

use crate::verdict::Verdict;
use crate::workspace::Workspace;
use files::File;

/// One thing that is not as it should be.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    file: String,
    line: usize,
    what: String,
}

impl Complaint {
    /// A complaint about line `line` (counted from 1) of the file.
    fn new(file: &File, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.path.clone(), line, what: what.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The rules that look at one file alone.
const RULES: &[fn(&File) -> Vec<Complaint>] = &[
    text::spaces,
    text::open_ends,
    text::words,
    source::opening,
    source::name,
    source::size,
    door::unchecked,
    manifest::inheritance,
];

/// Reads the whole checkout and prints what is not tidy.
pub(crate) fn run(workspace: &Workspace) -> Verdict {
    match complaints(workspace.root()) {
        Ok(complaints) => Verdict::from_complaints(&complaints),
        Err(error) => Verdict::Failed(format!("the files could not be read: {error}")),
    }
}

/// All complaints about the files below `root`, in the order of their paths.
fn complaints(root: &Path) -> std::io::Result<Vec<Complaint>> {
    let files = files::below(root)?;
    let alone = files.iter().flat_map(|file| RULES.iter().flat_map(|rule| rule(file)));
    let linked = files.iter().flat_map(|file| links::dead(file, &|path| root.join(path).exists()));
    let headings = files.iter().flat_map(|file| links::without_heading(file, &files));
    Ok(alone.chain(linked).chain(headings).chain(manifest::without_reason(&files)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let found = complaints(Workspace::here().root()).unwrap();
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(lines, Vec::<String>::new());
    }

    #[test]
    fn a_complaint_says_file_and_line() {
        let file = File::new("docs/a.md", "text");
        assert_eq!(Complaint::new(&file, 3, "is wrong").to_string(), "docs/a.md:3: is wrong");
    }
}
