//! The list of steps, cheap ones first.

use serde_json::Value;

use super::{Step, deny, outside, package};
use crate::run::{run, run_all, works};
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::{corpus, layers, tidy, vectors};

/// Every step, in the order in which they run.
pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "the layout of the code",
        remedy: "run `cargo fmt --all`",
        run: |workspace| run(&mut workspace.cargo(["fmt", "--all", "--check"])),
    },
    Step {
        name: "tidy",
        what: "house rules: files, manifests, words, links",
        remedy: "mend the lines named above; `cargo xtask tidy` checks them in a moment",
        run: tidy::run,
    },
    Step {
        name: "layers",
        what: "which crate may depend on which",
        remedy: "drop the edge, or argue for it in xtask/src/layers/table.rs, deny.toml and ARCHITECTURE.md",
        run: layers::run,
    },
    Step {
        name: "deny",
        what: "banned packages, licences and sources (offline)",
        remedy: "use another package, or argue for it in deny.toml and docs/dependencies.md",
        run: deny::rules,
    },
    Step {
        name: "advisories",
        what: "known vulnerabilities, when a database is at hand",
        remedy: "update the package named above: `cargo update -p NAME`",
        run: deny::advisories,
    },
    Step {
        name: "clippy",
        what: "lints: everything with all features, then each library alone without its default features",
        remedy: "mend the code, or write `#[expect(LINT, reason = \"…\")]` where the lint is wrong",
        run: clippy,
    },
    Step {
        name: "test",
        what: "unit, property and integration tests",
        remedy: "run the failed test alone: `cargo test -p CRATE NAME`",
        run: test,
    },
    Step {
        name: "doctest",
        what: "the examples in the documentation",
        remedy: "run `cargo test --doc -p CRATE`",
        run: |workspace| {
            run(&mut workspace.cargo(["test", "--doc", "--workspace", "--all-features", "--locked"]))
        },
    },
    Step {
        name: "doc",
        what: "the documentation builds without a warning",
        remedy: "mend the link or the comment named above; `cargo doc --no-deps` shows it again",
        run: doc,
    },
    Step {
        name: "vectors",
        what: "the conformance vectors of the test data",
        remedy: "run `cargo xtask vectors`; the first difference is printed with the name of its vector",
        run: |workspace| vectors::run(workspace, None),
    },
    Step {
        name: "corpus",
        what: "the session files of the test data",
        remedy: "run `cargo xtask corpus`; the file is named",
        run: |workspace| corpus::run(workspace, None),
    },
    Step {
        name: "acceptance",
        what: "the claims, through public crates only, and a policy crate outside the workspace",
        remedy: "run `cargo run -p acceptance`, or `cargo test` in acceptance/downstream-policy",
        run: acceptance,
    },
    Step {
        name: "package",
        what: "every published crate, built as strangers will get it",
        remedy: "run `cargo package -p CRATE --allow-dirty`; a file or a version is missing from what is published",
        run: package::package,
    },
    Step {
        name: "bench",
        what: "the benchmarks compile",
        remedy: "run `cargo bench --no-run -p CRATE`",
        run: bench,
    },
    Step {
        name: "no-std",
        what: "the core crates link without std",
        remedy: "find what pulls std in: `cargo tree -e features` in acceptance/no-std-probe",
        run: |workspace| outside::build(workspace, "acceptance/no-std-probe"),
    },
];

fn clippy(workspace: &Workspace) -> Verdict {
    let libraries = match with_target(workspace, "lib") {
        Ok(libraries) => libraries,
        Err(why) => return Verdict::Failed(why),
    };
    let all =
        ["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"];
    let alone = libraries.iter().map(|library| {
        let words = ["clippy", "--package", library, "--lib", "--no-default-features", "--locked"];
        workspace.cargo(words.into_iter().chain(["--", "-D", "warnings"]))
    });
    run_all(std::iter::once(workspace.cargo(all)).chain(alone))
}

/// Property tests draw the same cases in every run of the gate, so that its verdict is about the change and not about
/// luck. `cargo test` alone draws new ones each time; so does the gate where the variable is set to something else.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20260101");

fn test(workspace: &Workspace) -> Verdict {
    let nextest = works(&mut workspace.cargo(["nextest", "--version"]));
    let runner: &[&str] = if nextest { &["nextest", "run"] } else { &["test", "--lib", "--bins", "--tests"] };
    let rest = ["--workspace", "--all-features", "--locked", "--no-fail-fast"];
    let mut command = workspace.cargo(runner.iter().chain(&rest));
    if std::env::var_os(SEED.0).is_none() {
        command.env(SEED.0, SEED.1);
    }
    run(&mut command)
}

fn doc(workspace: &Workspace) -> Verdict {
    let words = ["doc", "--workspace", "--no-deps", "--all-features", "--document-private-items", "--locked"];
    run(workspace.cargo(words).env("RUSTDOCFLAGS", "-D warnings"))
}

fn acceptance(workspace: &Workspace) -> Verdict {
    let claims = run(&mut workspace.cargo(["run", "--package", "acceptance", "--locked"]));
    claims.and_then(|| outside::test(workspace, "acceptance/downstream-policy"))
}

/// Compiles the benchmarks only, and without link-time optimization: it is about whether they compile.
fn bench(workspace: &Workspace) -> Verdict {
    match with_target(workspace, "bench") {
        Err(why) => Verdict::Failed(why),
        Ok(crates) if crates.is_empty() => Verdict::Skipped("no crate has a benchmark".to_owned()),
        Ok(_) => {
            let words = ["bench", "--workspace", "--all-features", "--locked", "--bench", "*", "--no-run"];
            run(workspace
                .cargo(words)
                .env("CARGO_PROFILE_BENCH_LTO", "off")
                .env("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "16"))
        }
    }
}

/// The members that have a target of this kind.
fn with_target(workspace: &Workspace, kind: &str) -> Result<Vec<String>, String> {
    let metadata = workspace.metadata()?;
    let packages = metadata.get("packages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let having = packages.iter().filter(|package| has_target(package, kind));
    Ok(having.filter_map(|package| package.get("name")?.as_str()).map(str::to_owned).collect())
}

fn has_target(package: &Value, kind: &str) -> bool {
    let targets = package.get("targets").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let kinds = targets.iter().filter_map(|target| target.get("kind")?.as_array());
    kinds.flatten().any(|found| found == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_crates_are_libraries_and_this_program_is_none() {
        let libraries = with_target(&Workspace::here(), "lib").unwrap();
        assert!(libraries.iter().any(|name| name == "cutctx-types"), "{libraries:?}");
        assert!(libraries.iter().all(|name| name != "xtask"), "{libraries:?}");
    }
}
