//! Every file of an optional folder of test data.

use std::path::{Path, PathBuf};

use cutctx_formats::Session;
use cutctx_types::CharRatioEstimator;

use crate::laws::{check_laws, render};
use crate::oracle::{bold_decisions, check_bonds, items};

/// The files or folders in a folder of the test data, or a loud note that there is none.
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

/// How many turns some files have: what a slow look at them gives.
const TURNS: [(&str, usize); 8] = [
    ("test_deepseek_responses_replay_unsent_item_ids", 6),
    ("test_openai_responses_compact_stateful_mode_stream", 2),
    ("test_openai_responses_code_execution_return_image", 3),
    ("test_openai_responses_model_web_search_tool_stream", 5),
    ("test_reused_tool_call_ids_gpt_5_5", 7),
    ("test_live_tool_search_handoff", 11),
    ("test_openai_hosted_tool_search_stateless_continuation__", 5),
    ("openllmetry__test_recipe_agents_hierarchy", 8),
];

fn read(path: &Path) -> Session {
    Session::read(std::fs::read(path).unwrap(), &CharRatioEstimator::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn all_keep_the_laws(folder: &str, format: &str) {
    for path in files(folder) {
        let name = path.display().to_string();
        let session = read(&path);
        assert_eq!(session.format().name(), format, "{name}");
        for (_, turns) in TURNS.iter().filter(|(file, _)| name.contains(file)) {
            assert_eq!(session.transcript().turns().len(), *turns, "{name}");
        }
        check_laws(&session, 0..40, &name);
    }
}

#[test]
fn every_file_of_responses_items_is_read_and_keeps_the_laws() {
    all_keep_the_laws("openai-responses", "openai-responses");
}

#[test]
fn every_rollout_is_read_and_keeps_the_laws() {
    all_keep_the_laws("codex-rollout", "codex-rollout");
}

#[test]
fn what_the_api_binds_together_stays_together_in_every_file() {
    for path in files("openai-responses") {
        let session = read(&path);
        for seed in 0..60 {
            let decisions = bold_decisions(&session, seed);
            let written = render(&session, &decisions);
            let note = format!("{}: {seed}", path.display());
            check_bonds(&items(session.text()), &items(&written), &note);
        }
    }
}

#[test]
fn no_file_of_another_tool_is_taken_for_one_of_these() {
    for folder in files("").iter().filter(|folder| folder.is_dir()) {
        let kind = folder.file_name().unwrap().to_string_lossy().into_owned();
        for path in files(&kind) {
            let read = Session::read(std::fs::read(&path).unwrap(), &CharRatioEstimator::default());
            let Ok(session) = read else { continue };
            let ours = ["openai-responses", "codex-rollout", "tau2"].contains(&session.format().name());
            assert!(!ours || kind == session.format().name(), "{}", path.display());
        }
    }
}
