//! Exit codes: part of the command's interface.

use std::process::ExitCode;

/// How a run ended, as scripts see it. The numbers never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done, or there was nothing to do.
    Done,
    /// 1: a bug of ours.
    Bug,
    /// 2: the command line makes no sense.
    Usage,
    /// 3: the output is written, but it is still above the budget.
    OverBudget,
    /// 4: what must be kept is above the budget, so no plan exists.
    Unsatisfiable,
    /// 5: the plan needs summaries that were not supplied.
    SummariesNeeded,
    /// 6: an input is unreadable or refused, or an output cannot be written.
    Refused,
    /// 7: a plan does not belong to its session, or a verification failed.
    Mismatch,
    /// 8: `lint` found something; `repair` has something to do, or could not mend all.
    Findings,
    /// 9: `eval` or `replay` found nothing that it could measure.
    NothingToMeasure,
}

impl Exit {
    /// The number.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Bug => 1,
            Self::Usage => 2,
            Self::OverBudget => 3,
            Self::Unsatisfiable => 4,
            Self::SummariesNeeded => 5,
            Self::Refused => 6,
            Self::Mismatch => 7,
            Self::Findings => 8,
            Self::NothingToMeasure => 9,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}

/// The table for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0  done, or it fits already
  1  a bug in cutctx
  2  wrong usage
  3  still over budget after compaction (the output is written)
  4  the budget is below what must be kept
  5  summaries are needed (the plan is written)
  6  an input is unreadable or refused, or an output cannot be written
  7  a plan does not match, or a verification failed
  8  lint found something, or repair has something to do or could not mend all
  9  eval or replay found nothing that it could measure";
