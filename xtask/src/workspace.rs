//! Where things are: the root of the checkout, its metadata, its files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A checkout of the workspace.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The checkout that this program was built from.
    pub(crate) fn here() -> Self {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: own.parent().unwrap_or(own).to_owned() }
    }

    /// The folder that holds the workspace's manifest.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where Cargo builds: `CARGO_TARGET_DIR`, or `target` in the checkout.
    pub(crate) fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.root.join("target"), |named| self.root.join(named))
    }

    /// A `cargo` command in the root; the same `cargo` that started this program.
    pub(crate) fn cargo<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(words).current_dir(&self.root);
        command
    }

    /// What `cargo metadata` says about the members, without their dependencies' own metadata.
    ///
    /// # Errors
    ///
    /// A sentence, when Cargo cannot read the manifests.
    pub(crate) fn metadata(&self) -> Result<Value, String> {
        let answer = self
            .cargo(["metadata", "--no-deps", "--format-version", "1"])
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("cargo metadata could not be started: {error}"))?;
        if !answer.status.success() {
            return Err(format!("cargo metadata ended with {}", answer.status));
        }
        serde_json::from_slice(&answer.stdout)
            .map_err(|error| format!("cargo metadata wrote no JSON: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_manifest_of_the_workspace() {
        let manifest = std::fs::read_to_string(Workspace::here().root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace]"));
    }
}
