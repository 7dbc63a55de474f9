//! `cargo xtask vectors [DIR]`: the conformance vectors of a folder against this build.
//!
//! The folder holds `plans.jsonl` and `canonical-json.jsonl`, or a folder `cutctx` that does. Without an argument it
//! is the folder `vectors` of the test data. The test prints how many cases passed, were skipped and were refused.

use std::path::{Path, PathBuf};

use crate::shared::{self, DataTest};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const TESTS: [DataTest; 2] = [
    DataTest { test: "canonical", variable: "CUTCTX_VECTORS" },
    DataTest { test: "vectors", variable: "CUTCTX_VECTORS" },
];

/// Runs the vectors of `named`, or of the test data.
pub(crate) fn run(workspace: &Workspace, named: Option<PathBuf>) -> Verdict {
    match shared::folder(workspace, "vectors", named) {
        Ok(folder) => run_all(workspace, &with_plans(folder)),
        Err(ended) => ended,
    }
}

/// Runs the tests one after the other, up to the first that does not pass.
fn run_all(workspace: &Workspace, folder: &Path) -> Verdict {
    for test in &TESTS {
        let verdict = test.run(workspace, folder);
        if !matches!(verdict, Verdict::Passed) {
            return verdict;
        }
    }
    Verdict::Passed
}

/// The folder itself, or the one in it that holds the plans.
fn with_plans(folder: PathBuf) -> PathBuf {
    let inner = folder.join("cutctx");
    let only_inner = !folder.join("plans.jsonl").is_file() && inner.join("plans.jsonl").is_file();
    if only_inner { inner } else { folder }
}
