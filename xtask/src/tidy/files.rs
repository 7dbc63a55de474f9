//! The files of a checkout.

use std::fs;
use std::io;
use std::path::Path;

/// Folders that are not the checkout's own text.
const NOT_OURS: [&str; 2] = [".git", "target"];

/// One file as text; bytes that are no UTF-8 are replaced.
pub(super) struct File {
    /// The path from the root, with `/` between its parts.
    pub(super) path: String,
    /// The whole content.
    pub(super) text: String,
}

impl File {
    /// A file by hand.
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// Whether the path ends in one of these endings, given without the dot.
    pub(super) fn ends_in(&self, endings: &[&str]) -> bool {
        let ending = Path::new(&self.path).extension();
        ending.is_some_and(|ending| endings.iter().any(|known| ending == *known))
    }

    /// The lines, counted from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}

/// Every file below `root` in the order of the paths, without build output and Git's own.
///
/// # Errors
///
/// Whatever reading a folder or a file gives.
pub(super) fn below(root: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    collect(root, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !NOT_OURS.contains(&name.as_str()) {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path())?;
            files.push(File::new(path, String::from_utf8_lossy(&bytes)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_output_is_not_looked_at() {
        let root = crate::workspace::Workspace::here();
        let files = below(root.root()).unwrap();
        assert!(files.iter().any(|file| file.path == "Cargo.toml"));
        assert!(files.iter().all(|file| !file.path.starts_with("target/")));
    }

    #[test]
    fn an_ending_is_compared_whole() {
        assert!(File::new("a/b.rs", "").ends_in(&["rs"]));
        assert!(!File::new("a/brs", "").ends_in(&["rs"]));
    }
}
