//! Version 1.0.0: masks stubs again where that is cheaper, and records four characters a token exactly
//! when its own estimator measured.

use super::ObservationMaskingPolicy;
use super::stub::Stubs;
use crate::proposal::Proposal;
use alloc::vec::Vec;
use cutctx_invariants::{PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, Role};

pub(super) fn propose(
    policy: &ObservationMaskingPolicy,
    survey: &Survey<'_>,
) -> Result<PlanDraft, PolicyError> {
    let max = survey.budget().max_tokens();
    let mut proposal = Proposal::keeping(survey);
    let masked = mask_down_to(policy, survey, &maskable(policy, survey), max, &mut proposal)?;
    let ratio = if masked > 0 && policy.estimator.is_own() { policy.estimator.ratio() } else { None };
    Ok(proposal.into_draft(policy).with_estimator_ratio(ratio))
}

/// The positions of the results that may be masked, in order.
pub(super) fn maskable(policy: &ObservationMaskingPolicy, survey: &Survey<'_>) -> Vec<usize> {
    let turns = survey.turns().iter().enumerate();
    let results = turns.filter(|(_, turn)| turn.role() == Role::Tool).map(|(position, _)| position);
    let mut results: Vec<usize> = results.collect();
    let kept = usize::try_from(policy.keep_recent_results).unwrap_or(usize::MAX);
    results.truncate(results.len().saturating_sub(kept));
    results.retain(|position| !survey.is_untouchable(*position));
    results
}

/// Masks results in order until the transcript costs no more than `goal`; gives how many.
pub(super) fn mask_down_to(
    policy: &ObservationMaskingPolicy,
    survey: &Survey<'_>,
    results: &[usize],
    goal: u64,
    proposal: &mut Proposal,
) -> Result<usize, InvalidValue> {
    let mut running = survey.transcript().token_estimate();
    let mut masked = 0_usize;
    let mut stubs = Stubs::of(policy);
    for position in results {
        if running <= goal {
            break;
        }
        let Some(turn) = survey.turns().get(*position) else { continue };
        let replacement = stubs.stub_of(survey.original(*position).unwrap_or(turn))?;
        let Some(saved @ 1..) = turn.token_estimate().checked_sub(replacement.token_estimate) else {
            continue;
        };
        running = running.saturating_sub(saved);
        masked = masked.saturating_add(1);
        proposal.set(*position, Action::Mask(replacement));
    }
    Ok(masked)
}
