//! CPU time of the kernel's cases.

use std::path::Path;
use std::process::Command;

use super::document::Section;
use super::said;
use super::table::{millis, table};

const TURNS: [u64; 4] = [100, 1_000, 10_000, 100_000];

/// CPU medians of the Python package `cutctx` 0.1.0 on the machine that it was measured on, in milliseconds, for
/// 100,000 turns of 200 characters. They are given, not measured here.
const REFERENCE: [(&str, u64); 6] = [
    ("drop_oldest", 344),
    ("masking", 323),
    ("summarizing", 531),
    ("chain", 1_690),
    ("hash", 419),
    ("apply", 489),
];

/// A case as `measure list` names it.
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) what: String,
}

/// The cases, in the order of the tables.
///
/// # Errors
///
/// A sentence, when the program cannot be run.
pub(super) fn listed(measure: &Path) -> Result<Vec<Listed>, String> {
    let list = said(Command::new(measure).arg("list"))?;
    let cases = list.lines().filter_map(|line| line.split_once('\t'));
    Ok(cases.map(|(name, what)| Listed { name: name.to_owned(), what: what.to_owned() }).collect())
}

/// The table of CPU medians for turns of this size.
///
/// # Errors
///
/// A sentence, when the program cannot be run.
pub(super) fn timed(measure: &Path, cases: &[Listed], characters: u64) -> Result<Section, String> {
    let rows: Result<Vec<_>, String> = cases.iter().map(|case| row(measure, case, characters)).collect();
    let turns = ["100", "1,000", "10,000", "100,000"];
    let reference = (characters == 200).then_some("the reference at 100,000");
    let head: Vec<&str> = ["case, in milliseconds"].into_iter().chain(turns).chain(reference).collect();
    let name = if characters == 200 { "cases-200" } else { "cases-4000" };
    Ok(Section { name, text: table(&head, &rows?) })
}

fn row(measure: &Path, case: &Listed, characters: u64) -> Result<Vec<String>, String> {
    let mut row = vec![case.what.clone()];
    for turns in TURNS {
        row.push(millis(median_micros(measure, &case.name, turns, characters)?));
    }
    if characters == 200 {
        let given = REFERENCE.iter().find(|(name, _)| *name == case.name);
        row.push(given.map_or_else(String::new, |(_, millis)| millis.to_string()));
    }
    Ok(row)
}

/// The more often, the shorter it takes.
fn median_micros(measure: &Path, case: &str, turns: u64, characters: u64) -> Result<u64, String> {
    let rounds = if turns > 10_000 { "9" } else { "51" };
    let [turns, characters] = [turns, characters].map(|number| number.to_string());
    let answer = said(Command::new(measure).args(["time", case, &turns, &characters, rounds]))?;
    answer.parse().map_err(|_| format!("`measure time {case}` gave no number: {answer}"))
}
