//! `cargo xtask eval [DIR] [--part PART] [--write]`: what policies keep of real sessions, and what they cost in the loop.
//!
//! It needs a folder of sessions, so the gate does not run it. With `--write` the tables replace those in the document.
//! What measures is the command itself: `cutctx eval` and `cutctx replay`.

mod parts;
mod recall;
mod replay;
mod request;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::performance::document::{self, Section};
use crate::performance::said;
use crate::run::run as run_shown;
use crate::shared;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

pub(crate) use request::Request;

/// Where the tables stand.
const DOCUMENT: &str = "docs/evaluation.md";

/// How tokens are counted: the same everywhere, whatever a session says of its model.
const COUNTED: [&str; 2] = ["--tokenizer", "chars/4"];

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
    let measure = Measure { workspace, folder: &folder };
    built.and_then(|| match (request.part, request.write) {
        (Some(part), _) => ended(measure.of_part(&part)),
        (None, true) => match measure.of_all() {
            Ok(sections) => document::renew(workspace, DOCUMENT, &sections),
            Err(why) => Verdict::Failed(why),
        },
        (None, false) => ended(measure.of_all()),
    })
}

fn ended(sections: Result<Vec<Section>, String>) -> Verdict {
    sections.map_or_else(Verdict::Failed, |_| Verdict::Passed)
}

/// The command over a folder of sessions.
struct Measure<'m> {
    workspace: &'m Workspace,
    folder: &'m Path,
}

impl Measure<'_> {
    /// The tables of one part.
    fn of_part(&self, part: &str) -> Result<Vec<Section>, String> {
        self.tables(&[&COUNTED[..], &["--part", part]].concat()).inspect(|sections| show(sections))
    }

    /// Every table of the document.
    fn of_all(&self) -> Result<Vec<Section>, String> {
        let mut sections = self.tables(&COUNTED)?;
        sections.push(Section { name: "frozen", text: parts::with_frozen_head(self)? });
        sections.push(Section { name: "parts", text: parts::tables(self)? });
        sections.push(Section { name: "counter", text: parts::by_default_counter(self)? });
        show(&sections);
        Ok(sections)
    }

    fn tables(&self, words: &[&str]) -> Result<Vec<Section>, String> {
        let kept = self.json("eval", words)?;
        let spent = self.json("replay", words)?;
        Ok(vec![
            Section { name: "about", text: recall::about(&kept)? },
            Section { name: "recall", text: recall::tables(&kept)? },
            Section { name: "replay", text: replay::table(&spent)? },
        ])
    }

    /// What a verb of the command prints as JSON.
    fn json(&self, verb: &str, words: &[&str]) -> Result<Value, String> {
        let name = format!("cutctx{}", std::env::consts::EXE_SUFFIX);
        let mut command = Command::new(self.workspace.target().join("release").join(name));
        let json = said(command.arg(verb).arg(self.folder).args(words).arg("--json"))?;
        serde_json::from_str(&json).map_err(|error| format!("`cutctx {verb}` printed no JSON: {error}"))
    }
}

fn show(sections: &[Section]) {
    for section in sections {
        println!("\n## {}\n\n{}", section.name, section.text);
    }
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
    let shown = |number: f64| if number.abs() < 0.05 { "0.0".to_owned() } else { format!("{number:.1}") };
    value.and_then(Value::as_f64).map_or_else(|| "–".to_owned(), shown)
}

/// The figure of a row, or the mean of its estimate.
fn mean(row: &Value, key: &str) -> String {
    let value = row.get(key);
    figure(value.and_then(|value| value.get("mean")).or(value))
}

/// The policy of a row.
fn policy(row: &Value) -> Result<String, String> {
    Ok(format!("`{}`", text(row, "policy")?))
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
    fn the_document_has_the_marks_of_every_part() {
        let text = std::fs::read_to_string(Workspace::here().root().join(DOCUMENT)).unwrap();
        for name in ["about", "recall", "replay", "frozen", "parts", "counter"] {
            assert!(document::replaced(&text, &Section { name, text: String::new() }).is_ok(), "{name}");
        }
    }

    #[test]
    fn an_estimate_is_shown_with_its_interval() {
        let document: Value =
            serde_json::from_str(r#"{"q":{"mean":66.66,"low":-1.25,"high":70.04}}"#).unwrap();
        assert_eq!(estimate(document.get("q")), "66.7 [-1.2, 70.0]");
        assert_eq!(estimate(document.get("none")), "–");
        assert_eq!(figure(Some(&Value::from(-0.01))), "0.0");
    }
}
