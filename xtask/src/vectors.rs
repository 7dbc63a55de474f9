//! `cargo xtask vectors [DIR]`: the conformance vectors of a folder against this build.
//!
//! There are two shapes. Vectors of plans are `plans.jsonl` and `canonical-json.jsonl`, in the folder or in a folder
//! `cutctx` in it. Vectors of contexts are one file of cases a function, in the folder or in a folder `context` in it. What
//! is there of the two is run. Without an argument it is the folder `vectors` of the test data. The tests print how many
//! cases passed, were skipped and were refused.

use std::path::{Path, PathBuf};

use crate::shared::{self, DataTests};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const OF_PLANS: Shape =
    Shape { folder: "cutctx", file: "plans.jsonl", tests: reading(&["canonical", "vectors"]) };

const OF_CONTEXTS: Shape = Shape {
    folder: "context",
    file: "trim_context_messages.json",
    tests: reading(&["context_vectors", "compactor_vectors"]),
};

/// A shape of vectors.
struct Shape {
    /// The folder that vectors of the shape stand in, where they are not in the one that was named.
    folder: &'static str,
    /// A file that is there in any of them.
    file: &'static str,
    /// The tests that read them.
    tests: DataTests,
}

const fn reading(names: &'static [&'static str]) -> DataTests {
    DataTests { names, variable: "CUTCTX_VECTORS" }
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

/// Runs the tests of one shape after the other, up to the first that does not pass.
fn run_all(workspace: &Workspace, folder: &Path) -> Verdict {
    let found: Vec<(&Shape, PathBuf)> = [&OF_PLANS, &OF_CONTEXTS]
        .into_iter()
        .filter_map(|shape| Some((shape, shape.within(folder)?)))
        .collect();
    if found.is_empty() {
        return Verdict::Failed(format!("there are no vectors in {}", folder.display()));
    }
    let run = |ended: Verdict, (shape, folder): &(&Shape, PathBuf)| {
        ended.and_then(|| shape.tests.run(workspace, folder))
    };
    found.iter().fold(Verdict::Passed, run)
}

/// The tests of all shapes.
#[cfg(test)]
pub(crate) fn test_names() -> impl Iterator<Item = &'static &'static str> {
    [&OF_PLANS, &OF_CONTEXTS].into_iter().flat_map(|shape| shape.tests.names)
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
