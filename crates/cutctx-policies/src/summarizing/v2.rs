//! Version 2.0.0: closed spans, as many as needed, oldest first; none that saves nothing.

mod span_id;

use super::SummarizingPolicy;
use super::spans::closed_spans;
use super::target::target_tokens;
use crate::free_ids::FreeIds;
use crate::proposal::Proposal;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::{PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, SUMMARY_PREFIX, SummarizationRequest, TranscriptTurn};
pub(crate) use span_id::SpanIds;

pub(super) fn propose(policy: &SummarizingPolicy, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
    let mut ids = FreeIds::after(SUMMARY_PREFIX, survey);
    let mut proposal = Proposal::keeping(survey);
    let mut requests = Vec::new();
    for fold in survey.goal().map_or_else(Vec::new, |goal| choose(policy, survey, goal)) {
        let request = request_of(&fold, policy, survey, &mut ids)?;
        for position in fold.span {
            proposal.set(position, Action::Summarize { group: Arc::clone(request.group_id()) });
        }
        requests.push(request);
    }
    Ok(proposal.into_draft(policy).with_requests(requests))
}

/// A span that is worth summarizing.
struct Fold {
    span: Range<usize>,
    /// What its summary may cost, in tokens.
    target: u64,
    /// What that saves, in tokens.
    saving: u64,
}

/// The oldest spans worth summarizing, until the goal is reached.
fn choose(policy: &SummarizingPolicy, survey: &Survey<'_>, goal: u64) -> Vec<Fold> {
    let mut running = survey.transcript().token_estimate();
    let mut folds = Vec::new();
    for span in closed_spans(survey.exchanges(), &foldable(policy, survey)) {
        if running <= goal {
            break;
        }
        if let Some(fold) = worth_folding(policy, survey, span) {
            running = running.saturating_sub(fold.saving);
            folds.push(fold);
        }
    }
    folds
}

/// By position: whether the turn may be summarized at all. A stand-in is a summary already.
fn foldable(policy: &SummarizingPolicy, survey: &Survey<'_>) -> Vec<bool> {
    let exempt = policy.exemptions.exempt_exchanges(survey);
    let is_exempt = |position: usize| {
        let exchange = survey.exchanges().of(position);
        exchange.and_then(|exchange| exempt.get(exchange)).copied().unwrap_or(false)
    };
    let may_go = |position: &usize| survey.is_removable(*position) && !survey.is_stand_in(*position);
    (0..survey.turns().len()).map(|position| may_go(&position) && !is_exempt(position)).collect()
}

fn worth_folding(policy: &SummarizingPolicy, survey: &Survey<'_>, span: Range<usize>) -> Option<Fold> {
    if u64::try_from(span.len()).is_ok_and(|turns| turns < policy.min_span_turns) {
        return None;
    }
    let turns = survey.turns().get(span.clone())?;
    let sum = turns.iter().fold(0_u64, |sum, turn| sum.saturating_add(turn.token_estimate()));
    // A target beyond all numbers is no shorter than the span either.
    let target = target_tokens(sum, policy.target_ratio).unwrap_or(u64::MAX);
    let saving = sum.checked_sub(target).filter(|saving| *saving > 0)?;
    Some(Fold { span, target, saving })
}

fn request_of(
    fold: &Fold,
    policy: &SummarizingPolicy,
    survey: &Survey<'_>,
    ids: &mut FreeIds,
) -> Result<SummarizationRequest, InvalidValue> {
    let turns = survey.turns().get(fold.span.clone()).unwrap_or_default();
    let turn_ids: Vec<Arc<str>> = turns.iter().map(TranscriptTurn::turn_id).cloned().collect();
    let names = SpanIds::of_turns(&turn_ids);
    let group = ids.give_out(|attempt| names.nth(attempt).into());
    Ok(SummarizationRequest::new(group, turn_ids, fold.target, Arc::clone(&policy.prompt_id))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx_invariants::CompactionPolicy;
    use cutctx_types::{CompactionBudget, Role, Transcript};

    #[test]
    fn thousands_of_turns_that_have_taken_a_spans_names_do_not_make_it_slow() {
        let count = 5_000_u64;
        let span: Vec<Arc<str>> = (0..count).map(|number| format!("u{number}").into()).collect();
        let names = SpanIds::of_turns(&span);
        let takers = (0..count).map(|attempt| Arc::from(format!("{SUMMARY_PREFIX}{}", names.nth(attempt))));
        let turn = |id| TranscriptTurn::new(id, Role::User, "", 10).unwrap();
        let transcript = Transcript::new(span.iter().cloned().chain(takers).map(turn).collect()).unwrap();
        let budget = CompactionBudget::new(60_000).with_protected_recent_turns(count);
        let plan = SummarizingPolicy::new("p").unwrap().decide(&transcript, &budget).unwrap();
        assert_eq!(plan.summarization_requests()[0].group_id().as_ref(), names.nth(count));
    }
}
