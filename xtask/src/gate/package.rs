//! Packages every published crate and builds it from what was packed.
//!
//! Cargo unpacks what it packs into a folder whose name follows from the target folder, and takes what it finds there the
//! next time, because a published version never changes. Ours do until they are published. So the target folder is
//! named by the sources: other sources are packed into another folder, and old ones are never built again.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::run::run;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What goes into packages, or decides how they are built.
const SOURCES: [&str; 4] = ["crates", "Cargo.toml", "Cargo.lock", "README.md"];

/// Packages and builds all but what is never published.
pub(super) fn package(workspace: &Workspace) -> Verdict {
    let packed = workspace.target().join("packed");
    let folder = match digest(workspace.root()) {
        Ok(digest) => packed.join(format!("{digest:016x}")),
        Err(error) => return Verdict::Failed(format!("the sources could not be read: {error}")),
    };
    if let Err(error) = clear(&packed, &folder) {
        return Verdict::Failed(format!("{}: {error}", packed.display()));
    }
    let words = ["package", "--workspace", "--exclude", "xtask", "--exclude", "acceptance", "--locked"];
    run(workspace.cargo(words).arg("--allow-dirty").arg("--target-dir").arg(folder))
}

/// A number that tells one state of the sources from another.
fn digest(root: &Path) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES.iter().map(|source| root.join(source)).filter(|source| source.exists()) {
        add(&source, &mut hasher)?;
    }
    Ok(hasher.finish())
}

/// A file, or all files of a folder in the order of their names.
fn add(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    path.hash(hasher);
    if !path.is_dir() {
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let mut inside: Vec<PathBuf> =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    inside.sort();
    inside.iter().try_for_each(|path| add(path, hasher))
}

/// Removes the target folders of other sources.
fn clear(packed: &Path, kept: &Path) -> io::Result<()> {
    if !packed.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(packed)? {
        let path = entry?.path();
        if path != kept {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sources_have_another_number() {
        let root = std::env::temp_dir().join(format!("cutctx-package-{}", std::process::id()));
        fs::create_dir_all(root.join("crates/a")).unwrap();
        fs::write(root.join("Cargo.toml"), "[workspace]").unwrap();
        fs::write(root.join("crates/a/lib.rs"), "one").unwrap();
        let one = digest(&root).unwrap();
        assert_eq!(digest(&root).unwrap(), one);
        fs::write(root.join("crates/a/lib.rs"), "two").unwrap();
        let two = digest(&root).unwrap();
        fs::rename(root.join("crates/a"), root.join("crates/b")).unwrap();
        let three = digest(&root).unwrap();
        assert!(one != two && two != three);
        fs::write(root.join("other"), "").unwrap();
        assert_eq!(digest(&root).unwrap(), three);

        let (kept, old) = (root.join("packed/1"), root.join("packed/2"));
        fs::create_dir_all(&kept).unwrap();
        fs::create_dir_all(&old).unwrap();
        clear(&root.join("packed"), &kept).unwrap();
        assert!(kept.exists() && !old.exists());
        fs::remove_dir_all(root).unwrap();
    }
}
