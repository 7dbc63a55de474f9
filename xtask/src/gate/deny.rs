//! The steps that use cargo-deny, which is installed when it is missing.

use std::path::PathBuf;

use crate::run::{run, run_all, works};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// The version that `deny.toml` is written for.
const VERSION: &str = "cargo-deny@0.20.2";

/// A quick build of the tool: it runs for seconds, so its own speed does not matter.
const QUICK_BUILD: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];

/// Bans (of what is shipped), licences and sources (of everything). Needs no network once all packages are fetched.
pub(super) fn rules(workspace: &Workspace) -> Verdict {
    let fetched = installed(workspace).and_then(|| run(&mut workspace.cargo(["fetch", "--locked"])));
    fetched.and_then(|| {
        // A wrapper that may use a package need not.
        let bans =
            ["deny", "--offline", "--locked", "--exclude-dev", "check", "-A", "unused-wrapper", "bans"];
        let rest = ["deny", "--offline", "--locked", "check", "licenses", "sources"];
        run_all([workspace.cargo(bans), workspace.cargo(rest)])
    })
}

/// Known vulnerabilities; skipped without a database, because the gate does not fetch one.
pub(super) fn advisories(workspace: &Workspace) -> Verdict {
    let has_entry = |folder: &PathBuf| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    match databases().filter(has_entry) {
        None => Verdict::Skipped("no advisory database; `cargo deny fetch db` gets one".to_owned()),
        Some(_) => installed(workspace)
            .and_then(|| run(&mut workspace.cargo(["deny", "--offline", "--locked", "check", "advisories"]))),
    }
}

/// Where cargo-deny keeps its databases.
fn databases() -> Option<PathBuf> {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = cargo_home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    Some(home.join("advisory-dbs"))
}

/// Makes sure that `cargo deny` works.
fn installed(workspace: &Workspace) -> Verdict {
    if works(&mut workspace.cargo(["deny", "--version"])) {
        return Verdict::Passed;
    }
    println!("cargo-deny is missing and gets installed");
    run(workspace.cargo(["install", VERSION, "--locked"]).envs(QUICK_BUILD))
}
