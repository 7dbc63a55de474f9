//! Session files that others have written, through the command. They are in an optional folder of test data
//! (`CUTCTX_SHARED`, by default `../shared` beside the checkout).

use crate::sandbox::Sandbox;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose files the command reads.
const FOLDERS: [&str; 3] = ["claude-code", "openai-chat", "anthropic-messages"];

fn files() -> Option<Vec<PathBuf>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let corpus = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    let mut files = Vec::new();
    for folder in FOLDERS {
        files.extend(fs::read_dir(corpus.join(folder)).ok()?.map(|entry| entry.unwrap().path()));
    }
    files.sort();
    Some(files)
}

#[test]
fn sessions_of_others_are_brought_to_their_floor_and_stay_valid() {
    let Some(files) = files() else {
        eprintln!("SKIPPED: no corpus; set CUTCTX_SHARED to a folder of test data");
        return;
    };
    let sessions = files.iter().filter(|file| brought_to_its_floor(file)).count();
    eprintln!("{sessions} of {} files of the corpus compacted to their floor", files.len());
    assert!(sessions > 60);
}

/// Compacts a file as far as its floor allows. `false` where it is no session that can be compacted.
fn brought_to_its_floor(file: &Path) -> bool {
    let sandbox = Sandbox::new();
    sandbox.write("session", &fs::read(file).unwrap());
    let before = sandbox.run("inspect session --json");
    if before.code == 6 {
        return false;
    }
    let before = before.exits(0).json();
    let refused = sandbox
        .run("compact session --max-tokens 0 --policy mask-then-drop --protect-turns 1 --json -o none");
    if refused.code == 0 {
        return false;
    }
    let floor = refused.exits(4).error()["floor"].clone();
    let least: u64 = floor.as_object().unwrap().values().map(|tokens| tokens.as_u64().unwrap()).sum();
    let line = format!(
        "compact session --max-tokens {least} --policy mask-then-drop --protect-turns 1 --json -o out"
    );
    let said = sandbox.run(&line).exits(0).json();
    let after = sandbox.run("inspect out --json").exits(0).json();
    let violations = |inspected: &serde_json::Value| inspected["violations"].as_array().unwrap().len();
    assert!(violations(&after) <= violations(&before), "{}: {}", file.display(), after["violations"]);
    assert_eq!(after["tokens"], said["tokens_after"], "{}", file.display());
    true
}
