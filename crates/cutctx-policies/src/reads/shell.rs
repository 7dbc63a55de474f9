//! Command lines that read or write one file.

use super::{Access, AccessKind, normal};
use alloc::string::String;
use alloc::vec::Vec;

/// Commands that show the file that they name, all of it when nothing else is said.
const SHOWS: [&str; 12] =
    ["cat", "nl", "sed", "head", "tail", "bat", "less", "more", "type", "Get-Content", "gc", "awk"];

/// What a command line does to the one file that it is about; `None` where it is about another thing, or about more
/// than one.
///
/// `cd DIR && …` in front tells where the file stands. `sed -n 1,80p FILE`, `head -50 FILE` and `nl FILE | sed …` read a
/// part: the whole command without the file's name tells which.
pub(super) fn access_of(command: &str) -> Option<Access> {
    let (folder, command) = without_folder(command.trim());
    if let Some(path) = written(command) {
        return Some(Access { path: within(folder, &path), kind: AccessKind::Write });
    }
    if command.contains(['\n', ';', '&', '>', '<', '`', '$']) {
        return None;
    }
    let words: Vec<&str> = command.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    if !SHOWS.contains(first) {
        return None;
    }
    let own: Vec<&str> = rest.iter().copied().take_while(|word| *word != "|").collect();
    let file = only_file(first, &own)?;
    let others = rest.iter().filter(|word| **word != file && !is_numbering(word));
    let part: Vec<&str> = others.copied().collect();
    let is_all = part.is_empty() && !matches!(*first, "head" | "tail" | "sed" | "awk");
    let kind = if is_all {
        AccessKind::ReadAll
    } else {
        AccessKind::ReadPart([&[*first], part.as_slice()].concat().join(" "))
    };
    Some(Access { path: within(folder, unquoted(file)), kind })
}

/// What `open FILE LINE` reads, as agents say it whose tools are commands.
pub(super) fn opened(command: &str) -> Option<Access> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let (path, part) = match words.as_slice() {
        ["open", path] => (path, None),
        ["open", path, line] => (path, Some(*line)),
        _ => return None,
    };
    let kind = part.map_or(AccessKind::ReadAll, |line| AccessKind::ReadPart(String::from(line)));
    Some(Access { path: normal(unquoted(path)), kind })
}

/// The first argument of a command line.
pub(super) fn argument(command: &str) -> Option<String> {
    command.split_whitespace().nth(1).map(|word| normal(unquoted(word)))
}

/// The folder that a command line goes to first, and what it does there.
fn without_folder(command: &str) -> (Option<&str>, &str) {
    let gone = command.strip_prefix("cd ").and_then(|rest| rest.split_once("&&"));
    gone.map_or((None, command), |(folder, rest)| (Some(unquoted(folder.trim())), rest.trim()))
}

/// The file that a command line writes: `cat > FILE`, `sed -i … FILE`, `tee FILE`.
fn written(command: &str) -> Option<String> {
    let line = command.lines().next()?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.first()?;
    if *first == "sed" && words.iter().any(|word| word.starts_with("-i")) {
        return words.last().map(|word| String::from(unquoted(word)));
    }
    if !matches!(*first, "cat" | "echo" | "printf" | "tee") {
        return None;
    }
    let mut words = words.iter().skip_while(|word| !matches!(**word, ">" | ">>" | "tee"));
    words.next()?;
    words.next().filter(|word| !word.starts_with('-')).map(|word| String::from(unquoted(word)))
}

/// The only word that can be a file's name.
fn only_file<'w>(command: &str, words: &[&'w str]) -> Option<&'w str> {
    let is_script = |index: usize, word: &str| {
        matches!(command, "sed" | "awk")
            && index == words.iter().position(|word| !word.starts_with('-')).unwrap_or(0)
            && !word.starts_with('-')
    };
    let mut files = words.iter().enumerate().filter(|(index, word)| {
        !word.starts_with('-') && !word.bytes().all(|byte| byte.is_ascii_digit()) && !is_script(*index, word)
    });
    let (_, only) = files.next()?;
    files.next().is_none().then_some(only)
}

/// Numbers in front of lines leave out nothing.
fn is_numbering(word: &str) -> bool {
    matches!(word, "-n" | "-ba" | "-b" | "--number")
}

fn unquoted(word: &str) -> &str {
    let quoted = |quote: char| word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote));
    quoted('"').or_else(|| quoted('\'')).unwrap_or(word)
}

fn within(folder: Option<&str>, path: &str) -> String {
    let path = normal(path);
    match folder {
        Some(folder) if !path.starts_with('/') => [folder.trim_end_matches('/'), "/", &path].concat(),
        _ => path,
    }
}
