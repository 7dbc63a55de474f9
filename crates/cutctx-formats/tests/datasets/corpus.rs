//! Every file of these formats in an optional folder of test data: read with the laws, or refused by name.

use std::path::{Path, PathBuf};

use crate::examples::conversations;
use crate::laws::check_laws;

/// The folder `corpus` of the test data, or a loud note that there is none.
fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no test data at {} (set CUTCTX_SHARED)", folder.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// The folders of test data and the format that they are read as.
const FOLDERS: [(&str, &str); 11] = [
    ("swe-agent-traj", "swe-agent"),
    ("mini-swe-agent", "mini-swe-agent"),
    ("openhands", "openhands"),
    ("sharegpt", "sharegpt"),
    ("toolbench", "toolbench"),
    ("trae-agent", "trae-agent"),
    ("letta-af", "letta"),
    ("inspect-eval", "inspect"),
    ("autogen", "autogen"),
    ("otel-genai", "otel-genai"),
    ("google-adk", "google-adk"),
];

/// How many conversations some files have, and turns the first of them: what a slow look at them gives.
const COUNTS: [(&str, usize, usize); 12] = [
    ("sa__crypto__BabyEncryption", 1, 31),
    ("sa__demonstrations__function_calling_simple", 1, 12),
    ("mini__psf__requests-1142", 1, 144),
    ("OpenHands__output.jsonl", 2, 8),
    ("OpenHands__basic_gui_mode", 1, 10),
    ("FastChat__dummy_conversation", 500, 4),
    ("LLaMA-Factory__glaive", 300, 4),
    ("ToolBench__102", 4, 3),
    ("trae__trajectory_fixed", 1, 12),
    ("memgpt_agent_with_convo", 1, 1),
    ("autogen__teachability", 16, 2),
    ("openinference__all-spans", 4, 1),
];

/// How many conversations of a file the laws are checked on.
const CHECKED: usize = 12;

#[test]
fn every_file_is_read_or_refused_and_keeps_the_laws() {
    let Some(corpus) = corpus() else { return };
    for (folder, format) in FOLDERS {
        let mut tally = (0, 0, 0);
        for path in files(&corpus.join(folder)) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let sessions = match conversations(&std::fs::read(&path).unwrap()) {
                Ok(sessions) => sessions,
                Err(error) => {
                    assert!(name.starts_with("ToolBench__69"), "{name}: {error}");
                    let wanted = "the ToolBench answer of a search that left no messages to train on";
                    assert_eq!(error.looks_like(), Some(wanted));
                    tally.1 += 1;
                    continue;
                }
            };
            for (_, count, turns) in COUNTS.iter().filter(|(file, ..)| name.contains(file)) {
                assert_eq!(sessions.len(), *count, "{name}");
                assert_eq!(sessions[0].transcript().turns().len(), *turns, "{name}");
            }
            let step = sessions.len().div_ceil(CHECKED);
            for session in sessions.iter().step_by(step) {
                assert_eq!(session.format().name(), format, "{name}");
                assert_eq!(session.violations(), [], "{name}");
                check_laws(session, 0..20, &name);
            }
            tally = (tally.0 + 1, tally.1, tally.2 + sessions.len());
        }
        println!("{folder}: {} read with {} conversations, {} refused", tally.0, tally.2, tally.1);
    }
}

#[test]
fn no_file_of_another_tool_is_taken_for_one_of_these() {
    let Some(corpus) = corpus() else { return };
    let ours = |name: &str| {
        let grammar = ["langchain", "atif", "ironclaw"].contains(&name);
        grammar || FOLDERS.iter().any(|(_, format)| *format == name)
    };
    for folder in std::fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()) {
        let kind = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !folder.is_dir() || FOLDERS.iter().any(|(own, _)| *own == kind) {
            continue;
        }
        for path in files(&folder) {
            let Ok(text) = String::from_utf8(std::fs::read(&path).unwrap()) else { continue };
            let Ok(document) = cutctx_formats::Document::parse(&text) else { continue };
            if let Ok(format) = cutctx_formats::detect(&document) {
                assert!(!ours(format.name()), "{}: {}", path.display(), format.name());
            }
        }
    }
}
