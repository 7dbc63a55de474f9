//! Version 2.0.0: works towards the target, leaves stubs with their digests alone, honours exemptions,
//! and records the ratio of the estimator that really measured a stub in the plan.

use super::v1::mask_down_to;
use super::{MaskStub, ObservationMaskingPolicy, v1};
use crate::proposal::Proposal;
use alloc::vec::Vec;
use cutctx_invariants::{PolicyError, Survey};
use cutctx_types::PlanDraft;

pub(super) fn propose(
    policy: &ObservationMaskingPolicy,
    survey: &Survey<'_>,
) -> Result<PlanDraft, PolicyError> {
    let mut proposal = Proposal::keeping(survey);
    let Some(goal) = survey.goal() else { return Ok(proposal.into_draft(policy)) };
    let masked = mask_down_to(policy, survey, &maskable(policy, survey), goal, &mut proposal)?;
    let ratio = if masked > 0 { policy.estimator.ratio() } else { None };
    Ok(proposal.into_draft(policy).with_estimator_ratio(ratio))
}

/// The positions of the results that may be masked, in order.
pub(super) fn maskable(policy: &ObservationMaskingPolicy, survey: &Survey<'_>) -> Vec<usize> {
    let mut results = v1::maskable(policy, survey);
    results.retain(|position| {
        survey.turns().get(*position).is_some_and(|turn| {
            !survey.is_stand_in(*position)
                && !policy.exemptions.cover(turn)
                && MaskStub::parse(turn.content()).is_none()
        })
    });
    results
}
