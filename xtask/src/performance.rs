//! `cargo xtask performance [TABLE...] [--write]`: measures the speed of this build and prints the tables of docs/performance.md.
//!
//! It takes minutes and wants a quiet machine, so the gate does not run it. With `--write` the tables replace those
//! in the document. What is measured is in the package `acceptance`: its binaries `measure` and `value_roundtrip`,
//! and the command `cutctx` itself.

mod cases;
pub(crate) mod document;
mod files;
mod formats;
pub(crate) mod instructions;
mod large;
pub(crate) mod machine;
mod process;
mod request;
pub(crate) mod table;
mod ways;

use std::path::PathBuf;
use std::process::Command;

use crate::run::run as run_shown;
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use document::Section;

pub(crate) use request::Request;

/// Where the tables stand.
const DOCUMENT: &str = "docs/performance.md";

/// The tables, beside the line about the machine, which is always taken.
const TABLES: [&str; 6] = ["cases-200", "cases-4000", "instructions", "formats", "files", "large"];

/// The programs that are measured, or measure.
pub(crate) struct Programs {
    measure: PathBuf,
    value_roundtrip: PathBuf,
    cutctx: PathBuf,
}

/// Measures what is asked for; with `--write` also renews the document.
pub(crate) fn run(workspace: &Workspace, request: &Request) -> Verdict {
    build(workspace).and_then(|| match sections(workspace, &Programs::of(workspace), request) {
        Ok(sections) if request.write => document::renew(workspace, DOCUMENT, &sections),
        Ok(_) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    })
}

fn build(workspace: &Workspace) -> Verdict {
    let words =
        ["build", "--release", "--locked", "--package", "acceptance", "--package", "cutctx-cli", "--bins"];
    run_shown(&mut workspace.cargo(words))
}

impl Programs {
    fn of(workspace: &Workspace) -> Self {
        let at = |name: &str| {
            workspace.target().join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
        };
        Self { measure: at("measure"), value_roundtrip: at("value_roundtrip"), cutctx: at("cutctx") }
    }
}

/// Takes the measurements, showing each table as it comes.
///
/// # Errors
///
/// A sentence, when a program does not do what it should.
fn sections(workspace: &Workspace, programs: &Programs, request: &Request) -> Result<Vec<Section>, String> {
    let cases = cases::listed(&programs.measure)?;
    let mut sections = vec![shown(Section { name: "machine", text: machine::described() })];
    for table in TABLES.into_iter().filter(|table| request.wants(table)) {
        sections.push(shown(match table {
            "cases-200" => cases::timed(&programs.measure, &cases, 200)?,
            "cases-4000" => cases::timed(&programs.measure, &cases, 4_000)?,
            "instructions" => instructions::counted(&programs.measure, &cases)?,
            "formats" => formats::read_and_written(workspace, &programs.measure)?,
            "files" => files::compacted(programs)?,
            _ => large::compacted(programs)?,
        }));
    }
    Ok(sections)
}

fn shown(section: Section) -> Section {
    println!("\n## {}\n\n{}", section.name, section.text);
    section
}

/// What a command writes on standard output.
///
/// # Errors
///
/// A sentence, when it cannot be started or does not end well.
pub(crate) fn said(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program} could not be started: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    Err(format!("{program} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
}
