//! `cargo xtask corpus [DIR]`: the readers of session files against a folder of real files.
//!
//! Without an argument it is the folder `corpus` of the test data.

use std::path::PathBuf;

use crate::shared::{self, DataTests};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

pub(crate) const TESTS: DataTests = DataTests { names: &["corpus"], variable: "CUTCTX_CORPUS" };

/// Runs the readers over `named`, or over the test data.
pub(crate) fn run(workspace: &Workspace, named: Option<PathBuf>) -> Verdict {
    match shared::folder(workspace, "corpus", named) {
        Ok(folder) => TESTS.run(workspace, &folder),
        Err(ended) => ended,
    }
}
