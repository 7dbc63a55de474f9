//! Rules for manifests: members inherit, and every dependency of the workspace has its reason.

use super::Complaint;
use super::files::File;

/// The document with one line of reason for each dependency.
const REASONS: &str = "docs/dependencies.md";

/// What every member takes from the workspace.
const INHERITED: [&str; 4] = [
    "version.workspace = true",
    "edition.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
];

/// What a member that is published says besides.
const PUBLISHED: [&str; 3] = ["description = ", "repository.workspace = true", "categories.workspace = true"];

/// A member inherits its common fields and all its dependencies, and has a table of lints.
pub(super) fn inheritance(file: &File) -> Vec<Complaint> {
    if !is_member(&file.path) {
        return Vec::new();
    }
    let has = |start: &str| file.text.lines().any(|line| line.starts_with(start));
    let published = if has("publish = false") { &[][..] } else { &PUBLISHED[..] };
    let needed = INHERITED.iter().chain(published).chain(&["[lints"]);
    let missing = needed.filter(|start| !has(start));
    let missing = missing.map(|start| Complaint::new(file, 1, format!("`{start}` is missing")));
    missing.chain(own_versions(file)).collect()
}

/// Every dependency of `[workspace.dependencies]` without a line in [`REASONS`], and every line there without a
/// dependency.
pub(super) fn without_reason(files: &[File]) -> Vec<Complaint> {
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let Some(root) = find("Cargo.toml") else {
        return Vec::new();
    };
    let nothing = File::new(REASONS, "");
    let reasons = find(REASONS).unwrap_or(&nothing);
    let listed =
        entries(root).filter(|(section, _, line)| *section == "workspace.dependencies" && !has_path(line));
    let listed: Vec<(usize, &str)> = listed.map(|(_, number, line)| (number, key(line))).collect();
    let reasoned: Vec<(usize, &str)> =
        reasons.lines().filter_map(|(at, line)| Some((at, reasoned(line)?))).collect();
    let missing = listed.iter().filter(|(_, name)| reasoned.iter().all(|(_, known)| known != name));
    let missing =
        missing.map(|(at, name)| Complaint::new(root, *at, format!("{name} has no reason in {REASONS}")));
    let stale = reasoned.iter().filter(|(_, name)| listed.iter().all(|(_, known)| known != name));
    let stale =
        stale.map(|(at, name)| Complaint::new(reasons, *at, format!("{name} is no dependency any more")));
    missing.chain(stale).collect()
}

/// The name in a row of the table of reasons: "| `name` | …".
fn reasoned(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name)
}

/// Members stand in `crates/`, or are `xtask` and `acceptance`; packages below `acceptance/` are on their own.
fn is_member(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts.as_slice(), ["crates", _, "Cargo.toml"] | ["xtask" | "acceptance", "Cargo.toml"])
}

/// Dependencies that do not come from the workspace's list.
fn own_versions(file: &File) -> Vec<Complaint> {
    let dependencies = entries(file).filter(|(section, _, _)| section.ends_with("dependencies"));
    let own = dependencies.filter(|(section, _, line)| {
        let by_path_only =
            section.ends_with("dev-dependencies") && has_path(line) && !line.contains("version = ");
        !line.contains("workspace = true") && !by_path_only
    });
    let own = own.map(|(_, number, line)| {
        let what = format!("{} is not inherited: list it in [workspace.dependencies]", key(line));
        Complaint::new(file, number, what)
    });
    let tables = file.lines().filter(|(_, line)| line.starts_with('[') && line.contains("dependencies."));
    let tables = tables.map(|(number, _)| Complaint::new(file, number, "write a dependency as one line"));
    own.chain(tables).collect()
}

/// Every `key = value` line with the section it stands in.
fn entries(file: &File) -> impl Iterator<Item = (&str, usize, &str)> {
    let lines = file.lines().scan("", |section, (number, line)| {
        if let Some(name) = line.strip_prefix('[') {
            *section = name.trim_end_matches(']');
        }
        Some((*section, number, line))
    });
    lines.filter(|(_, _, line)| {
        line.starts_with(|letter: char| letter.is_ascii_alphanumeric()) && line.contains(" = ")
    })
}

fn has_path(line: &str) -> bool {
    line.contains("path = ")
}

/// The name before ` = ` or `.workspace`.
fn key(line: &str) -> &str {
    line.split([' ', '.']).next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
[package]
description = \"x\"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
repository.workspace = true
categories.workspace = true

[lints]
workspace = true
";

    #[track_caller]
    fn check(manifest: &str, expected: &[&str]) {
        let found = inheritance(&File::new("crates/x/Cargo.toml", manifest));
        assert_eq!(found.into_iter().map(|complaint| complaint.what).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_member_that_inherits_everything_is_fine() {
        check(&format!("{GOOD}\n[dependencies]\nserde.workspace = true\nx = {{ workspace = true }}\n"), &[]);
    }

    #[test]
    fn a_field_that_is_not_inherited_is_found() {
        let own = GOOD.replace("license.workspace = true", "license = \"MIT\"");
        check(&own, &["`license.workspace = true` is missing"]);
    }

    #[test]
    fn a_member_without_lints_is_found() {
        check(&GOOD.replace("[lints]", "[lunts]"), &["`[lints` is missing"]);
    }

    #[test]
    fn a_member_that_is_not_published_needs_no_description() {
        check(&GOOD.replace("description = \"x\"", "publish = false"), &[]);
    }

    #[test]
    fn a_version_of_its_own_is_found() {
        let expected = "serde is not inherited: list it in [workspace.dependencies]";
        check(&format!("{GOOD}\n[dependencies]\nserde = \"1\"\n"), &[expected]);
        check(&format!("{GOOD}\n[target.'cfg(unix)'.dependencies]\nserde = \"1\"\n"), &[expected]);
        check(
            &format!("{GOOD}\n[dependencies.serde]\nversion = \"1\"\n"),
            &["write a dependency as one line"],
        );
    }

    #[test]
    fn a_dev_dependency_may_be_a_path_without_a_version() {
        check(&format!("{GOOD}\n[dev-dependencies]\ny = {{ path = \"../y\" }}\n"), &[]);
        let expected = "y is not inherited: list it in [workspace.dependencies]";
        check(&format!("{GOOD}\n[dependencies]\ny = {{ path = \"../y\" }}\n"), &[expected]);
        check(
            &format!("{GOOD}\n[dev-dependencies]\ny = {{ path = \"../y\", version = \"1\" }}\n"),
            &[expected],
        );
    }

    #[test]
    fn packages_outside_the_workspace_are_on_their_own() {
        let probe = File::new("acceptance/probe/Cargo.toml", "[package]\n");
        assert!(inheritance(&probe).is_empty());
    }

    #[test]
    fn a_dependency_without_a_reason_and_a_reason_without_a_dependency_are_found() {
        let root = "[workspace.dependencies]\nx = { path = \"crates/x\" }\nserde = \"1\"\nclap = \"4\"\n";
        let reasons = "| `serde` | data |\n| `gone` | why |\n";
        let found = without_reason(&[File::new("Cargo.toml", root), File::new(REASONS, reasons)]);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "Cargo.toml:4: clap has no reason in docs/dependencies.md",
                "docs/dependencies.md:2: gone is no dependency any more"
            ]
        );
    }
}
