//! Version 2.0.0: works towards the target, and drops nothing that saves nothing.

use crate::exemptions::Exemptions;
use crate::proposal::{Proposal, tokens_of};
use cutctx_invariants::Survey;
use cutctx_types::Action;

pub(super) fn propose(survey: &Survey<'_>, exemptions: &Exemptions) -> Proposal {
    let mut proposal = Proposal::keeping(survey);
    let Some(goal) = survey.goal() else { return proposal };
    let exempt = exemptions.exempt_exchanges(survey);
    let mut running = survey.transcript().token_estimate();
    for (exchange, members) in survey.exchanges().iter().enumerate() {
        if running <= goal {
            break;
        }
        let is_exempt = exempt.get(exchange).is_some_and(|exempt| *exempt);
        let worth = tokens_of(survey, members);
        if worth > 0 && !is_exempt && survey.is_removable_exchange(exchange) {
            proposal.set_all(members, &Action::Drop);
            running = running.saturating_sub(worth);
        }
    }
    proposal
}
