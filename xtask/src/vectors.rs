//! `cargo xtask vectors [DIR]`: the conformance vectors of a folder against this build.
//!
//! The folder holds `plans.jsonl` and `canonical-json.jsonl`, or a folder `cutctx` that does. Without an argument it
//! is the folder `vectors` of the test data. The test prints how many cases passed, were skipped and were refused.

use std::path::PathBuf;

use crate::shared::{self, DataTest};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const TEST: DataTest = DataTest { test: "vectors", variable: "CUTCTX_VECTORS" };

/// Runs the vectors of `named`, or of the test data.
pub(crate) fn run(workspace: &Workspace, named: Option<PathBuf>) -> Verdict {
    match shared::folder(workspace, "vectors", named) {
        Ok(folder) => TEST.run(workspace, &with_plans(folder)),
        Err(ended) => ended,
    }
}

/// The folder itself, or the one in it that holds the plans.
fn with_plans(folder: PathBuf) -> PathBuf {
    let inner = folder.join("cutctx");
    let only_inner = !folder.join("plans.jsonl").is_file() && inner.join("plans.jsonl").is_file();
    if only_inner { inner } else { folder }
}
