//! Every file of an optional folder of test data.

use std::path::{Path, PathBuf};

use cutctx_formats::Session;
use cutctx_types::{CharRatioEstimator, Role};

use crate::laws::check_laws;

/// The files in a folder of the test data, or a loud note that there is none.
fn files(folder: &str) -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("corpus").join(folder);
    if !folder.is_dir() {
        eprintln!("SKIPPED: no test data at {} (set CUTCTX_SHARED)", folder.display());
        return Vec::new();
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// All files of a folder are of a format and keep the laws. How many turns and results they have together.
fn all_keep_the_laws(folder: &str, format: &str) -> (usize, usize, usize) {
    let mut found = (0, 0, 0);
    for path in files(folder) {
        let name = path.display().to_string();
        let session = Session::read(std::fs::read(&path).unwrap(), &CharRatioEstimator::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(session.format().name(), format, "{name}");
        let turns = session.transcript().turns();
        let results = turns.iter().filter(|turn| turn.role() == Role::Tool);
        assert!(results.clone().all(|turn| turn.tool_call_id().is_some()), "{name}: a result without a call");
        found = (found.0 + 1, found.1 + turns.len(), found.2 + results.count());
        check_laws(&session, 0..40, &name);
    }
    found
}

#[test]
fn every_bedrock_file_is_read_and_keeps_the_laws() {
    let found = all_keep_the_laws("bedrock-converse", "bedrock-converse");
    assert!(found == (12, 52, 13) || found.0 == 0, "{found:?}");
}

#[test]
fn every_gemini_file_is_read_and_keeps_the_laws() {
    let found = all_keep_the_laws("gemini-contents", "gemini-contents");
    assert!(found == (12, 95, 36) || found.0 == 0, "{found:?}");
}
