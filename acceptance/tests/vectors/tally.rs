//! The counts of a run.

use super::outcome::Verdict;
use core::fmt;

/// How many vectors held, were skipped, were refused or failed, and why.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    skipped: Vec<String>,
    refused: Vec<String>,
    failed: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, name: &str, verdict: Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Skipped(reason) => self.skipped.push(format!("{name}: {reason}")),
            Verdict::Refused(reason) => self.refused.push(format!("{name}: {reason}")),
            Verdict::Failed(reason) => self.failed.push(format!("{name}: {reason}")),
        }
    }

    /// How many there were in all.
    pub(crate) fn ran(&self) -> usize {
        self.passed + self.skipped.len() + self.refused.len() + self.failed.len()
    }

    /// How many held.
    pub(crate) const fn passed(&self) -> usize {
        self.passed
    }

    /// How many failed.
    pub(crate) const fn failed(&self) -> usize {
        self.failed.len()
    }

    pub(crate) fn assert_no_failure(&self) {
        assert!(
            self.failed.is_empty(),
            "{} vectors fail; the first: {:?}",
            self.failed.len(),
            self.failed.first()
        );
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, skipped, refused, failed } = self;
        let (skips, refusals, failures) = (skipped.len(), refused.len(), failed.len());
        write!(f, "{passed} passed, {skips} skipped, {refusals} refused, {failures} failed")?;
        skipped.iter().try_for_each(|line| write!(f, "\n  skipped {line}"))?;
        refused.iter().try_for_each(|line| write!(f, "\n  refused {line}"))?;
        failed.iter().take(20).try_for_each(|line| write!(f, "\n  FAILED {line}"))
    }
}
