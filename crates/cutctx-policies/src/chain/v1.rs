//! Version 1.0.0: what members decide about turns named like summaries is lost unless the chain made
//! those summaries itself, and the ratio is the first that any member named.

mod groups;
mod projection;
mod states;

use super::PolicyChain;
use cutctx_invariants::{CompactionPlan, PolicyError, Survey};
use cutctx_types::PlanDraft;
use projection::Projection;
use states::States;

pub(super) fn propose(chain: &PolicyChain, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
    let budget = survey.budget();
    let mut states = States::keeping(survey.turns());
    let mut projection = Projection::unchanged(survey.transcript());
    let mut ratio = None;
    for (position, member) in chain.members.iter().enumerate() {
        if position > 0 {
            projection = Projection::of(survey.turns(), &states)?;
        }
        if projection.transcript.token_estimate() <= budget.max_tokens() {
            break;
        }
        let view = Survey::new(&projection.transcript, budget)?;
        let plan = CompactionPlan::check(member.propose(&view)?, &view)?;
        ratio = ratio.or(plan.estimator_ratio());
        states.absorb(&plan, &projection.origins)?;
    }
    states.reconcile(survey.exchanges());
    Ok(states.into_draft(chain, survey.turns())?.with_estimator_ratio(ratio))
}
