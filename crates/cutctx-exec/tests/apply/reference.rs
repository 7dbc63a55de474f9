//! The executor that behaves as the reference.

use crate::cases;
use crate::generated::cases as generated;
use crate::oracle::{self, Cost};
use cutctx_exec::{ApplyError, CompactionExecutor, Summaries};
use cutctx_types::{Code, Coded, Role, Transcript, TranscriptTurn};
use proptest::prelude::*;
use serde_json::{Value, json};

fn summaries() -> Summaries {
    Summaries::none().with("g", "a summary much longer than its target of four tokens")
}

proptest! {
    #[test]
    fn it_agrees_with_the_slow_oracle(case in generated(false)) {
        let applied = CompactionExecutor::reference().apply(&case.transcript, &case.plan, &case.summaries).unwrap();
        let view = oracle::view(&case, &Cost::Target);
        prop_assert_eq!(serde_json::to_value(&applied.compacted.turns).unwrap(), json!(view));
        prop_assert_eq!(serde_json::to_value(&applied.compacted.report).unwrap(), oracle::report(&case, &view));
    }

    #[test]
    fn the_view_costs_what_the_plan_said(case in generated(true)) {
        let applied = CompactionExecutor::reference().apply(&case.transcript, &case.plan, &case.summaries).unwrap();
        prop_assert_eq!(applied.account.tokens_after_measured, case.plan.tokens_after_estimate());
        prop_assert_eq!(applied.account.over_budget, case.plan.budget_unmet());
        prop_assert!(applied.account.overruns.is_empty());
        let again = applied.compacted.into_transcript().unwrap();
        prop_assert_eq!(again.token_estimate(), case.plan.tokens_after_estimate());
    }
}

#[test]
fn it_compares_ids_alone() {
    let other = cases::changed("u1", |turn| turn.clone().with_content("something else", 99));
    let applied = CompactionExecutor::reference().apply(&other, &cases::plan(), &summaries()).unwrap();
    assert_eq!(applied.compacted.report.tokens_before, 147);
    assert_eq!(applied.account.tokens_before, 236);
}

#[test]
fn a_summary_costs_its_target_whatever_its_length() {
    let applied =
        CompactionExecutor::reference().apply(&cases::transcript(), &cases::plan(), &summaries()).unwrap();
    assert_eq!(applied.compacted.turns[1].token_estimate(), 4);
    assert_eq!(applied.account.overruns, []);
}

fn mismatch_details(transcript: &Transcript) -> Value {
    let error = CompactionExecutor::reference().apply(transcript, &cases::plan(), &summaries()).unwrap_err();
    assert_eq!(error.code(), Code::PLAN_MISMATCH);
    serde_json::to_value(error.details()).unwrap()
}

fn without(ids: &[&str]) -> Vec<TranscriptTurn> {
    cases::transcript().turns().iter().filter(|turn| !ids.contains(&&**turn.turn_id())).cloned().collect()
}

#[test]
fn missing_and_new_turns_are_named_in_order_of_their_ids() {
    let mut turns = without(&["u5", "a1"]);
    turns.extend(["z", "b"].map(|id| TranscriptTurn::new(id, Role::User, "", 0).unwrap()));
    assert_eq!(
        mismatch_details(&Transcript::new(turns).unwrap()),
        json!({"unknown_turn_ids": ["a1", "u5"], "unplanned_turn_ids": ["b", "z"], "reordered": false})
    );
}

#[test]
fn an_appended_turn_is_a_mismatch_to_the_reference() {
    let turn = TranscriptTurn::new("new", Role::User, "more", 1).unwrap();
    assert_eq!(
        mismatch_details(&cases::continued([turn])),
        json!({"unknown_turn_ids": [], "unplanned_turn_ids": ["new"], "reordered": false})
    );
}

#[test]
fn another_order_is_said_to_be_one() {
    let mut turns = without(&[]);
    turns.swap(1, 2);
    assert_eq!(
        mismatch_details(&Transcript::new(turns).unwrap()),
        json!({"unknown_turn_ids": [], "unplanned_turn_ids": [], "reordered": true})
    );
}

#[test]
fn a_missing_summary_is_named_with_what_is_needed_to_make_it() {
    for executor in [CompactionExecutor::reference(), CompactionExecutor::new()] {
        let surplus = Summaries::none().with("h", "of another group");
        let error = executor.apply(&cases::transcript(), &cases::plan(), &surplus).unwrap_err();
        assert_eq!(error.code(), Code::SUMMARY_MISSING);
        assert_eq!(
            serde_json::to_value(error.details()).unwrap(),
            json!({"group_id": "g", "turn_ids": ["u1", "a1"], "target_tokens": 4, "prompt_id": "prompt"})
        );
    }
}

#[test]
fn a_mismatch_is_found_before_a_missing_summary() {
    let shorter = Transcript::new(without(&["a5"])).unwrap();
    for executor in [CompactionExecutor::reference(), CompactionExecutor::new()] {
        let error = executor.apply(&shorter, &cases::plan(), &Summaries::none()).unwrap_err();
        assert!(matches!(error, ApplyError::PlanTranscriptMismatch(_)));
    }
}
