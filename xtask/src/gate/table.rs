//! What a run of the gate shows: the end of each step, the table, the closing line.

use std::time::Duration;

use crate::verdict::Verdict;

/// How one step ended.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) remedy: &'static str,
    pub(super) verdict: Verdict,
    pub(super) took: Duration,
}

impl Row {
    pub(super) fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_))
    }

    /// Prints how the step ended, why, and what to do.
    pub(super) fn print_end(&self) {
        let seconds = self.took.as_secs_f64();
        match &self.verdict {
            Verdict::Passed => println!("== {}: passed in {seconds:.1} s", self.name),
            Verdict::Skipped(why) => println!("== {}: SKIPPED: {why}", self.name),
            Verdict::Failed(why) => {
                println!("== {}: FAILED in {seconds:.1} s: {why}", self.name);
                println!("== {}: to do: {}", self.name, self.remedy);
            }
        }
    }

    /// The step's line in the table.
    fn line(&self) -> String {
        let (word, more) = match &self.verdict {
            Verdict::Passed => ("passed", ""),
            Verdict::Skipped(why) => ("SKIPPED", why.as_str()),
            Verdict::Failed(_) => ("FAILED", self.remedy),
        };
        let line = format!("{:<11} {word:<8} {:>7.1}  {more}", self.name, self.took.as_secs_f64());
        line.trim_end().to_owned()
    }
}

/// Prints the table and, alone on the last line, the counts.
pub(super) fn print(rows: &[Row]) {
    println!("\n{:<11} {:<8} {:>7}", "step", "result", "seconds");
    for row in rows {
        println!("{}", row.line());
    }
    let took: Duration = rows.iter().map(|row| row.took).sum();
    println!("{:<11} {:<8} {:>7.1}\n", "all", "", took.as_secs_f64());
    println!("{}", counts(rows));
}

/// "13 passed, 1 failed, 2 skipped".
fn counts(rows: &[Row]) -> String {
    let count = |is: fn(&Verdict) -> bool| rows.iter().filter(|row| is(&row.verdict)).count();
    let passed = count(|verdict| matches!(verdict, Verdict::Passed));
    let failed = count(|verdict| matches!(verdict, Verdict::Failed(_)));
    let skipped = count(|verdict| matches!(verdict, Verdict::Skipped(_)));
    format!("{passed} passed, {failed} failed, {skipped} skipped")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(verdict: Verdict) -> Row {
        Row { name: "layers", remedy: "look at the table", verdict, took: Duration::from_millis(1_250) }
    }

    #[test]
    fn each_kind_is_counted_apart() {
        let rows = [
            row(Verdict::Passed),
            row(Verdict::Passed),
            row(Verdict::Failed("x".to_owned())),
            row(Verdict::Skipped("y".to_owned())),
        ];
        assert_eq!(counts(&rows), "2 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn a_line_shows_the_remedy_of_a_failure_and_the_reason_of_a_skip() {
        assert_eq!(row(Verdict::Passed).line(), "layers      passed       1.2");
        assert_eq!(
            row(Verdict::Failed("x".to_owned())).line(),
            "layers      FAILED       1.2  look at the table"
        );
        assert_eq!(
            row(Verdict::Skipped("no folder".to_owned())).line(),
            "layers      SKIPPED      1.2  no folder"
        );
    }
}
