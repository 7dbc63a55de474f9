//! The optional folder of test data beside the checkout.

use std::path::{Path, PathBuf};

use crate::run::run;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// A test that reads a folder of data.
pub(crate) struct DataTest {
    /// The package of the test.
    pub(crate) package: &'static str,
    /// The test's name in the package.
    pub(crate) test: &'static str,
    /// The variable that tells the test where the folder is.
    pub(crate) variable: &'static str,
}

impl DataTest {
    /// Runs the test over `folder`.
    pub(crate) fn run(&self, workspace: &Workspace, folder: &Path) -> Verdict {
        let words = ["test", "--package", self.package, "--all-features", "--locked", "--test", self.test];
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
