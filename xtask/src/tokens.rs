//! `cargo xtask tokens [--write | fit]`: how near the counters of tokens are to the truth, and how fast.
//!
//! It takes minutes, so the gate does not run it; the tests of `cutctx-tokens` hold a sample of the same. With `--write`
//! the tables replace those in the document. What measures is the example `token_tables` of that package. Tables that
//! rest on real sessions need the optional folder of test data and are left as they are where there is none.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::performance::document::{self, Section};
use crate::performance::table::{as_f64, table};
use crate::performance::{instructions, machine, said};
use crate::run::run as run_shown;
use crate::shared;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Where the tables stand.
const DOCUMENT: &str = "docs/tokens.md";

/// The tables that need nothing but the checkout.
const OWN: [&str; 2] = ["kinds", "speed"];

/// The tables of real sessions.
const OF_SESSIONS: [&str; 2] = ["corpus", "usage"];

/// Takes all measurements; with `write` also renews the document.
pub(crate) fn run(workspace: &Workspace, write: bool) -> Verdict {
    let built = run_shown(&mut example(workspace, "build"));
    built.and_then(|| match sections(workspace) {
        Ok(sections) if write => document::renew(workspace, DOCUMENT, &sections),
        Ok(_) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    })
}

/// Prints weights for the heuristic, fitted to `o200k_base`.
pub(crate) fn fit(workspace: &Workspace) -> Verdict {
    let mut command = example(workspace, "run");
    command.args(["--", "fit"]);
    if let Ok(corpus) = shared::folder(workspace, "corpus", None) {
        command.env("CUTCTX_SHARED", corpus.parent().unwrap_or(&corpus));
    }
    run_shown(&mut command)
}

fn sections(workspace: &Workspace) -> Result<Vec<Section>, String> {
    let mut sections = vec![shown(Section { name: "machine", text: machine::described() })];
    for name in OWN {
        sections.push(shown(Section { name, text: measured(workspace, &[name])? }));
    }
    sections.push(shown(Section { name: "instructions", text: counted(workspace)? }));
    match shared::folder(workspace, "corpus", None) {
        Ok(corpus) => {
            for name in OF_SESSIONS {
                sections.push(shown(Section { name, text: measured_in(workspace, name, &corpus)? }));
            }
        }
        Err(verdict) => drop(verdict.shown()),
    }
    Ok(sections)
}

/// Instructions for a byte, which a busy machine does not change; ten times the text should cost no more for each.
fn counted(workspace: &Workspace) -> Result<String, String> {
    if !instructions::has_valgrind() {
        return Ok("Not counted: `valgrind` is not installed.\n".to_owned());
    }
    let row = |name: &str| {
        let of = |bytes: u64| {
            let count = instructions::counted_in(&program(workspace), &["once", name, &bytes.to_string()])?;
            Ok::<String, String>(format!("{:.1}", as_f64(count) / as_f64(bytes)))
        };
        Ok(vec![format!("`{name}`"), of(100_000)?, of(1_000_000)?])
    };
    let rows: Result<Vec<_>, String> =
        ["heuristic:openai", "o200k_base", "chars/4"].into_iter().map(row).collect();
    Ok(table(&["instructions a byte", "100 kB", "1 MB"], &rows?))
}

fn measured_in(workspace: &Workspace, name: &str, folder: &Path) -> Result<String, String> {
    measured(workspace, &[name, &folder.to_string_lossy()])
}

fn measured(workspace: &Workspace, words: &[&str]) -> Result<String, String> {
    Ok(said(Command::new(program(workspace)).args(words))? + "\n")
}

fn program(workspace: &Workspace) -> PathBuf {
    let name = format!("token_tables{}", std::env::consts::EXE_SUFFIX);
    workspace.target().join("release/examples").join(name)
}

fn example(workspace: &Workspace, verb: &str) -> Command {
    workspace.cargo([
        verb,
        "--release",
        "--locked",
        "--package",
        "cutctx-tokens",
        "--all-features",
        "--example",
        "token_tables",
    ])
}

fn shown(section: Section) -> Section {
    println!("\n## {}\n\n{}", section.name, section.text);
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_the_marks_of_every_part() {
        let text = std::fs::read_to_string(Workspace::here().root().join(DOCUMENT)).unwrap();
        for name in ["machine", "instructions"].into_iter().chain(OWN).chain(OF_SESSIONS) {
            assert!(document::replaced(&text, &Section { name, text: String::new() }).is_ok(), "{name}");
        }
    }
}
