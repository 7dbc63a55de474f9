//! Version 2.0.0: every member sees what the members before it have left, and acts on all of it.
//!
//! The members work on a *projection*: the turns that still stand, masked and trimmed ones at their new
//! cost, and one stand-in for each group that a summary will replace. What a member does to a stand-in
//! it does to the turns behind it, so exchanges stay whole because they were whole in the projection.

mod group;
mod projection;
mod promise;
mod work;

use super::PolicyChain;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::PlanDraft;
use projection::Projection;
use work::Work;

pub(super) fn propose(chain: &PolicyChain, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
    let mut work = Work::on(survey);
    if let Some(goal) = survey.goal() {
        for member in chain.members() {
            if work.running() <= goal {
                break;
            }
            let plan = ask(member, &work)?;
            work.absorb(plan);
        }
        if work.running() > goal {
            work = promise::kept(chain, work, goal);
        }
    }
    draft_of(work, chain)
}

/// What another policy plans for what a plan leaves, and both as one draft in the name of a third policy.
pub(crate) fn continued(
    policy: &dyn CompactionPolicy,
    survey: &Survey<'_>,
    first: CompactionPlan,
    then: &dyn CompactionPolicy,
) -> Result<PlanDraft, PolicyError> {
    let mut work = Work::on(survey);
    work.absorb(first);
    let plan = ask(then, &work)?;
    work.absorb(plan);
    draft_of(work, policy)
}

/// What a member plans for what is left.
///
/// Its own admission is not asked: whether the budget can be met was asked of the whole chain, where
/// one member may count on what another one shortens.
fn ask(member: &dyn CompactionPolicy, work: &Work<'_, '_>) -> Result<CompactionPlan, PolicyError> {
    let survey = work.survey();
    if work.is_untouched() {
        return plan_of(member, survey);
    }
    let projection = Projection::of(work)?;
    let survey = Survey::continuing(&projection.transcript, survey.budget(), projection.stand_ins)?;
    plan_of(member, &survey.with_originals(projection.originals))
}

fn plan_of(member: &dyn CompactionPolicy, survey: &Survey<'_>) -> Result<CompactionPlan, PolicyError> {
    Ok(CompactionPlan::check(member.propose(survey)?, survey)?)
}

/// One draft over the real turns.
fn draft_of(work: Work<'_, '_>, policy: &dyn CompactionPolicy) -> Result<PlanDraft, PolicyError> {
    let ratio = work.common_ratio();
    let (proposal, requests) = work.into_parts()?;
    Ok(proposal.into_draft(policy).with_requests(requests).with_estimator_ratio(ratio))
}
