//! Real sessions, from an optional folder of test data, and the examples.

use std::path::{Path, PathBuf};

use super::same::check;

fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no test data at {}; set CUTCTX_SHARED to run this test", folder.display());
    None
}

fn files_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files_in(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(entry);
        }
    }
}

/// How many of these files were held in part only, when no more than a share of each may be small.
fn held_in_part(files: &[PathBuf]) -> usize {
    files
        .iter()
        .filter(|file| {
            let content = std::fs::read(file).unwrap();
            eprintln!("{}: {} bytes", file.display(), content.len());
            let small = content.len() / 2;
            check(&content, small, &[1, 2, 3])
        })
        .count()
}

#[test]
fn every_file_of_lines_of_the_test_data_is_the_same_both_ways() {
    let Some(folder) = folder() else { return };
    let mut files = Vec::new();
    files_in(&folder, &mut files);
    assert!(held_in_part(&files) > 20);
}

#[test]
fn every_example_is_the_same_both_ways() {
    let mut files = Vec::new();
    files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut files);
    assert!(held_in_part(&files) > 0);
}
