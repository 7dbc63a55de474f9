//! What tools said when they failed, in short.

mod telling;

use crate::clip::{Limits, clipped};
use crate::masking::MaskStub;
use crate::shortening::{Common, Shorten, shortening_policy};
use crate::trimming::Trimming;
use alloc::boxed::Box;
use cutctx_invariants::Survey;
use cutctx_types::{InvalidValue, Role, TranscriptTurn};
use telling::Telling;

/// Cuts the results of calls that failed to their first and last hundred characters: what went wrong stands there,
/// and is seldom needed again.
///
/// A result has failed when its turn says so ([`TranscriptTurn::failed`]), as formats tell it. Where no
/// turn of a transcript does, texts are asked, whether they begin like the report of a failure or tell of an exit code
/// other than zero.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::FailedResultsPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let trace = ["cannot find the file\n", &"at some line of the program\n".repeat(40), "gave up"].concat();
/// let turns = vec![TranscriptTurn::new("t", Role::Tool, trace, 300)?.with_failed(true)];
/// let budget = CompactionBudget::new(100).with_protected_recent_turns(0);
/// let plan = FailedResultsPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert!(plan.tokens_after_estimate() < 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FailedResultsPolicy {
    limits: Limits,
    pub(crate) common: Common,
}

impl FailedResultsPolicy {
    /// The policy at version 2.0.0, with a hundred characters of each end.
    #[must_use]
    pub const fn new() -> Self {
        let limits = Limits::known(200, 100, 100);
        Self { limits, common: Common::new() }
    }

    /// The policy leaving this many characters of the beginning and of the end.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when both are none.
    pub fn with_ends(mut self, head_chars: u64, tail_chars: u64) -> Result<Self, InvalidValue> {
        let max = head_chars.saturating_add(tail_chars).saturating_add(1);
        self.limits = Limits::new(max, head_chars, tail_chars)?;
        Ok(self)
    }

    /// How much of each end stays unless told otherwise, in characters.
    pub(crate) const DEFAULT_CHARS: u64 = 100;

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        let telling = Telling::of(survey);
        Box::new(move |position| {
            let turn = survey.turns().get(position).filter(|turn| has_failed(turn, telling));
            let trimming = Trimming::measured_by(&self.common.estimator);
            turn.map_or(Ok(None), |turn| clipped(turn, &self.limits, &trimming))
        })
    }
}

shortening_policy!(FailedResultsPolicy, "failed_results", FailedResultsPolicy::prepare);

fn has_failed(turn: &TranscriptTurn, telling: Telling) -> bool {
    turn.role() == Role::Tool && telling.has_failed(turn) && MaskStub::parse(turn.content()).is_none()
}
