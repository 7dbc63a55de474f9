//! Draws up the account.

use super::{Account, FateCounts, KeptReason, Overrun, SummaryAccount, TurnAccount, TurnFate};
use crate::error::ApplyError;
use crate::summaries::Summaries;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use cutctx_invariants::{CompactionPlan, Floor, Survey};
use cutctx_types::{
    Action, CacheAccount, CacheEdit, CachePrices, Role, SummarizationRequest, Transcript, TranscriptTurn,
    TurnAction, classify,
};

/// The account of a plan that was applied to a transcript and gave this view.
pub(crate) fn account(
    transcript: &Transcript,
    plan: &CompactionPlan,
    view: &[TranscriptTurn],
    summary_turns: &[TranscriptTurn],
    summaries: &Summaries,
    appended: &[TranscriptTurn],
    prices: CachePrices,
) -> Result<Account, ApplyError> {
    let after = total(view)?;
    let survey = plan.survey();
    let turns = turn_accounts(transcript, plan, &survey, appended);
    let clipped = clipped_active(&turns, &survey);
    let summaries_told = summary_accounts(transcript, plan, summary_turns);
    let change = plan.first_changed_position();
    let before_change = change.map_or(after, |change| tokens_of_first(change, transcript));
    let max_tokens = plan.budget().max_tokens();
    let before = transcript.token_estimate();
    let edit = change
        .map_or(CacheEdit::unchanged(after), |change| CacheEdit::new(change, before_change, before, after));
    Ok(Account {
        fates: count(&turns),
        floor: floor_of(&survey, plan),
        clipped_active_turn_ids: clipped.iter().map(|turn| turn.turn_id.clone()).collect(),
        turns,
        overruns: overruns(&summaries_told),
        summaries: summaries_told,
        unused_summary_groups: unused_groups(plan, summaries),
        appended_turn_ids: appended.iter().map(|turn| turn.turn_id().clone()).collect(),
        first_changed_position: change,
        tokens_before_change: before_change,
        tokens_after_change: after.saturating_sub(before_change),
        cache: CacheAccount::of(&edit, prices),
        tokens_before: before,
        tokens_after_measured: after,
        max_tokens,
        over_budget: after > max_tokens,
    })
}

/// The tokens of the view. It may hold measured summaries, so nothing says yet that they fit.
fn total(view: &[TranscriptTurn]) -> Result<u64, ApplyError> {
    view.iter()
        .try_fold(0_u64, |sum, turn| sum.checked_add(turn.token_estimate()))
        .ok_or(ApplyError::TokenOverflow { turns: view.len() })
}

/// The tokens of the first turns of a transcript. Its total is known to fit.
fn tokens_of_first(count: usize, transcript: &Transcript) -> u64 {
    let turns = transcript.turns().iter().take(count);
    turns.fold(0, |sum, turn| sum.saturating_add(turn.token_estimate()))
}

fn turn_accounts(
    transcript: &Transcript,
    plan: &CompactionPlan,
    survey: &Survey<'_>,
    appended: &[TranscriptTurn],
) -> Vec<TurnAccount> {
    let mut accounts = Vec::with_capacity(transcript.len());
    let rows = transcript.turns().iter().zip(plan.actions()).enumerate();
    accounts.extend(rows.map(|(position, (turn, action))| {
        let (fate, after) = fate_of(position, turn, action, survey);
        turn_account(turn, fate, after)
    }));
    let kept = |turn: &TranscriptTurn| turn_account(turn, TurnFate::Appended, turn.token_estimate());
    accounts.extend(appended.iter().map(kept));
    accounts
}

fn turn_account(turn: &TranscriptTurn, fate: TurnFate, tokens_after: u64) -> TurnAccount {
    let tokens_before = turn.token_estimate();
    let tokens_freed = tokens_before.saturating_sub(tokens_after);
    TurnAccount { turn_id: turn.turn_id().clone(), fate, tokens_before, tokens_after, tokens_freed }
}

/// The fate of a planned turn, and what it costs from now on.
fn fate_of(
    position: usize,
    turn: &TranscriptTurn,
    action: &TurnAction,
    survey: &Survey<'_>,
) -> (TurnFate, u64) {
    match &action.action {
        Action::Keep => (TurnFate::Kept { reason: reason_of(position, survey) }, turn.token_estimate()),
        Action::Mask(stub) => (TurnFate::Masked, stub.token_estimate),
        Action::Trim(trim) => (TurnFate::Trimmed, trim.token_estimate),
        Action::Summarize { group } => (TurnFate::Summarized { group: group.clone() }, 0),
        Action::Drop => (TurnFate::Dropped, 0),
    }
}

fn reason_of(position: usize, survey: &Survey<'_>) -> KeptReason {
    let planned = survey.turns().get(position);
    if planned.is_some_and(|turn| turn.role() == Role::System) {
        KeptReason::System
    } else if planned.is_some_and(TranscriptTurn::pinned) {
        KeptReason::Pinned
    } else if survey.is_untouchable(position) {
        KeptReason::ProtectedTail
    } else if !survey.is_removable(position) {
        KeptReason::LockedByExchange
    } else {
        KeptReason::PolicyKept
    }
}

/// The untouchable turns that were trimmed.
fn clipped_active<'a>(turns: &'a [TurnAccount], survey: &Survey<'_>) -> Vec<&'a TurnAccount> {
    let rows = turns.iter().enumerate();
    let trimmed = rows.filter(|(_, turn)| turn.fate == TurnFate::Trimmed);
    trimmed.filter(|(position, _)| survey.is_clippable(*position)).map(|(_, turn)| turn).collect()
}

/// What stays, with the turns that were clipped at what they cost now.
fn floor_of(survey: &Survey<'_>, plan: &CompactionPlan) -> Floor {
    let mut costs = survey.clippable_costs();
    costs.lower(|position| {
        let Action::Trim(trim) = &plan.actions().get(position)?.action else { return None };
        Some(trim.token_estimate)
    });
    survey.floor_clipped(&costs)
}

fn count(turns: &[TurnAccount]) -> FateCounts {
    let mut counts = FateCounts::default();
    for turn in turns {
        let count = match turn.fate {
            TurnFate::Kept { .. } => &mut counts.kept,
            TurnFate::Masked => &mut counts.masked,
            TurnFate::Trimmed => &mut counts.trimmed,
            TurnFate::Summarized { .. } => &mut counts.summarized,
            TurnFate::Dropped => &mut counts.dropped,
            TurnFate::Appended => &mut counts.appended,
        };
        *count = count.saturating_add(1);
    }
    counts
}

fn summary_accounts(
    transcript: &Transcript,
    plan: &CompactionPlan,
    summary_turns: &[TranscriptTurn],
) -> Vec<SummaryAccount> {
    let before = tokens_by_request(transcript, plan);
    let rows = plan.summarization_requests().iter().zip(summary_turns).zip(before);
    rows.map(|((request, turn), tokens_before)| SummaryAccount {
        group_id: request.group_id().clone(),
        turn_id: turn.turn_id().clone(),
        replaced_turns: request.turn_ids().len(),
        tokens_before,
        target_tokens: request.target_tokens(),
        tokens: turn.token_estimate(),
    })
    .collect()
}

/// What the turns behind each request cost. Groups are numbered by first appearance, and that is the
/// order of the requests, by rule.
fn tokens_by_request(transcript: &Transcript, plan: &CompactionPlan) -> Vec<u64> {
    let rows = transcript.turns().iter().zip(plan.actions());
    let (groups, tokens): (Vec<&str>, Vec<u64>) = rows
        .filter_map(|(turn, action)| Some((action.action.group()?.as_ref(), turn.token_estimate())))
        .unzip();
    let mut sums = vec![0_u64; plan.summarization_requests().len()];
    for (request, tokens) in classify(groups.into_iter().map(Some)).into_iter().zip(tokens) {
        if let Some(sum) = sums.get_mut(request) {
            *sum = sum.saturating_add(tokens);
        }
    }
    sums
}

fn overruns(summaries: &[SummaryAccount]) -> Vec<Overrun> {
    let over = summaries.iter().filter(|summary| summary.tokens > summary.target_tokens);
    over.map(|summary| Overrun {
        group_id: summary.group_id.clone(),
        target_tokens: summary.target_tokens,
        measured_tokens: summary.tokens,
    })
    .collect()
}

fn unused_groups(plan: &CompactionPlan, summaries: &Summaries) -> Vec<Arc<str>> {
    let requested = plan.summarization_requests().iter().map(SummarizationRequest::group_id);
    let requested: BTreeSet<&Arc<str>> = requested.collect();
    summaries.iter().map(|(group, _)| group).filter(|group| !requested.contains(group)).cloned().collect()
}
