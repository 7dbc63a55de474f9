//! Every file of an optional folder of test data: the laws for the formats that are read, a good refusal for others.

use std::path::{Path, PathBuf};

use cutctx_formats::{FormatError, Session};
use cutctx_types::CharRatioEstimator;

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

fn open(path: &Path) -> Result<Session, FormatError> {
    Session::read(std::fs::read(path).unwrap(), &CharRatioEstimator::default())
}

#[test]
fn every_openai_chat_file_is_read_and_keeps_the_laws() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus.join("openai-chat")) {
        let name = path.display().to_string();
        if name.ends_with("tau__retail-few_shot.jsonl") {
            let error = open(&path).unwrap_err();
            assert_eq!(error.looks_like(), Some("tau-bench conversations printed as text"));
            continue;
        }
        let session = open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(session.format().name(), "openai-chat", "{name}");
        check_laws(&session, 0..40, &name);
    }
}

#[test]
fn every_anthropic_messages_file_is_read_and_keeps_the_laws() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus.join("anthropic-messages")) {
        let name = path.display().to_string();
        let session = open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(session.format().name(), "anthropic-messages", "{name}");
        assert_eq!(session.violations(), [], "{name}");
        check_laws(&session, 0..40, &name);
    }
}

#[test]
fn files_that_are_not_read_are_refused_with_a_guess() {
    let Some(corpus) = corpus() else { return };
    for folder in
        std::fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for path in files(&folder) {
            let Err(error) = open(&path) else { continue };
            let told = matches!(error, FormatError::Syntax { .. } | FormatError::SeveralConversations { .. });
            assert!(told || error.looks_like().is_some(), "{}: {error}", path.display());
            assert!(error.place().is_some(), "{}: {error}", path.display());
        }
    }
}
