//! `cargo xtask vectors [DIR]`: the conformance vectors of a folder against this build.
//!
//! There are two shapes. Vectors of plans are `plans.jsonl` and `canonical-json.jsonl`, in the folder or in a folder
//! `cutctx` in it. Vectors of contexts are one file of cases a function, in the folder or in a folder `context` in it. What
//! is there of the two is run. Without an argument it is the folder `vectors` of the test data. The tests print how many
//! cases passed, were skipped and were refused.

use std::path::{Path, PathBuf};

use crate::shared::{self, DataTest};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const OF_PLANS: Shape = Shape {
    folder: "cutctx",
    file: "plans.jsonl",
    tests: &[
        DataTest { package: "acceptance", test: "canonical", variable: "CUTCTX_VECTORS" },
        DataTest { package: "acceptance", test: "vectors", variable: "CUTCTX_VECTORS" },
    ],
};

const OF_CONTEXTS: Shape = Shape {
    folder: "context",
    file: "trim_context_messages.json",
    tests: &[
        DataTest { package: "cutctx-context", test: "conformance", variable: "CUTCTX_VECTORS" },
        // The compactors that call a model.
        DataTest { package: "cutctx-models", test: "vectors", variable: "CUTCTX_VECTORS" },
    ],
};

/// A shape of vectors.
struct Shape {
    /// The folder that vectors of the shape stand in, where they are not in the one that was named.
    folder: &'static str,
    /// A file that is there in any of them.
    file: &'static str,
    /// The tests that read them.
    tests: &'static [DataTest],
}

impl Shape {
    /// The folder itself, or the one in it, where vectors of this shape are there.
    fn within(&self, folder: &Path) -> Option<PathBuf> {
        let inner = folder.join(self.folder);
        [folder.to_path_buf(), inner].into_iter().find(|folder| folder.join(self.file).is_file())
    }
}

/// Runs the vectors of `named`, or of the test data.
pub(crate) fn run(workspace: &Workspace, named: Option<PathBuf>) -> Verdict {
    match shared::folder(workspace, "vectors", named) {
        Ok(folder) => run_all(workspace, &folder),
        Err(ended) => ended,
    }
}

/// Runs the tests one after the other, up to the first that does not pass.
fn run_all(workspace: &Workspace, folder: &Path) -> Verdict {
    let found: Vec<(&Shape, PathBuf)> = [&OF_PLANS, &OF_CONTEXTS]
        .into_iter()
        .filter_map(|shape| Some((shape, shape.within(folder)?)))
        .collect();
    if found.is_empty() {
        return Verdict::Failed(format!("there are no vectors in {}", folder.display()));
    }
    let mut tests =
        found.iter().flat_map(|(shape, folder)| shape.tests.iter().map(move |test| (test, folder)));
    let ended = tests.find_map(|(test, folder)| {
        let verdict = test.run(workspace, folder);
        (!matches!(verdict, Verdict::Passed)).then_some(verdict)
    });
    ended.unwrap_or(Verdict::Passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_vectors_is_told() {
        let workspace = Workspace::here();
        let verdict = run(&workspace, Some(workspace.root().join("docs")));
        let Verdict::Failed(why) = verdict else { panic!("{verdict:?}") };
        assert!(why.contains("docs"), "{why}");
    }
}
