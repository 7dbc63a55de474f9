//! Version 1.0.0: one span a plan, found in a way that may cut an exchange in two, and a group id that
//! is not free of collisions.

use super::SummarizingPolicy;
use super::target::target_tokens;
use crate::proposal::{Proposal, tokens_of};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::{PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, SummarizationRequest, sha256_of_text};

pub(super) fn propose(policy: &SummarizingPolicy, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
    let mut proposal = Proposal::keeping(survey);
    if survey.transcript().token_estimate() <= survey.budget().max_tokens() {
        return Ok(proposal.into_draft(policy));
    }
    let Some((span, target)) = first_worthwhile(policy, survey)? else {
        return Ok(proposal.into_draft(policy));
    };
    let request = request_for(policy, survey, &span, target)?;
    proposal.set_all(&span, &Action::Summarize { group: request.group_id().clone() });
    Ok(proposal.into_draft(policy).with_requests(alloc::vec![request]))
}

/// The first span that is long enough and whose summary would be shorter, with that target.
fn first_worthwhile(
    policy: &SummarizingPolicy,
    survey: &Survey<'_>,
) -> Result<Option<(Vec<usize>, u64)>, InvalidValue> {
    let least = usize::try_from(policy.min_span_turns).unwrap_or(usize::MAX);
    for span in spans(survey).into_iter().filter(|span| span.len() >= least) {
        let tokens = tokens_of(survey, &span);
        let target = target_tokens(tokens, policy.target_ratio)?;
        if target < tokens {
            return Ok(Some((span, target)));
        }
    }
    Ok(None)
}

/// Stretches of adjacent turns, each of whose exchanges lies in one run of removable turns. That the
/// run may fall into several stretches, with the exchange in two of them, goes unnoticed.
fn spans(survey: &Survey<'_>) -> Vec<Vec<usize>> {
    let whole = exchanges_in_one_run(survey);
    let stays_whole =
        |position: &usize| survey.exchanges().of(*position).and_then(|exchange| whole.get(exchange).copied());
    let kept: Vec<usize> =
        (0..survey.turns().len()).filter(|position| stays_whole(position) == Some(true)).collect();
    let adjacent = |left: &usize, right: &usize| left.checked_add(1) == Some(*right);
    kept.chunk_by(adjacent).map(<[usize]>::to_vec).collect()
}

/// By exchange: whether it is removable and all its members lie in one run of adjacent removable turns.
fn exchanges_in_one_run(survey: &Survey<'_>) -> Vec<bool> {
    let runs = runs_of_removable(survey);
    let run_of = |position: &usize| runs.get(*position).copied().flatten();
    let in_one_run = |members: &[usize]| {
        let first = members.first().and_then(run_of);
        first.is_some() && members.iter().all(|member| run_of(member) == first)
    };
    survey.exchanges().iter().map(in_one_run).collect()
}

/// By position: the number of the run of adjacent removable turns that the turn is in.
fn runs_of_removable(survey: &Survey<'_>) -> Vec<Option<usize>> {
    let mut run = 0_usize;
    let number = |position| {
        if survey.is_removable(position) {
            return Some(run);
        }
        run = run.saturating_add(1);
        None
    };
    (0..survey.turns().len()).map(number).collect()
}

fn request_for(
    policy: &SummarizingPolicy,
    survey: &Survey<'_>,
    span: &[usize],
    target: u64,
) -> Result<SummarizationRequest, InvalidValue> {
    let turns = span.iter().filter_map(|position| survey.turns().get(*position));
    let ids: Vec<Arc<str>> = turns.map(|turn| turn.turn_id().clone()).collect();
    let group_id = group_id(&ids);
    Ok(SummarizationRequest::new(group_id, ids, target, policy.prompt_id.clone())?)
}

/// Derived from the ids joined with NUL, which ids that hold a NUL themselves can imitate.
fn group_id(ids: &[Arc<str>]) -> String {
    let digest = sha256_of_text(&ids.join("\0")).to_hex();
    format!("span-{}", digest.get(..16).unwrap_or_default())
}
