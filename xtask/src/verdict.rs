//! How a check ended.

use std::fmt;
use std::process::ExitCode;

/// How a check ended. A skipped check is never counted as a passed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It ran and found nothing.
    Passed,
    /// It did not run, for this reason.
    Skipped(String),
    /// It found this, in one line; the details are printed already.
    Failed(String),
}

impl Verdict {
    /// Passed when there is nothing in `complaints`; otherwise prints each of them and fails.
    pub(crate) fn from_complaints<C: fmt::Display>(complaints: &[C]) -> Self {
        for complaint in complaints {
            eprintln!("  {complaint}");
        }
        match complaints.len() {
            0 => Self::Passed,
            1 => Self::Failed("1 complaint".to_owned()),
            many => Self::Failed(format!("{many} complaints")),
        }
    }

    /// Prints why it was skipped or failed, for a verb that does not say so itself.
    pub(crate) fn shown(self) -> Self {
        match &self {
            Self::Passed => {}
            Self::Skipped(why) => println!("SKIPPED: {why}"),
            Self::Failed(why) => eprintln!("FAILED: {why}"),
        }
        self
    }

    /// The exit code of a verb that ended so.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Passed | Self::Skipped(_) => ExitCode::SUCCESS,
            Self::Failed(_) => ExitCode::FAILURE,
        }
    }

    /// This verdict, or when it is a pass that of `next`: both must hold.
    pub(crate) fn and_then(self, next: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Passed => next(),
            ended => ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_complaint_is_a_pass_and_one_is_a_failure() {
        assert_eq!(Verdict::from_complaints::<&str>(&[]), Verdict::Passed);
        let failed = Verdict::from_complaints(&["a file is missing"]);
        assert_eq!(failed, Verdict::Failed("1 complaint".to_owned()));
    }

    #[test]
    fn only_a_failure_exits_with_a_failure() {
        let skipped = Verdict::Skipped("no folder".to_owned());
        let failed = Verdict::Failed("bad".to_owned());
        assert_eq!(Verdict::Passed.exit(), ExitCode::SUCCESS);
        assert_eq!(skipped.exit(), ExitCode::SUCCESS);
        assert_eq!(failed.exit(), ExitCode::FAILURE);
    }

    #[test]
    fn nothing_runs_after_a_failure() {
        let mut ran = false;
        let ended = Verdict::Failed("first".to_owned()).and_then(|| {
            ran = true;
            Verdict::Passed
        });
        assert_eq!(ended, Verdict::Failed("first".to_owned()));
        assert!(!ran);
    }
}
