//! How many cases of which function came out how.

use alloc::collections::BTreeMap;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is as the reference has it.
    Passed,
    /// The reference refuses a value that our types do not have.
    Typed,
    /// It is not replayed, for this reason.
    Skipped(&'static str),
    /// It differs.
    Failed(String),
}

/// Passed where two things are equal.
pub(crate) fn same<T: PartialEq + core::fmt::Debug>(found: &T, wanted: &T) -> Verdict {
    if found == wanted {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("found  {found:?}\nwanted {wanted:?}"))
    }
}

/// The tally of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<(String, &'static str), usize>,
    pub(crate) failed: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, function: &str, name: &str, verdict: Verdict) {
        let kind = match verdict {
            Verdict::Passed => "passed",
            Verdict::Typed => "passed: our types have no such value",
            Verdict::Skipped(why) => why,
            Verdict::Failed(why) => {
                self.failed.push(format!("{function}/{name}: {why}"));
                "FAILED"
            }
        };
        let count = self.counts.entry((function.to_owned(), kind)).or_default();
        *count = count.saturating_add(1);
    }

    pub(crate) fn print(&self) {
        for ((function, kind), count) in &self.counts {
            println!("{function:45} {count:4} {kind}");
        }
        for failed in self.failed.iter().take(8) {
            println!("{}", failed.chars().take(3_000).collect::<String>());
        }
    }

    pub(crate) fn passed(&self) -> usize {
        let passed = self.counts.iter().filter(|((_, kind), _)| kind.starts_with("passed"));
        passed.map(|(_, count)| *count).sum()
    }
}
