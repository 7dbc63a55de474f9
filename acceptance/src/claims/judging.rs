//! Nothing but the rules makes a plan, from whatever hand a draft comes.

use super::scene::{plan, session, tight, turn};
use super::{Failure, ensure, ensure_equal, refusal};
use cutctx_invariants::{CompactionPlan, PlanRecord, Survey};
use cutctx_types::{Action, Coded, PlanDraft, Role, SummarizationRequest, Transcript, TurnAction};

/// A draft that keeps everything but these turns.
fn draft(transcript: &Transcript, changes: &[(&str, Action)]) -> PlanDraft {
    let actions = transcript.turns().iter().map(|turn| {
        let change = changes.iter().find(|(id, _)| *id == &**turn.turn_id());
        TurnAction::new(turn.turn_id().clone(), change.map_or(Action::Keep, |(_, action)| action.clone()))
    });
    PlanDraft::new("by hand", "1.0.0", actions.collect())
}

pub(super) fn rejects_drafts() -> Result<(), Failure> {
    let transcript = session()?;
    let survey = Survey::new(&transcript, &tight(&transcript))?;
    let fold = || Action::Summarize { group: "g".into() };
    let mut uncovered = draft(&transcript, &[]);
    uncovered.actions.pop();
    let stranger = SummarizationRequest::new("g", vec!["u1".into()], 5, "prompt")?;
    let drafts = [
        ("coverage", uncovered),
        ("untouchable", draft(&transcript, &[("sys", Action::Drop)])),
        ("untouchable", draft(&transcript, &[("pin", Action::Drop)])),
        ("exchange", draft(&transcript, &[("t1", Action::Drop)])),
        ("groups-and-requests", draft(&transcript, &[("u1", fold())])),
        ("request-turns", draft(&transcript, &[("u2", fold())]).with_requests(vec![stranger])),
    ];
    for (rule, draft) in drafts {
        let rejected = refusal(rule, CompactionPlan::check(draft, &survey))?;
        ensure_equal("rule", &rejected.first().rule(), &rule)?;
        ensure_equal("code", &rejected.code().as_str(), &"VALIDATION_ERROR")?;
    }
    Ok(())
}

/// The session, a plan for it, and the plan's record as JSON.
fn recorded() -> Result<(Transcript, CompactionPlan, String), Failure> {
    let transcript = session()?;
    let plan = plan(&transcript, &tight(&transcript))?;
    let record = serde_json::to_string(&PlanRecord::of(&plan, None, "chars/4"))?;
    Ok((transcript, plan, record))
}

pub(super) fn reloads_records() -> Result<(), Failure> {
    let (transcript, plan, record) = recorded()?;
    let again = PlanRecord::from_json(&record)?.check(&transcript)?;
    ensure_equal("hash", &again.plan_hash(), &plan.plan_hash())?;
    ensure_equal("bytes", &again.canonical_json(), &plan.canonical_json())
}

pub(super) fn refuses_tampered_records() -> Result<(), Failure> {
    let (transcript, plan, record) = recorded()?;
    let after = plan.tokens_after_estimate();
    let figure = |tokens: u64| format!(r#"\"tokens_after_estimate\":{tokens}"#);
    let replacements = [
        ("hash", plan.plan_hash(), "0".repeat(64)),
        ("figure", figure(after), figure(after.saturating_sub(1))),
        ("action", r#"\"action\":\"keep\""#.to_owned(), r#"\"action\":\"drop\""#.to_owned()),
        ("version", r#"\"policy_version\":\"2"#.to_owned(), r#"\"policy_version\":\"3"#.to_owned()),
    ];
    for (what, honest, forged) in replacements {
        ensure(record.contains(&honest), format!("the record has no {what} to forge"))?;
        let forged = PlanRecord::from_json(&record.replace(&honest, &forged))?;
        refusal(what, forged.check(&transcript))?;
    }
    Ok(())
}

pub(super) fn refuses_other_transcripts() -> Result<(), Failure> {
    let (transcript, _, record) = recorded()?;
    let record = PlanRecord::from_json(&record)?;
    let turns = transcript.turns().iter().cloned();
    let other = turns
        .map(|turn| if &**turn.turn_id() == "u3" { turn.with_content("another question", 4) } else { turn });
    let error = refusal("another transcript", record.check(&Transcript::new(other.collect())?))?;
    ensure_equal("code", &error.code().as_str(), &"COMPACTION_PLAN_MISMATCH")?;
    let grown = transcript.turns().iter().cloned().chain([turn("new", Role::User, "And now?")?]);
    record.check(&Transcript::new(grown.collect())?)?;
    Ok(())
}
