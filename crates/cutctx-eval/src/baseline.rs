//! What bounds the scale: chance, and knowing the future.

mod oracle;
mod random;

pub(crate) use oracle::Oracle;
pub use random::RandomKeepPolicy;

use alloc::sync::Arc;
use cutctx::{Action, CompactionPolicy, PlanDraft, Survey, TurnAction};

/// The version of both.
const VERSION: &str = "1.0.0";

/// A draft that keeps these exchanges and drops all others that may go.
fn draft(policy: &dyn CompactionPolicy, survey: &Survey<'_>, keeps: &[bool]) -> PlanDraft {
    let action = |position: usize| {
        let exchange = survey.exchanges().of(position);
        let keeps = exchange.and_then(|exchange| keeps.get(exchange)).copied().unwrap_or(true);
        if keeps || !survey.is_removable(position) { Action::Keep } else { Action::Drop }
    };
    let turns = survey.turns().iter().enumerate();
    let actions = turns.map(|(position, turn)| TurnAction::new(Arc::clone(turn.turn_id()), action(position)));
    PlanDraft::new(policy.name(), policy.version(), actions.collect())
}

/// The exchanges that may go, and the tokens that they may take together so that all fits.
fn contest(survey: &Survey<'_>) -> (Vec<usize>, u64) {
    let exchanges = 0..survey.exchanges().len();
    let removable: Vec<usize> =
        exchanges.filter(|exchange| survey.is_removable_exchange(*exchange)).collect();
    let room = survey.goal().map_or(u64::MAX, |goal| goal.saturating_sub(survey.floor().total()));
    (removable, room)
}

/// What an exchange costs, in tokens.
fn cost(survey: &Survey<'_>, exchange: usize) -> u64 {
    let members = survey.exchanges().members(exchange).iter();
    let turns = members.filter_map(|position| survey.turns().get(*position));
    turns.fold(0, |sum, turn| sum.saturating_add(turn.token_estimate()))
}
