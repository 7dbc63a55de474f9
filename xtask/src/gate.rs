//! `cargo xtask gate [STEP...]`: every check that must hold before a change is in.
//!
//! Cheap steps come first. All steps run, also after a failure (`--fail-fast` stops at the first); each prints its
//! seconds and, when it fails, what to do about it. A table and one closing line with the counts end the run.

mod deny;
mod outside;
mod package;
mod steps;
mod table;

use std::time::Duration;

use crate::verdict::Verdict;
use crate::workspace::Workspace;
pub(crate) use steps::STEPS;
use table::Row;

/// One check of the gate.
pub(crate) struct Step {
    /// What it is called on the command line.
    pub(crate) name: &'static str,
    /// What it checks.
    pub(crate) what: &'static str,
    /// What to do when it fails.
    pub(crate) remedy: &'static str,
    /// Does it.
    pub(crate) run: fn(&Workspace) -> Verdict,
}

/// Runs the named steps, or all, in the order of the gate.
///
/// # Errors
///
/// A sentence, when a word is neither a step nor an option.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Verdict, String> {
    let (steps, fail_fast) = chosen(words)?;
    let rows = run_steps(workspace, &steps, fail_fast);
    table::print(&rows);
    Ok(closing(&rows))
}

/// The steps to run, and whether to stop at the first failure.
fn chosen(words: &[&str]) -> Result<(Vec<&'static Step>, bool), String> {
    let (options, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    if let Some(option) = options.iter().find(|option| !["--keep-going", "--fail-fast"].contains(option)) {
        return Err(format!("the gate has no option `{option}`"));
    }
    if let Some(name) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(format!("the gate has no step `{name}`"));
    }
    let steps = STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.name));
    Ok((steps.collect(), options.last() == Some(&"--fail-fast")))
}

fn run_steps(workspace: &Workspace, steps: &[&'static Step], fail_fast: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for step in steps {
        let stop = fail_fast && rows.iter().any(Row::failed);
        let row = if stop { not_reached(step) } else { run_step(workspace, step) };
        rows.push(row);
    }
    rows
}

fn run_step(workspace: &Workspace, step: &Step) -> Row {
    println!("\n== {}: {}", step.name, step.what);
    let (verdict, took) = timed(|| (step.run)(workspace));
    let row = Row { name: step.name, remedy: step.remedy, verdict, took };
    row.print_end();
    row
}

fn not_reached(step: &Step) -> Row {
    let verdict = Verdict::Skipped("an earlier step failed".to_owned());
    Row { name: step.name, remedy: step.remedy, verdict, took: Duration::ZERO }
}

#[expect(
    clippy::disallowed_types,
    reason = "the gate shows how long each step takes; no result depends on it"
)]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = std::time::Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Failed when any step failed.
fn closing(rows: &[Row]) -> Verdict {
    let failed: Vec<&str> = rows.iter().filter(|row| row.failed()).map(|row| row.name).collect();
    if failed.is_empty() { Verdict::Passed } else { Verdict::Failed(failed.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(_: &Workspace) -> Verdict {
        Verdict::Failed("always".to_owned())
    }

    fn passing(_: &Workspace) -> Verdict {
        Verdict::Passed
    }

    const FAILS: Step = Step { name: "fails", what: "", remedy: "mend it", run: failing };
    const PASSES: Step = Step { name: "passes", what: "", remedy: "", run: passing };

    #[test]
    fn no_name_means_every_step_in_order() {
        let (steps, fail_fast) = chosen(&[]).unwrap();
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        assert_eq!(names, STEPS.iter().map(|step| step.name).collect::<Vec<_>>());
        assert!(!fail_fast);
    }

    #[test]
    fn named_steps_run_in_the_order_of_the_gate() {
        let (steps, fail_fast) = chosen(&["--fail-fast", "layers", "fmt"]).unwrap();
        assert_eq!(steps.iter().map(|step| step.name).collect::<Vec<_>>(), ["fmt", "layers"]);
        assert!(fail_fast);
    }

    #[test]
    fn an_unknown_step_or_option_is_named() {
        assert_eq!(chosen(&["lunt"]).err(), Some("the gate has no step `lunt`".to_owned()));
        assert_eq!(chosen(&["--fast"]).err(), Some("the gate has no option `--fast`".to_owned()));
    }

    #[test]
    fn every_step_has_one_name_and_a_remedy_of_one_line() {
        for step in STEPS {
            assert_eq!(STEPS.iter().filter(|other| other.name == step.name).count(), 1);
            assert!(!step.remedy.is_empty() && !step.remedy.contains('\n'), "{}", step.name);
        }
    }

    #[test]
    fn a_failure_does_not_stop_the_next_step_and_fails_the_gate() {
        let rows = run_steps(&Workspace::here(), &[&FAILS, &PASSES], false);
        assert_eq!(rows.iter().map(|row| &row.verdict).nth(1), Some(&Verdict::Passed));
        assert_eq!(closing(&rows), Verdict::Failed("fails".to_owned()));
    }

    #[test]
    fn with_fail_fast_a_step_after_a_failure_is_skipped_and_never_passed() {
        let rows = run_steps(&Workspace::here(), &[&FAILS, &PASSES], true);
        assert!(matches!(rows.last().unwrap().verdict, Verdict::Skipped(_)));
    }
}
