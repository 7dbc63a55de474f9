//! What holds round after round.

use super::scene::{applied, plan, policies, round, session, tight};
use super::{Failure, ensure};
use cutctx_types::{Action, CompactionBudget, Transcript};

/// How many rounds the agent goes on for.
const ROUNDS: usize = 60;

/// What each view of the loop must fit into, in tokens.
const MAX_TOKENS: u64 = 1_000;

pub(super) fn is_idempotent() -> Result<(), Failure> {
    let transcript = session()?;
    let budget = tight(&transcript);
    for policy in policies()? {
        let plan = policy.decide(&transcript, &budget)?;
        let view = applied(&transcript, &plan)?.compacted.into_transcript()?;
        let again = policy.decide(&view, &budget)?;
        ensure(again.actions().iter().all(|action| action.action == Action::Keep), policy.name())?;
    }
    Ok(())
}

pub(super) fn stays_within_budget() -> Result<(), Failure> {
    let budget = CompactionBudget::new(MAX_TOKENS);
    let mut view = Transcript::new(session()?.turns().iter().take(2).cloned().collect())?;
    let mut compactions = 0_usize;
    for number in 0..ROUNDS {
        let turns = view.turns().iter().cloned().chain(round(number)?);
        let grown = Transcript::new(turns.collect())?;
        let plan = plan(&grown, &budget)?;
        let outcome = applied(&grown, &plan)?;
        let after = outcome.account.tokens_after_measured;
        ensure(after <= MAX_TOKENS.min(grown.token_estimate()), format!("round {number}: {after} tokens"))?;
        compactions =
            compactions.saturating_add(usize::from(outcome.account.first_changed_position.is_some()));
        view = outcome.compacted.into_transcript()?;
    }
    ensure(compactions > 3, format!("only {compactions} compactions"))
}
