//! Session files: the examples, and those of an optional folder.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The examples of the repository.
pub(crate) fn examples() -> Vec<PathBuf> {
    let mut files = folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"));
    files.retain(|path| path.is_file());
    files
}

/// The files of the optional folder that have no more bytes than this; none where it is not there.
pub(crate) fn corpus(most_bytes: u64) -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let corpus = env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    let mut files: Vec<PathBuf> = folder(&corpus).iter().flat_map(|format| folder(format)).collect();
    files.retain(|file| fs::metadata(file).is_ok_and(|about| about.is_file() && about.len() <= most_bytes));
    files
}

fn folder(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The name of a file, with that of its folder.
pub(crate) fn name_of(file: &Path) -> String {
    let mut names = file.iter().rev().take(2).map(|name| name.to_string_lossy()).collect::<Vec<_>>();
    names.reverse();
    names.join("/")
}
