//! `cargo xtask eval [DIR] [--write]`: what policies keep of real sessions, and what they cost in the loop.
//!
//! It needs a folder of sessions, so the gate does not run it. With `--write` the tables replace those in the document.
//! What measures is the command itself: `cutctx eval` and `cutctx replay`.

mod recall;
mod replay;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::performance::document::{self, Section};
use crate::performance::said;
use crate::run::run as run_shown;
use crate::shared;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Where the tables stand.
const DOCUMENT: &str = "docs/evaluation.md";

/// How tokens are counted: the same everywhere, whatever a session says of its model.
const COUNTED: [&str; 2] = ["--tokenizer", "chars/4"];

/// What is asked for on the command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    folder: Option<PathBuf>,
    write: bool,
}

impl Request {
    /// Reads the words behind the verb: a folder and `--write`, each at most once.
    pub(crate) fn of(words: &[&str]) -> Result<Self, String> {
        let (mut folder, mut write) = (None, false);
        for word in words {
            match *word {
                "--write" if !write => write = true,
                path if !path.starts_with('-') && folder.is_none() => folder = Some(PathBuf::from(path)),
                _ => return Err("a folder and --write are expected here".to_owned()),
            }
        }
        Ok(Self { folder, write })
    }
}

/// Measures on the folder that is named, or on the test data.
pub(crate) fn run(workspace: &Workspace, request: Request) -> Verdict {
    let folder = match shared::folder(workspace, "corpus", request.folder) {
        Ok(folder) => folder,
        Err(ended) => return ended,
    };
    let built = run_shown(&mut workspace.cargo([
        "build",
        "--release",
        "--locked",
        "--package",
        "cutctx-cli",
        "--bins",
    ]));
    built.and_then(|| match sections(workspace, &folder) {
        Ok(sections) if request.write => document::renew(workspace, DOCUMENT, &sections),
        Ok(_) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    })
}

fn sections(workspace: &Workspace, folder: &Path) -> Result<Vec<Section>, String> {
    let kept = measured(workspace, "eval", folder)?;
    let spent = measured(workspace, "replay", folder)?;
    let sections = vec![
        Section { name: "about", text: recall::about(&kept)? },
        Section { name: "recall", text: recall::tables(&kept)? },
        Section { name: "replay", text: replay::table(&spent)? },
    ];
    for section in &sections {
        println!("\n## {}\n\n{}", section.name, section.text);
    }
    Ok(sections)
}

/// What a verb of the command prints as JSON.
fn measured(workspace: &Workspace, verb: &str, folder: &Path) -> Result<Value, String> {
    let name = format!("cutctx{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(workspace.target().join("release").join(name));
    let json = said(command.arg(verb).arg(folder).args(COUNTED).arg("--json"))?;
    serde_json::from_str(&json).map_err(|error| format!("`cutctx {verb}` printed no JSON: {error}"))
}

/// A list of a document.
fn list<'v>(document: &'v Value, key: &str) -> Result<&'v Vec<Value>, String> {
    document.get(key).and_then(Value::as_array).ok_or_else(|| format!("there is no list `{key}`"))
}

/// A text of a document.
fn text<'v>(document: &'v Value, key: &str) -> Result<&'v str, String> {
    document.get(key).and_then(Value::as_str).ok_or_else(|| format!("there is no text `{key}`"))
}

/// A figure with one digit behind the point; a dash where there is none.
fn figure(value: Option<&Value>) -> String {
    value.and_then(Value::as_f64).map_or_else(|| "–".to_owned(), |number| format!("{number:.1}"))
}

/// An estimate with its interval.
fn estimate(value: Option<&Value>) -> String {
    let Some(estimate) = value.filter(|value| value.is_object()) else { return "–".to_owned() };
    let end = |key: &str| figure(estimate.get(key));
    format!("{} [{}, {}]", end("mean"), end("low"), end("high"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_the_option_may_stand_in_any_order() {
        let expected = Request { folder: Some(PathBuf::from("data")), write: true };
        assert_eq!(Request::of(&["data", "--write"]).as_ref(), Ok(&expected));
        assert_eq!(Request::of(&["--write", "data"]).as_ref(), Ok(&expected));
        assert_eq!(Request::of(&[]), Ok(Request { folder: None, write: false }));
        assert!(Request::of(&["a", "b"]).is_err() && Request::of(&["--read"]).is_err());
    }

    #[test]
    fn the_document_has_the_marks_of_every_part() {
        let text = std::fs::read_to_string(Workspace::here().root().join(DOCUMENT)).unwrap();
        for name in ["about", "recall", "replay"] {
            assert!(document::replaced(&text, &Section { name, text: String::new() }).is_ok(), "{name}");
        }
    }

    #[test]
    fn an_estimate_is_shown_with_its_interval() {
        let document: Value =
            serde_json::from_str(r#"{"q":{"mean":66.66,"low":-1.25,"high":70.04}}"#).unwrap();
        assert_eq!(estimate(document.get("q")), "66.7 [-1.2, 70.0]");
        assert_eq!(estimate(document.get("none")), "–");
    }
}
