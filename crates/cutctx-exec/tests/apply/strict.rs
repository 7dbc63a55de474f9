//! The strict executor.

use crate::cases::{changed, continued, plan, transcript};
use crate::generated::cases as generated;
use crate::oracle::{self, Cost};
use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::iter;
use cutctx_exec::{Applied, ApplyError, CompactionExecutor, Mismatch, StrictMismatch, Summaries};
use cutctx_types::{
    CharRatioEstimator, Code, Coded, Metadata, Part, PartKind, Role, TokenEstimator, Transcript,
    TranscriptTurn,
};
use proptest::prelude::*;
use serde_json::json;

fn apply(transcript: &Transcript, summary: &str) -> Result<Applied, ApplyError> {
    CompactionExecutor::new().apply(transcript, &plan(), &Summaries::none().with("g", summary))
}

fn mismatch(transcript: &Transcript) -> (Mismatch, StrictMismatch) {
    match apply(transcript, "short") {
        Err(ApplyError::PlanTranscriptMismatch(mismatch)) => {
            let strict = mismatch.strict.clone().unwrap();
            (*mismatch, strict)
        }
        other => panic!("no mismatch: {other:?}"),
    }
}

fn user(id: &str) -> TranscriptTurn {
    TranscriptTurn::new(id, Role::User, "and then", 3).unwrap()
}

/// A copy that shares no memory with the original.
fn copied(transcript: &Transcript) -> Transcript {
    serde_json::from_str(&serde_json::to_string(transcript).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn it_agrees_with_the_slow_oracle_and_measures_summaries(case in generated(false)) {
        let copy = copied(&case.transcript);
        let applied = CompactionExecutor::new().apply(&copy, &case.plan, &case.summaries).unwrap();
        let view = oracle::view(&case, &Cost::Measured(&CharRatioEstimator::default()));
        prop_assert_eq!(serde_json::to_value(&applied.compacted.turns).unwrap(), json!(view));
        prop_assert_eq!(serde_json::to_value(&applied.compacted.report).unwrap(), oracle::report(&case, &view));
    }
}

#[test]
fn a_copy_of_the_planned_transcript_is_as_good_as_itself() {
    assert_eq!(apply(&copied(&transcript()), "short").unwrap(), apply(&transcript(), "short").unwrap());
}

#[test]
fn a_change_of_any_single_field_that_matters_is_a_mismatch() {
    let remade = |turn: &TranscriptTurn, role| {
        TranscriptTurn::new("u1", role, turn.content().clone(), turn.token_estimate()).unwrap()
    };
    let changes: [(&str, Transcript); 5] = [
        ("role", changed("u1", |turn| remade(turn, Role::Assistant))),
        ("content", changed("u1", |turn| turn.clone().with_content("first questioN", 10))),
        ("estimate", changed("u1", |turn| turn.clone().with_content(turn.content().clone(), 11))),
        ("call id", changed("u1", |turn| turn.clone().with_tool_call_id(""))),
        ("pin", changed("u1", |turn| turn.clone().with_pinned(true))),
    ];
    for (field, transcript) in changes {
        let (mismatch, strict) = mismatch(&transcript);
        assert_eq!(strict.changed_turn_ids, ["u1".into()], "{field}");
        assert!(mismatch.unknown_turn_ids.is_empty() && mismatch.unplanned_turn_ids.is_empty(), "{field}");
        assert!(!mismatch.reordered && strict.conflicting_turn_ids.is_empty(), "{field}");
    }
}

#[test]
fn metadata_tool_names_and_parts_may_differ() {
    let remade = changed("u5", |turn| {
        let parts = vec![Part::new(PartKind::Text, 3, 1), Part::new(PartKind::Text, turn.content().len(), 1)];
        let metadata = Metadata::none().with("origin", "elsewhere");
        turn.clone().with_parts(parts).unwrap().with_metadata(metadata).with_tool_name("search")
    });
    let applied = apply(&remade, "short").unwrap();
    assert_eq!(applied.compacted.turns[5].metadata().get("origin"), Some("elsewhere"));
}

#[test]
fn a_mismatch_says_what_is_missing_what_is_new_and_what_has_changed() {
    let turns = changed("s", |turn| turn.clone().with_content("be kind", 2));
    let turns = turns.turns().iter().filter(|turn| &**turn.turn_id() != "a1").cloned().chain([user("x")]);
    let error = apply(&Transcript::new(turns.collect()).unwrap(), "short").unwrap_err();
    assert_eq!(error.code(), Code::PLAN_MISMATCH);
    assert_eq!(
        serde_json::to_value(error.details()).unwrap(),
        json!({
            "unknown_turn_ids": ["a1"],
            "unplanned_turn_ids": ["x"],
            "reordered": false,
            "changed_turn_ids": ["s"],
            "conflicting_turn_ids": [],
        })
    );
    assert_eq!(error.to_string(), "the plan was made for another transcript: planned turns are not in it");
}

#[test]
fn another_order_is_said_to_be_one_even_with_turns_appended() {
    let mut turns = transcript().turns().to_vec();
    turns.swap(0, 3);
    let (same_length, _) = mismatch(&Transcript::new(turns.clone()).unwrap());
    assert!(same_length.reordered);
    turns.push(user("x"));
    let (longer, _) = mismatch(&Transcript::new(turns.clone()).unwrap());
    assert!(longer.reordered);
    turns.insert(0, user("y"));
    let (begun_anew, _) = mismatch(&Transcript::new(turns).unwrap());
    assert!(!begun_anew.reordered);
}

#[test]
fn lists_of_ids_hold_ten_at_most() {
    let strangers = (0..30).map(|number| user(&format!("x{number:02}"))).collect();
    let (mismatch, _) = mismatch(&Transcript::new(strangers).unwrap());
    assert_eq!(mismatch.unplanned_turn_ids.len(), 10);
    assert_eq!(&*mismatch.unplanned_turn_ids[9], "x09");
    assert_eq!(mismatch.unknown_turn_ids.len(), 10);
}

#[test]
fn turns_appended_since_are_kept_and_listed() {
    let applied = apply(&continued([user("n1"), user("n2")]), "short").unwrap();
    let view: Vec<&str> = applied.compacted.turns.iter().map(|turn| turn.turn_id().as_ref()).collect();
    assert_eq!(view, ["s", "summary:g", "a3", "t3", "t4", "u5", "a5", "n1", "n2"]);
    let report = &applied.compacted.report;
    assert_eq!((report.turns_before, report.turns_after), (12, 9));
    assert_eq!(report.kept_turn_ids.last().map(AsRef::as_ref), Some("n2"));
    assert_eq!((report.tokens_before, report.tokens_after_estimate), (147, 37));
    assert_eq!(applied.account.appended_turn_ids, ["n1".into(), "n2".into()]);
    assert_eq!((applied.account.tokens_before, applied.account.fates.appended), (153, 2));
}

#[test]
fn an_appended_turn_of_an_exchange_that_the_plan_removes_is_a_mismatch() {
    let late = TranscriptTurn::new("late", Role::Tool, "late result", 3).unwrap();
    let (_, strict) = mismatch(&continued([user("n"), late.clone().with_tool_call_id("gone")]));
    assert_eq!(strict.conflicting_turn_ids, ["late".into()]);
    assert!(apply(&continued([late.with_tool_call_id("stays")]), "short").is_ok());
}

#[test]
fn an_appended_turn_that_has_the_id_of_a_summary_turn_is_a_mismatch() {
    let (_, strict) = mismatch(&continued([user("summary:g")]));
    assert_eq!(strict.conflicting_turn_ids, ["summary:g".into()]);
}

#[test]
fn a_summary_over_its_target_is_listed_and_can_break_the_budget() {
    let long = "0123456789".repeat(10);
    let applied = apply(&transcript(), &long).unwrap();
    assert_eq!(applied.compacted.turns[1].token_estimate(), 25);
    let [overrun] = applied.account.overruns.as_slice() else { panic!("one overrun") };
    assert_eq!((&*overrun.group_id, overrun.target_tokens, overrun.measured_tokens), ("g", 4, 25));
    assert_eq!(applied.account.tokens_after_measured, 58);
    assert!(applied.account.over_budget && !applied.compacted.report.budget_unmet);
}

#[test]
fn summaries_that_are_no_smaller_than_what_they_stand_for_are_refused() {
    let replaced: u64 = apply(&transcript(), "short").unwrap().account.summaries[0].tokens_before;
    let of_tokens = |tokens: u64| "word".repeat(usize::try_from(tokens).unwrap());
    assert!(apply(&transcript(), &of_tokens(replaced - 1)).is_ok());
    for tokens in [replaced, replaced + 1, replaced * 9] {
        let error = apply(&transcript(), &of_tokens(tokens)).unwrap_err();
        assert_eq!(error, ApplyError::NotSmaller { tokens_before: replaced, tokens_after: tokens });
        assert_eq!(error.code().as_str(), "COMPACTION_NOT_SMALLER");
    }
    let summaries = Summaries::none().with("g", of_tokens(replaced));
    assert!(
        CompactionExecutor::reference().apply(&transcript(), &plan(), &summaries).is_ok(),
        "it measures none"
    );
}

#[test]
fn a_summary_at_its_target_is_no_overrun_and_an_empty_one_is_accepted() {
    let at_target = apply(&transcript(), "sixteen letters!").unwrap();
    assert_eq!((at_target.account.tokens_after_measured, at_target.account.overruns.len()), (37, 0));
    let empty = apply(&transcript(), "").unwrap();
    assert_eq!((empty.account.tokens_after_measured, empty.account.over_budget), (33, false));
}

#[test]
fn summaries_are_read_from_an_object_in_which_no_group_stands_twice() {
    let read = |json: &str| serde_json::from_str::<Summaries>(json).map_err(|error| error.to_string());
    assert_eq!(read(r#"{"g": "said", "": ""}"#), Ok(Summaries::none().with("g", "said").with("", "")));
    for twice in [r#"{"g": "one", "g": "two"}"#, r#"{"g": "one", "h": "", "\u0067": "one"}"#] {
        let error = read(twice).unwrap_err();
        assert!(error.starts_with("duplicate field at line 1"), "{error}");
    }
}

#[test]
fn surplus_summaries_are_named_and_not_used() {
    let summaries: Summaries = [("g", "short"), ("z", "no"), ("h", "no")].into_iter().collect();
    let applied = CompactionExecutor::new().apply(&transcript(), &plan(), &summaries).unwrap();
    assert_eq!(applied.account.unused_summary_groups, ["h".into(), "z".into()]);
    assert_eq!(applied.compacted.turns, apply(&transcript(), "short").unwrap().compacted.turns);
}

#[derive(Debug)]
struct Always(u64);

impl TokenEstimator for Always {
    fn estimate(&self, _: &str) -> u64 {
        self.0
    }

    fn name(&self) -> Cow<'_, str> {
        "always".into()
    }
}

#[test]
fn summaries_are_measured_by_the_given_estimator() {
    let executor = CompactionExecutor::new().with_estimator(Arc::new(Always(17)));
    let summaries = Summaries::none().with("g", "");
    let applied = executor.apply(&transcript(), &plan(), &summaries).unwrap();
    assert_eq!(applied.compacted.turns[1].token_estimate(), 17);
    let reference = CompactionExecutor::reference().with_estimator(Arc::new(Always(17)));
    let applied = reference.apply(&transcript(), &plan(), &summaries).unwrap();
    assert_eq!(applied.compacted.turns[1].token_estimate(), 4);
}

#[test]
fn a_view_beyond_64_bits_is_refused() {
    let executor = CompactionExecutor::new().with_estimator(Arc::new(Always(u64::MAX)));
    let error = executor.apply(&transcript(), &plan(), &Summaries::none().with("g", "")).unwrap_err();
    assert_eq!((error.code(), &error), (Code::TOKEN_OVERFLOW, &ApplyError::TokenOverflow { turns: 7 }));
    assert_eq!(serde_json::to_value(error.details()).unwrap(), json!({"turns": 7}));
}

#[test]
fn executors_and_outcomes_can_be_sent_and_shared() {
    fn can_be_sent_and_shared<T: Send + Sync>(_: &T) {}
    can_be_sent_and_shared(&CompactionExecutor::new());
    can_be_sent_and_shared(&Summaries::none());
    can_be_sent_and_shared(&apply(&transcript(), "short"));
    can_be_sent_and_shared(&cutctx_exec::Fate::Kept);
}

#[test]
fn fates_of_appended_turns_are_kept_ones() {
    use cutctx_exec::{Fate, fates, fates_with_appended};
    let plan = plan();
    let all = fates_with_appended(&plan, 2);
    assert!(all.iter().copied().eq(fates(&plan).chain(iter::repeat_n(Fate::Kept, 2))));
    assert_eq!(&all[..4], [Fate::Kept, Fate::SummarizedInto("g"), Fate::SummarizedInto("g"), Fate::Dropped]);
    assert_eq!((all[6], all.len()), (Fate::Masked("stub"), 12));
    let shown = format!("{:?} {:?} {:?} {:?}", all[0], all[1], all[3], all[6]);
    assert_eq!(shown, "Kept SummarizedInto(\"g\") Dropped Masked(4 bytes)");
}

#[test]
fn what_may_fail_hands_little_around() {
    // A result is as large as its error.
    let sizes = [
        size_of::<ApplyError>(),
        size_of::<cutctx_invariants::PolicyError>(),
        size_of::<cutctx_types::InvalidValue>(),
    ];
    assert!(sizes.iter().all(|size| *size <= 80), "{sizes:?}");
}
