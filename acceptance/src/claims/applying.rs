//! What applying a plan keeps to.

use super::scene::{applied, each_plan, folding_plan, fulfil, plan, session, tight, turn};
use super::{Failure, ensure, ensure_equal, refusal};
use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_invariants::CompactionPlan;
use cutctx_policies::MaskStub;
use cutctx_types::{Action, Coded, DetailValue, Role, Transcript, TranscriptTurn};

pub(super) fn masks_are_verifiable() -> Result<(), Failure> {
    let mut masks = 0_usize;
    each_plan(|survey, plan| {
        for (turn, action) in survey.turns().iter().zip(plan.actions()) {
            let Action::Mask(stub) = &action.action else { continue };
            let stub = MaskStub::parse(&stub.content).ok_or("a stub that cannot be read")?;
            ensure(stub.is_of(turn.content()), format!("the digest of `{}`", turn.turn_id()))?;
            ensure(!stub.is_of("something else"), "a digest that fits everything")?;
            ensure_equal("tokens", &stub.original_tokens, &Some(turn.token_estimate()))?;
            masks = masks.saturating_add(1);
        }
        Ok(())
    })?;
    ensure(masks > 0, "nothing was masked")
}

pub(super) fn names_missing_summary() -> Result<(), Failure> {
    let transcript = session()?;
    let plan = folding_plan(&transcript)?;
    let group = plan.summarization_requests().first().map(|request| request.group_id().clone());
    let executors = [CompactionExecutor::new(), CompactionExecutor::reference()];
    for executor in executors {
        let error = refusal("no summary", executor.apply(&transcript, &plan, &Summaries::none()))?;
        ensure_equal("code", &error.code().as_str(), &"COMPACTION_SUMMARY_MISSING")?;
        let named =
            error.details().iter().find(|(name, _)| *name == "group_id").map(|(_, value)| value.clone());
        ensure_equal("group", &named, &group.clone().map(DetailValue::Text))?;
    }
    Ok(())
}

pub(super) fn refuses_changes() -> Result<(), Failure> {
    let transcript = session()?;
    let plan = plan(&transcript, &tight(&transcript))?;
    let change = |change: fn(TranscriptTurn) -> TranscriptTurn| {
        let turns = transcript.turns().iter().cloned();
        Transcript::new(
            turns.map(|turn| if &**turn.turn_id() == "u3" { change(turn) } else { turn }).collect(),
        )
    };
    let changed = [
        change(|turn| turn.with_content("another question", 13))?,
        change(|turn| turn.with_pinned(true))?,
        change(|turn| turn.with_tool_call_id("call-3"))?,
        Transcript::new(transcript.turns().iter().skip(1).cloned().collect())?,
        Transcript::new(transcript.turns().iter().rev().cloned().collect())?,
    ];
    for other in changed {
        let outcome = CompactionExecutor::new().apply(&other, &plan, &fulfil(&plan));
        let error = refusal("a changed transcript", outcome)?;
        ensure_equal("code", &error.code().as_str(), &"COMPACTION_PLAN_MISMATCH")?;
    }
    Ok(())
}

pub(super) fn accepts_appended_turns() -> Result<(), Failure> {
    let transcript = session()?;
    let plan = plan(&transcript, &tight(&transcript))?;
    let newcomer = turn("new", Role::User, "And now?")?;
    let grown = transcript.turns().iter().cloned().chain([newcomer.clone()]);
    let applied = applied(&Transcript::new(grown.collect())?, &plan)?;
    ensure_equal("last turn", &applied.compacted.turns.last(), &Some(&newcomer))?;
    ensure_equal("appended", &applied.account.appended_turn_ids, &vec!["new".into()])
}

pub(super) fn tells_overruns() -> Result<(), Failure> {
    let transcript = session()?;
    let plan = folding_plan(&transcript)?;
    let applied = CompactionExecutor::new().apply(&transcript, &plan, &summaries_of(1_000, &plan))?;
    let account = applied.account;
    ensure_equal("overruns", &account.overruns.len(), &plan.summarization_requests().len())?;
    ensure(account.over_budget && !plan.budget_unmet(), "being over budget is not told")?;
    let view: u64 = applied.compacted.turns.iter().map(TranscriptTurn::token_estimate).sum();
    ensure_equal("tokens", &account.tokens_after_measured, &view)
}

pub(super) fn refuses_growth() -> Result<(), Failure> {
    let transcript = session()?;
    let plan = folding_plan(&transcript)?;
    let outcome = CompactionExecutor::new().apply(&transcript, &plan, &summaries_of(2_000, &plan));
    let error = refusal("a summary that saves nothing", outcome)?;
    ensure_equal("code", &error.code().as_str(), &"COMPACTION_NOT_SMALLER")
}

/// A summary of so many words for each group.
fn summaries_of(words: usize, plan: &CompactionPlan) -> Summaries {
    let requests = plan.summarization_requests().iter();
    requests.map(|request| (request.group_id().clone(), "wordy ".repeat(words))).collect()
}

pub(super) fn accounts_for_every_turn() -> Result<(), Failure> {
    each_plan(|survey, plan| {
        let applied = applied(survey.transcript(), plan)?;
        let (account, report) = (applied.account, applied.compacted.report);
        ensure_equal("fates", &account.fates.total(), &survey.turns().len())?;
        let lists = [
            &report.kept_turn_ids,
            &report.masked_turn_ids,
            &report.summarized_turn_ids,
            &report.dropped_turn_ids,
        ];
        ensure_equal("lists", &lists.iter().map(|list| list.len()).sum(), &survey.turns().len())?;
        let staying: u64 = account.turns.iter().map(|turn| turn.tokens_after).sum();
        let summaries: u64 = account.summaries.iter().map(|summary| summary.tokens).sum();
        ensure_equal("tokens", &staying.saturating_add(summaries), &account.tokens_after_measured)
    })
}

pub(super) fn keeps_cache_prefix() -> Result<(), Failure> {
    each_plan(|survey, plan| {
        let applied = applied(survey.transcript(), plan)?;
        let Some(position) = applied.account.first_changed_position else { return Ok(()) };
        let (before, after) = (survey.turns().split_at_checked(position), &applied.compacted.turns);
        let (prefix, _) = before.ok_or("a position past the end")?;
        ensure(after.starts_with(prefix), "the prefix is not what it was")?;
        ensure(after.get(position) != survey.turns().get(position), "there is no change where one is told")?;
        let tokens: u64 = prefix.iter().map(TranscriptTurn::token_estimate).sum();
        ensure_equal("tokens", &applied.account.tokens_before_change, &tokens)
    })
}

/// A word that every tool result has, and nothing that is written about it may have.
const PRIVATE: &str = "länge";

pub(super) fn shows_no_text() -> Result<(), Failure> {
    each_plan(|survey, plan| {
        let outcome = applied(survey.transcript(), plan)?;
        let other = Transcript::new(vec![turn("t1", Role::Tool, PRIVATE)?])?;
        let error = refusal("another transcript", applied(&other, plan))?;
        let shown = [
            plan.canonical_json(),
            serde_json::to_string(&outcome.compacted.report)?,
            serde_json::to_string(&outcome.account)?,
            format!("{plan:?} {survey:?} {outcome:?} {error} {error:?}"),
        ];
        ensure(shown.iter().all(|text| !text.contains(PRIVATE)), "a word of a tool result")
    })
}
