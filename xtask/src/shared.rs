//! The optional folder of test data beside the checkout.

use std::path::{Path, PathBuf};

use crate::run::run;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Tests that read a folder of data.
pub(crate) struct DataTests {
    /// Their names, each of which one test of the workspace has.
    pub(crate) names: &'static [&'static str],
    /// The variable that tells them where the folder is.
    pub(crate) variable: &'static str,
}

impl DataTests {
    /// Runs the tests over `folder`.
    ///
    /// They are named within the workspace and not by their packages: a package alone has other features than in the
    /// workspace, so that all below it would be built a second time.
    pub(crate) fn run(&self, workspace: &Workspace, folder: &Path) -> Verdict {
        let names = self.names.iter().flat_map(|name| ["--test", name]);
        let words = ["test", "--workspace", "--all-features", "--locked"].into_iter().chain(names);
        let mut command = workspace.cargo(words);
        command.args(["--", "--nocapture"]);
        command.env(self.variable, folder);
        run(&mut command)
    }
}

/// The folder that was named on the command line, or the folder `default` of the test data: `$CUTCTX_SHARED`, or
/// `../shared` from the checkout.
///
/// # Errors
///
/// The verdict when there is no such folder: the test data is optional, a folder that somebody named is not.
pub(crate) fn folder(
    workspace: &Workspace,
    default: &str,
    named: Option<PathBuf>,
) -> Result<PathBuf, Verdict> {
    let ended: fn(String) -> Verdict = if named.is_some() { Verdict::Failed } else { Verdict::Skipped };
    let folder = named.map_or_else(|| of_test_data(workspace, default), absolute);
    if folder.is_dir() { Ok(folder) } else { Err(ended(format!("there is no folder {}", folder.display()))) }
}

fn of_test_data(workspace: &Workspace, name: &str) -> PathBuf {
    let shared = std::env::var_os("CUTCTX_SHARED").map_or_else(|| "../shared".into(), PathBuf::from);
    workspace.root().join(shared).join(name)
}

/// The folder seen from where the command was typed.
fn absolute(folder: PathBuf) -> PathBuf {
    std::path::absolute(&folder).unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corpus, vectors};

    #[test]
    fn every_test_that_reads_data_is_there_once() {
        let metadata = Workspace::here().metadata().unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let targets = packages.iter().flat_map(|package| package["targets"].as_array().unwrap());
        let tests: Vec<&str> = targets
            .filter(|target| target["kind"][0] == "test")
            .map(|target| target["name"].as_str().unwrap())
            .collect();
        for name in corpus::TESTS.names.iter().chain(vectors::test_names()) {
            assert_eq!(tests.iter().filter(|test| *test == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn missing_test_data_is_skipped_and_its_folder_named() {
        let missing = folder(&Workspace::here(), "no-such-data", None);
        let Err(Verdict::Skipped(why)) = missing else { panic!("not skipped: {missing:?}") };
        assert!(why.contains("no-such-data"), "{why}");
    }

    #[test]
    fn a_folder_that_somebody_named_must_exist() {
        let missing = folder(&Workspace::here(), "vectors", Some(PathBuf::from("no/such/folder")));
        let Err(Verdict::Failed(why)) = missing else { panic!("not failed: {missing:?}") };
        assert!(why.contains("no/such/folder"), "{why}");
    }
}
