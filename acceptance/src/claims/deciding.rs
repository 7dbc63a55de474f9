//! What a policy's decision keeps to.

use super::scene::{applied, each_plan, fulfil, plan, policies, session, tight};
use super::{Failure, ensure, ensure_equal, refusal};
use cutctx_exec::CompactionExecutor;
use cutctx_types::{Action, Coded, CompactionBudget, Role, Transcript};

pub(super) fn fits() -> Result<(), Failure> {
    each_plan(|survey, plan| {
        let (after, max) = (plan.tokens_after_estimate(), survey.budget().max_tokens());
        ensure(after <= max && !plan.budget_unmet(), format!("{}: {after} of {max}", plan.policy_name()))?;
        let measured = applied(survey.transcript(), plan)?.account;
        ensure(!measured.over_budget, format!("{} measured, of {max}", measured.tokens_after_measured))
    })
}

pub(super) fn spares() -> Result<(), Failure> {
    each_plan(|survey, plan| {
        let view = applied(survey.transcript(), plan)?.compacted.turns;
        let tail = survey.turns().len().saturating_sub(4);
        let rows = survey.turns().iter().enumerate();
        let mut spared =
            rows.filter(|(at, turn)| turn.role() == Role::System || turn.pinned() || *at >= tail);
        spared.try_for_each(|(_, turn)| ensure(view.contains(turn), format!("turn `{}`", turn.turn_id())))
    })
}

pub(super) fn keeps_exchanges_whole() -> Result<(), Failure> {
    each_plan(|survey, plan| {
        let rows = survey.turns().iter().zip(plan.actions());
        let mut calls: Vec<(&str, bool)> =
            rows.filter_map(|(turn, action)| Some((turn.tool_call_id()?, action.action.removes()))).collect();
        calls.sort_unstable();
        let mut pairs = calls.chunk_by(|left, right| left.0 == right.0);
        let split = pairs
            .find(|members| members.iter().any(|(_, gone)| *gone) && !members.iter().all(|(_, gone)| *gone));
        ensure(split.is_none(), format!("{}: {split:?}", plan.policy_name()))
    })
}

pub(super) fn is_deterministic() -> Result<(), Failure> {
    let transcript = session()?;
    let copy: Transcript = serde_json::from_str(&serde_json::to_string(&transcript)?)?;
    let budget = tight(&transcript);
    for policy in policies()? {
        let (one, other) = (policy.decide(&transcript, &budget)?, policy.decide(&copy, &budget)?);
        ensure_equal("plans", &one.canonical_json(), &other.canonical_json())?;
        ensure_equal("hashes", &one.plan_hash(), &other.plan_hash())?;
        let (one, other) = (applied(&transcript, &one)?, applied(&copy, &other)?);
        ensure_equal("outcomes", &serde_json::to_string(&one)?, &serde_json::to_string(&other)?)?;
    }
    Ok(())
}

pub(super) fn leaves_alone_what_fits() -> Result<(), Failure> {
    let transcript = session()?;
    let budget = CompactionBudget::new(transcript.token_estimate());
    for policy in policies()? {
        let plan = policy.decide(&transcript, &budget)?;
        ensure(plan.actions().iter().all(|action| action.action == Action::Keep), policy.name())?;
        let applied = CompactionExecutor::new().apply(&transcript, &plan, &fulfil(&plan))?;
        ensure(applied.compacted.turns == transcript.turns(), policy.name())?;
        ensure_equal("first change", &applied.account.first_changed_position, &None)?;
    }
    Ok(())
}

pub(super) fn works_to_target() -> Result<(), Failure> {
    let transcript = session()?;
    let (max, target) = (transcript.token_estimate() / 2, transcript.token_estimate() / 4);
    let plan = plan(&transcript, &CompactionBudget::new(max).with_target(target)?)?;
    let after = plan.tokens_after_estimate();
    ensure(after <= target, format!("{after} tokens, the target is {target}"))
}

pub(super) fn itemises_floor() -> Result<(), Failure> {
    let transcript = session()?;
    for policy in policies()? {
        let error =
            refusal("a budget of three tokens", policy.decide(&transcript, &CompactionBudget::new(3)))?;
        ensure_equal("code", &error.code().as_str(), &"COMPACTION_BUDGET_UNSATISFIABLE")?;
        let cutctx_invariants::PolicyError::Unsatisfiable(error) = error else {
            return Err(error.into());
        };
        let floor = error.floor;
        let items = [floor.system, floor.pinned, floor.tail];
        ensure(items.iter().all(|item| *item > 0), format!("{floor:?}"))?;
        ensure_equal("sum", &error.untouchable_tokens, &items.iter().sum())?;
    }
    Ok(())
}
