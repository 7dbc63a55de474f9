//! Every file of an optional folder of test data.

use std::path::{Path, PathBuf};

use cutctx_formats::salvage::{Damage, Finding, Remedy};

use crate::laws::check;

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
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// These files were damaged, if at all, at their end or by a lost line end: nothing in their middle is skipped.
#[test]
fn nothing_is_skipped_in_the_middle_of_a_file() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus).iter().filter(|path| is_session(path)) {
        let bytes = std::fs::read(path).unwrap();
        let salvaged = check(&bytes);
        let is_harmless = |finding: &Finding| {
            matches!(finding.remedy, Remedy::Split | Remedy::Left) || finding.kind == Damage::Truncated
        };
        let harmless = salvaged.findings().iter().all(is_harmless);
        assert!(harmless, "{}: {:?}", path.display(), salvaged.findings());
    }
}

fn is_session(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json" || ending == "jsonl")
}
