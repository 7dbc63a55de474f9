//! Which files there are, and which project each belongs to.

use crate::failure::Failure;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How deep folders are gone into.
const DEEPEST: usize = 16;

/// A file that may be a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionFile {
    pub(crate) path: PathBuf,
    /// What the file's name begins with before its last `__`, or else the name of its folder.
    pub(crate) project: String,
    /// Whether somebody named the file itself. One that was only found in a folder need not be a session.
    pub(crate) is_named: bool,
}

impl SessionFile {
    fn new(path: PathBuf, is_named: bool) -> Self {
        let project = project(&path);
        Self { path, project, is_named }
    }
}

/// The files of a command line: those that are named, and those in the folders that are named, by path.
pub(super) fn list(named: &[PathBuf]) -> Result<Vec<SessionFile>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let mut inside = Vec::new();
            walk(path, DEEPEST, &mut inside).map_err(|error| Failure::io("read", path, &error))?;
            inside.sort();
            files.extend(inside.into_iter().map(|path| SessionFile::new(path, false)));
        } else {
            files.push(SessionFile::new(path.clone(), true));
        }
    }
    Ok(files)
}

/// Adds the files of a folder. Links to folders are not followed and hidden files are left out.
fn walk(folder: &Path, levels: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        match levels.checked_sub(1) {
            Some(below) if kind.is_dir() => walk(&path, below, files)?,
            _ if !kind.is_dir() && path.is_file() => files.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn project(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder =
        || path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    name.rsplit_once("__").map_or_else(folder, |(project, _)| project.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_in_the_name_of_the_file_or_of_its_folder() {
        for (path, expected) in [
            ("a/pump__one.jsonl", "pump"),
            ("a/pump__hall__two.jsonl", "pump__hall"),
            ("a/hall/one.jsonl", "hall"),
            ("one.jsonl", ""),
        ] {
            assert_eq!(project(Path::new(path)), expected);
        }
    }

    #[test]
    fn folders_are_gone_into_and_hidden_files_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        for name in ["c.json", "b/a.json", ".hidden"] {
            fs::write(folder.path().join(name), "{}").unwrap();
        }
        let found = list(&[folder.path().to_owned(), PathBuf::from("named.json")]).unwrap();
        let named: Vec<(String, bool)> = found
            .iter()
            .map(|file| (file.path.file_name().unwrap().to_string_lossy().into_owned(), file.is_named))
            .collect();
        let expected = [("a.json", false), ("c.json", false), ("named.json", true)];
        assert_eq!(named, expected.map(|(name, is_named)| (name.to_owned(), is_named)));
    }
}
