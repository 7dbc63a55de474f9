//! Packages outside the workspace: built as a stranger builds them, with the versions that the workspace has locked.

use std::fs;
use std::process::Command;

use crate::run::run;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Builds the package in `folder`.
pub(super) fn build(workspace: &Workspace, folder: &str) -> Verdict {
    prepared(workspace, folder, "build")
}

/// Builds the package in `folder` and runs its tests.
pub(super) fn test(workspace: &Workspace, folder: &str) -> Verdict {
    prepared(workspace, folder, "test")
}

fn prepared(workspace: &Workspace, folder: &str, verb: &str) -> Verdict {
    match lock_alike(workspace, folder) {
        Ok(()) => run(&mut cargo(workspace, folder, verb)),
        Err(error) => Verdict::Failed(format!("{folder} could not be prepared: {error}")),
    }
}

/// Gives the package the workspace's lock file, from which Cargo drops what the package does not use. So it is built
/// with the same versions, and no second lock file has to be kept up to date.
fn lock_alike(workspace: &Workspace, folder: &str) -> std::io::Result<()> {
    let lock = workspace.root().join("Cargo.lock");
    fs::copy(lock, workspace.root().join(folder).join("Cargo.lock")).map(drop)
}

fn cargo(workspace: &Workspace, folder: &str, verb: &str) -> Command {
    let mut command = workspace.cargo([verb, "--target-dir"]);
    command
        .arg(workspace.target().join("outside"))
        .arg("--manifest-path")
        .arg(format!("{folder}/Cargo.toml"));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_is_not_there_fails_with_its_folder() {
        let Verdict::Failed(why) = build(&Workspace::here(), "acceptance/no-such-package") else {
            panic!("a missing package was built");
        };
        assert!(why.contains("acceptance/no-such-package"), "{why}");
    }
}
