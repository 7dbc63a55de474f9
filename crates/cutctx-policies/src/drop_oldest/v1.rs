//! Version 1.0.0: also drops exchanges that are worth nothing, and looks at the maximum alone.

use crate::proposal::{Proposal, tokens_of};
use cutctx_invariants::Survey;
use cutctx_types::Action;

pub(super) fn propose(survey: &Survey<'_>) -> Proposal {
    let mut proposal = Proposal::keeping(survey);
    let max = survey.budget().max_tokens();
    let mut running = survey.transcript().token_estimate();
    for (exchange, members) in survey.exchanges().iter().enumerate() {
        if running <= max {
            break;
        }
        if survey.is_removable_exchange(exchange) {
            proposal.set_all(members, &Action::Drop);
            running = running.saturating_sub(tokens_of(survey, members));
        }
    }
    proposal
}
