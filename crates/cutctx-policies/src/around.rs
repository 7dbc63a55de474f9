//! What policies around another one have in common.

use crate::proposal::{Proposal, in_name_of};
use crate::resurvey::resurveyed;
use alloc::format;
use alloc::string::String;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{InvalidValue, PlanDraft, Transcript};

/// A policy in the name of one around it: `drop_oldest@2.0.0`.
pub(crate) fn named(policy: &dyn CompactionPolicy) -> String {
    format!("{}@{}", policy.name(), policy.version())
}

/// The name of a policy around another one: `pays_back(drop_oldest@2.0.0)`.
pub(crate) fn name_around(kind: &str, inner: &dyn CompactionPolicy) -> String {
    format!("{kind}({})", named(inner))
}

/// The draft of another policy in the name of this one, where its plan is worth it; else one that keeps every turn.
pub(crate) fn taken_where(
    policy: &dyn CompactionPolicy,
    draft: PlanDraft,
    survey: &Survey<'_>,
    is_worth_it: impl FnOnce(&CompactionPlan) -> bool,
) -> Result<PlanDraft, PolicyError> {
    let plan = CompactionPlan::check(draft, survey)?;
    if is_worth_it(&plan) {
        return Ok(in_name_of(policy, plan.into_draft()));
    }
    Ok(Proposal::keeping(survey).into_draft(policy))
}

/// What a policy plans where the turns at some positions are pinned, too; `None` where the budget cannot be met then.
pub(crate) fn plan_with_pins(
    policy: &dyn CompactionPolicy,
    survey: &Survey<'_>,
    is_pinned: impl Fn(usize) -> bool,
) -> Result<Option<CompactionPlan>, PolicyError> {
    let transcript = pinned(survey.transcript(), is_pinned)?;
    let Ok(pinned) = resurveyed(survey, &transcript, survey.budget()) else { return Ok(None) };
    if policy.admit(&pinned).is_err() {
        return Ok(None);
    }
    Ok(Some(CompactionPlan::check(policy.propose(&pinned)?, survey)?))
}

fn pinned(transcript: &Transcript, is_pinned: impl Fn(usize) -> bool) -> Result<Transcript, InvalidValue> {
    let turns = transcript.turns().iter().enumerate();
    let turns = turns.map(|(position, turn)| {
        let turn = turn.clone();
        if is_pinned(position) { turn.with_pinned(true) } else { turn }
    });
    Ok(Transcript::new(turns.collect())?)
}
