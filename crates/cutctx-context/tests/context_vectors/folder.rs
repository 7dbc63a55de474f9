//! Where cases come from.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Our wording where the vectors have a placeholder for the reference's.
const WORDING: [(&str, &str); 3] = [
    (
        "{{NOTE_TOOL}}",
        "The files that came with this earlier tool result have been left out of this request.",
    ),
    ("{{NOTE_FILE}}", "The files of this earlier message have been left out of this, a later request."),
    ("{{PEER_MARKER}}", "[what another participant said here is kept in full elsewhere and not summarized]"),
];

#[test]
fn the_wording_is_as_long_as_that_of_the_reference() {
    let lengths: Vec<usize> = WORDING.iter().map(|(_, text)| text.chars().count()).collect();
    assert_eq!(lengths, [85, 78, 81]);
}

/// The cases that are committed.
pub(crate) fn committed() -> Vec<Value> {
    cases_of(include_str!("cases.jsonl"))
}

/// All cases, where the folder of test data is there.
pub(crate) fn all() -> Option<Vec<Value>> {
    let folder = folder();
    if !folder.is_dir() {
        println!("SKIPPED: no vectors in {}; set CUTCTX_SHARED to the folder of test data", folder.display());
        return None;
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let cases = files.iter().flat_map(|file| {
        let text = worded(&fs::read_to_string(file).unwrap());
        serde_json::from_str::<Vec<Value>>(&text).unwrap()
    });
    Some(cases.collect())
}

/// The folder of the vectors.
pub(crate) fn folder() -> PathBuf {
    if let Some(named) = env::var_os("CUTCTX_VECTORS") {
        return named.into();
    }
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("vectors/context")
}

fn cases_of(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(&worded(line)).unwrap()).collect()
}

/// The text with our wording and our progress keys.
fn worded(text: &str) -> String {
    let mut text = text.to_owned();
    for (placeholder, wording) in WORDING {
        text = text.replace(placeholder, wording);
    }
    let pieces: Vec<&str> = text.split("<digest-key max=").collect();
    let (first, keys) = pieces.split_first().unwrap();
    let keys = keys.iter().map(|piece| {
        let (limit, rest) = piece.split_once('>').unwrap();
        format!("transcript-digest:v2:cutctx:max-summary-chars={limit}{rest}")
    });
    core::iter::once((*first).to_owned()).chain(keys).collect()
}
