//! The files that are damaged: our own examples, and some of an optional folder of test data.

use std::path::{Path, PathBuf};

/// Larger files are left out: the damage is the same, and the time is not.
const LARGEST: u64 = 64 * 1024;

#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All sessions among our own examples.
pub(crate) fn examples() -> Vec<File> {
    let folder = here().join("examples");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no examples beside the crate; the test runs in the workspace");
    }
    read(&folder, &sorted(&folder).into_iter().filter(|path| path.is_file()).collect::<Vec<_>>())
}

/// Up to `most` small files of each folder of the test data.
pub(crate) fn corpus(most: usize) -> Vec<File> {
    let shared = std::env::var_os("CUTCTX_SHARED").map_or_else(|| here().join("../shared"), PathBuf::from);
    let folder = shared.join("corpus");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no test data at {} (set CUTCTX_SHARED)", folder.display());
        return Vec::new();
    }
    let mut files = Vec::new();
    for kind in sorted(&folder).into_iter().filter(|path| path.is_dir()) {
        let small = sorted(&kind).into_iter().filter(|path| is_small(path)).take(most).collect::<Vec<_>>();
        files.extend(read(&folder, &small));
    }
    files
}

fn is_small(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.len() <= LARGEST)
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(folder: &Path, paths: &[PathBuf]) -> Vec<File> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    paths.iter().map(|path| File { name: name(path), bytes: std::fs::read(path).unwrap() }).collect()
}
