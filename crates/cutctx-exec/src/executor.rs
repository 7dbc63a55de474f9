//! The executors.

use crate::account::{Account, SummaryAccount, account};
use crate::error::ApplyError;
use crate::mismatch::{Mismatch, compare_ids, compare_strictly};
use crate::report::report;
use crate::summaries::Summaries;
use crate::view::{summary_turns, view};
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{
    CachePrices, CharRatioEstimator, CompactedTranscript, TokenEstimator, Transcript, TranscriptTurn,
};
use serde::Serialize;

/// Applies a plan to a transcript: the view to send, the report, and the account.
///
/// There are two of them:
///
/// * [`CompactionExecutor::new`] is *strict*. It takes the transcript that was planned over, or one
///   that begins with it; what came after is kept and listed as appended. It measures the supplied
///   summaries and says so where they cost more than the plan counted on.
/// * [`CompactionExecutor::reference`] looks at ids alone, takes no appended turns, and gives each
///   summary its target as its cost, measured or not. It does exactly what the reference does with
///   plans of the reference's policies.
///
/// Both are pure and run in linear time; text is shared, not copied.
#[derive(Clone)]
pub struct CompactionExecutor {
    mode: Mode,
    prices: CachePrices,
}

#[derive(Clone)]
enum Mode {
    Strict(Arc<dyn TokenEstimator>),
    Reference,
}

/// What applying a plan gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Applied {
    /// The view to send, with the report.
    pub compacted: CompactedTranscript,
    /// What the report does not tell.
    pub account: Account,
}

impl CompactionExecutor {
    /// The strict executor, which measures summaries at four characters a token.
    #[must_use]
    pub fn new() -> Self {
        Self { mode: Mode::Strict(Arc::new(CharRatioEstimator::default())), prices: CachePrices::ANTHROPIC }
    }

    /// The executor that behaves as the reference.
    #[must_use]
    pub const fn reference() -> Self {
        Self { mode: Mode::Reference, prices: CachePrices::ANTHROPIC }
    }

    /// The executor with this estimator for summaries. The reference executor measures nothing and
    /// stays as it is.
    #[must_use]
    pub fn with_estimator(self, estimator: Arc<dyn TokenEstimator>) -> Self {
        match self.mode {
            Mode::Strict(_) => Self { mode: Mode::Strict(estimator), ..self },
            Mode::Reference => self,
        }
    }

    /// The executor that reckons [`Account::cache`] at these prices; at first they are
    /// [`CachePrices::ANTHROPIC`].
    #[must_use]
    pub const fn with_cache_prices(mut self, prices: CachePrices) -> Self {
        self.prices = prices;
        self
    }

    /// Applies a plan to a transcript with these summaries. Surplus summaries are not used.
    ///
    /// # Errors
    ///
    /// * [`ApplyError::PlanTranscriptMismatch`] when the plan was made for another transcript;
    /// * [`ApplyError::SummaryMissing`] when a summary that the plan asks for was not supplied;
    /// * [`ApplyError::NotSmaller`] when the summaries, as measured, are together no smaller than what they stand for: an
    ///   agent that went on with them would be asked for the next ones at once;
    /// * [`ApplyError::TokenOverflow`] when the view adds up to more tokens than 64 bits hold.
    pub fn apply(
        &self,
        transcript: &Transcript,
        plan: &CompactionPlan,
        summaries: &Summaries,
    ) -> Result<Applied, ApplyError> {
        let mismatch = |mismatch| ApplyError::PlanTranscriptMismatch(Box::new(mismatch));
        let appended = self.appended(transcript, plan).map_err(mismatch)?;
        let summary_turns = summary_turns(plan, summaries, self.estimator())?;
        let turns = view(transcript, plan, &summary_turns, appended);
        let report = report(transcript, plan, &summary_turns, appended, turns.len());
        let account = account(transcript, plan, &turns, &summary_turns, summaries, appended, self.prices)?;
        self.refuse_growth(&account)?;
        Ok(Applied { compacted: CompactedTranscript::new(turns, report), account })
    }

    /// Refuses summaries that cost as much as what they stand for, all in all. The reference executor measures none.
    fn refuse_growth(&self, account: &Account) -> Result<(), ApplyError> {
        let sum = |tokens: fn(&SummaryAccount) -> u64| {
            account.summaries.iter().map(tokens).fold(0, u64::saturating_add)
        };
        let (tokens_before, tokens_after) = (sum(|told| told.tokens_before), sum(|told| told.tokens));
        if self.estimator().is_some() && tokens_after > 0 && tokens_after >= tokens_before {
            return Err(ApplyError::NotSmaller { tokens_before, tokens_after });
        }
        Ok(())
    }

    /// The turns that came after the planned ones, if the transcript is acceptable at all.
    fn appended<'t>(
        &self,
        transcript: &'t Transcript,
        plan: &CompactionPlan,
    ) -> Result<&'t [TranscriptTurn], Mismatch> {
        match self.mode {
            Mode::Strict(_) => compare_strictly(transcript, plan),
            Mode::Reference => compare_ids(transcript, plan).map(|()| [].as_slice()),
        }
    }

    /// What measures summaries, if anything does.
    fn estimator(&self) -> Option<&dyn TokenEstimator> {
        match &self.mode {
            Mode::Strict(estimator) => Some(estimator.as_ref()),
            Mode::Reference => None,
        }
    }
}

impl Default for CompactionExecutor {
    /// The strict executor.
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for CompactionExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mode {
            Mode::Strict(estimator) => f.debug_tuple("Strict").field(&estimator.name()).finish(),
            Mode::Reference => f.write_str("Reference"),
        }
    }
}
