//! The one-call path.

use crate::error::Error;
use cutctx_exec::{Applied, CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, CompactionPolicy};
use cutctx_types::{CompactionBudget, Transcript};

/// A plan and what applying it gave.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// What was decided.
    pub plan: CompactionPlan,
    /// The view to send, the report and the account.
    pub applied: Applied,
}

/// Decides and applies in one call.
///
/// This is all there is to do for policies that ask for no summaries. A plan that asks for some is fulfilled between
/// the two halves: decide with [`CompactionPolicy::decide`], have a model answer
/// [`CompactionPlan::summarization_requests`], and apply with [`CompactionExecutor::apply`]. Summaries that were made
/// for this very plan before (group ids are derived from the turns) can be handed in here as well.
///
/// # Errors
///
/// [`Error::Policy`] when no plan came about, [`Error::Apply`] when the plan asks for a summary that is not among
/// `summaries`.
///
/// # Example: a budget that only dropping can meet
///
/// ```
/// use cutctx::{CompactionBudget, DropOldestPolicy, Role, Summaries, Transcript, TranscriptTurn, compact};
///
/// let turns = vec![
///     TranscriptTurn::new("s", Role::System, "be brief", 2)?,
///     TranscriptTurn::new("u1", Role::User, "a long story from long ago", 900)?,
///     TranscriptTurn::new("u2", Role::User, "what now?", 3)?,
/// ];
/// let budget = CompactionBudget::new(100).with_protected_recent_turns(1);
/// let outcome = compact(&Transcript::new(turns)?, &budget, &DropOldestPolicy::new(), &Summaries::none())?;
/// assert_eq!(outcome.applied.compacted.turns.len(), 2);
/// assert_eq!(outcome.applied.account.tokens_after_measured, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compact(
    transcript: &Transcript,
    budget: &CompactionBudget,
    policy: &dyn CompactionPolicy,
    summaries: &Summaries,
) -> Result<Outcome, Error> {
    let plan = policy.decide(transcript, budget)?;
    let applied = CompactionExecutor::new().apply(transcript, &plan, summaries)?;
    Ok(Outcome { plan, applied })
}
