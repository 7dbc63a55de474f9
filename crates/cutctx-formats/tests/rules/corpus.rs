//! The rules over an optional folder of test data: what a provider has accepted breaks none of its rules.

use cutctx_formats::{Session, Severity};
use cutctx_types::CharRatioEstimator;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose files are requests that their provider has answered.
const ANSWERED: [&str; 5] =
    ["openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "gemini-contents"];

/// Files there that no provider has seen as they are: exports, and conversations made up for tests.
const NOT_SENT: [&str; 1] = ["pharma__trajectory-1.json"];

fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus")
}

#[test]
fn answered_requests_break_no_rule() {
    let mut checked = 0;
    for folder in ANSWERED.map(|name| folder().join(name)) {
        let Ok(files) = fs::read_dir(&folder) else {
            println!("SKIPPED: there is no folder {}", folder.display());
            continue;
        };
        for file in files.map(|file| file.unwrap()) {
            let name = file.file_name().to_string_lossy().into_owned();
            let Ok(session) = Session::read(fs::read(file.path()).unwrap(), &CharRatioEstimator::default())
            else {
                continue;
            };
            let mut found = session.lint();
            found.retain(|violation| violation.rule.severity == Severity::Refused);
            assert!(found.is_empty() || NOT_SENT.contains(&name.as_str()), "{name}: {found:?}");
            assert_eq!(found, session.violations(), "{name}");
            checked += 1;
        }
    }
    println!("{checked} requests checked");
}
