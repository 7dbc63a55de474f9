//! The laws on real sessions, from an optional folder of test data.

use std::path::PathBuf;

use cutctx_formats::{Document, Session, detect};
use cutctx_types::CharRatioEstimator;

use super::laws;

fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from);
    let folder = root.join("corpus/claude-code");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no test data at {}; set CUTCTX_SHARED to run this test", folder.display());
    None
}

pub(crate) fn files(ending: &str) -> Vec<(String, String)> {
    let Some(folder) = folder() else { return Vec::new() };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn the_laws_hold_for_every_session_of_the_test_data() {
    for (name, file) in files(".jsonl") {
        eprintln!("{name}");
        laws::hold(&file);
    }
}

#[test]
fn the_settings_of_a_sub_agent_are_no_session() {
    for (name, file) in files(".meta.json") {
        assert!(detect(&Document::parse(&file).unwrap()).is_err(), "{name}");
        let error = Session::read(file, &CharRatioEstimator::default()).unwrap_err();
        assert!(error.to_string().starts_with("line 1: this is no session"), "{error}");
    }
}
