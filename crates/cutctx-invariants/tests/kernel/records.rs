//! Stored plans: read back, tampered with, and hostile.

use alloc::sync::Arc;
use cutctx_invariants::strategy::{Scenario, legal_attempts, transcripts};
use cutctx_invariants::{CompactionPlan, PlanRecord, RecordError, Reserved, transcript_digest};
use cutctx_types::{Coded, CompactionBudget, Metadata, Role, Transcript, TranscriptTurn};
use proptest::prelude::*;
use serde_json::{Value, json};

fn plan_of(scenario: &Scenario, draft: cutctx_types::PlanDraft) -> CompactionPlan {
    CompactionPlan::check(draft, &scenario.survey().unwrap()).unwrap()
}

fn json_of(record: &PlanRecord) -> String {
    serde_json::to_string(record).unwrap()
}

/// The record with one member changed.
fn changed(record: &PlanRecord, change: impl FnOnce(&mut Value)) -> Result<PlanRecord, RecordError> {
    let mut value: Value = serde_json::from_str(&json_of(record)).unwrap();
    change(&mut value);
    PlanRecord::from_json(&value.to_string())
}

/// The record with a change to the plan inside it.
fn changed_plan(record: &PlanRecord, change: impl FnOnce(&mut Value)) -> PlanRecord {
    changed(record, |value| {
        let mut plan: Value = serde_json::from_str(value["plan"].as_str().unwrap()).unwrap();
        change(&mut plan);
        value["plan"] = plan.to_string().into();
    })
    .unwrap()
}

fn grown(transcript: &Transcript) -> Transcript {
    let mut turns = transcript.turns().to_vec();
    for number in 0..2 {
        turns.push(TranscriptTurn::new(format!("appended {number}"), Role::User, "more", 1).unwrap());
    }
    Transcript::new(turns).unwrap()
}

proptest! {
    #[test]
    fn a_record_is_read_back_and_gives_the_same_plan(attempt in legal_attempts()) {
        let plan = plan_of(&attempt.scenario, attempt.draft);
        let record = PlanRecord::of(&plan, Some(json!({"name": "mine"})), "chars/4");
        let read = PlanRecord::from_json(&json_of(&record)).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(json_of(&read), json_of(&record));
        let again = read.check(&attempt.scenario.transcript).unwrap();
        prop_assert_eq!(&again, &plan);
        prop_assert_eq!(read.plan_hash(), plan.plan_hash());
        prop_assert_eq!(read.turns(), attempt.scenario.transcript.len());
        prop_assert_eq!(read.budget(), &attempt.scenario.budget);
        prop_assert_eq!(read.estimator(), "chars/4");
        prop_assert_eq!(read.policy(), Some(&json!({"name": "mine"})));
    }

    #[test]
    fn a_transcript_that_has_grown_is_still_the_planned_one(attempt in legal_attempts()) {
        let plan = plan_of(&attempt.scenario, attempt.draft);
        let record = PlanRecord::of(&plan, None, "chars/4");
        let again = record.check(&grown(&attempt.scenario.transcript)).unwrap();
        prop_assert_eq!(again, plan);
    }

    #[test]
    fn a_bare_plan_is_accepted_with_the_budget_beside_it(attempt in legal_attempts()) {
        let plan = plan_of(&attempt.scenario, attempt.draft);
        let Scenario { transcript, budget, .. } = &attempt.scenario;
        let again = CompactionPlan::from_json(&plan.canonical_json(), transcript, budget).unwrap();
        prop_assert_eq!(again, plan);
    }

    #[test]
    fn whatever_passes_has_the_hash_that_its_record_names(
        attempt in legal_attempts(), at in any::<prop::sample::Index>(), byte in 0x20_u8..0x7F,
    ) {
        let plan = plan_of(&attempt.scenario, attempt.draft);
        let mut json = json_of(&PlanRecord::of(&plan, None, "chars/4")).into_bytes();
        let at = at.index(json.len());
        json[at] = byte;
        let Ok(json) = String::from_utf8(json) else { return Ok(()) };
        if let Ok(record) = PlanRecord::from_json(&json) && let Ok(again) = record.check(plan.transcript()) {
            prop_assert_eq!(again.plan_hash(), record.plan_hash());
            prop_assert_eq!(again.canonical_json(), plan.canonical_json());
        }
    }

    #[test]
    fn arbitrary_text_is_unreadable_and_never_quoted(text in "\\PC{0,40}") {
        let error = PlanRecord::from_json(&text).unwrap_err();
        prop_assert_eq!(error.code().as_str(), "RECORD_UNREADABLE");
        if text.chars().count() > 20 {
            let shown = format!("{error} {error:?} {:?}", error.details());
            prop_assert!(!shown.contains(&text));
        }
    }

    #[test]
    fn the_digest_sees_every_field_but_metadata(transcript in transcripts(), at in any::<prop::sample::Index>()) {
        prop_assume!(!transcript.is_empty());
        let at = at.index(transcript.len());
        let digest = transcript_digest(transcript.turns());
        let with = |change: fn(TranscriptTurn) -> TranscriptTurn| {
            let mut turns = transcript.turns().to_vec();
            turns[at] = change(turns[at].clone());
            transcript_digest(&turns)
        };
        prop_assert_eq!(with(|turn| turn.with_metadata(Metadata::none().with("a", "b"))), digest);
        prop_assert_ne!(with(|turn| { let pin = !turn.pinned(); turn.with_pinned(pin) }), digest);
        prop_assert_ne!(with(|turn| turn.with_tool_call_id("another call")), digest);
        prop_assert_ne!(with(|turn| turn.with_tool_name("another tool")), digest);
        prop_assert_ne!(with(|turn| {
            let content = format!("{}!", turn.content());
            let tokens = turn.token_estimate();
            turn.with_content(content, tokens)
        }), digest);
        prop_assert_ne!(with(|turn| {
            let (content, tokens) = (turn.content().clone(), turn.token_estimate());
            turn.with_content(content, tokens.saturating_add(1))
        }), digest);
        prop_assert_ne!(transcript_digest(&transcript.turns()[..at]), digest);
    }
}

/// Two turns, one of them folded, and its record.
fn sample() -> (Transcript, PlanRecord) {
    let turn = |id: &str, role| TranscriptTurn::new(id, role, "text", 10).unwrap();
    let turns = vec![turn("u", Role::User), turn("a", Role::Assistant)];
    let transcript = Transcript::new(turns).unwrap();
    let budget = CompactionBudget::new(15).with_protected_recent_turns(1);
    let scenario = Scenario::new(transcript.clone(), budget);
    let fold = cutctx_types::Action::Summarize { group: "g".into() };
    let actions = vec![
        cutctx_types::TurnAction::new("u", fold),
        cutctx_types::TurnAction::new("a", cutctx_types::Action::Keep),
    ];
    let request = cutctx_types::SummarizationRequest::new("g", vec!["u".into()], 2, "brief").unwrap();
    let draft = cutctx_types::PlanDraft::new("mine", "1.0.0", actions).with_requests(vec![request]);
    (transcript, PlanRecord::of(&plan_of(&scenario, draft), None, "chars/4"))
}

fn code(error: &RecordError) -> &'static str {
    error.code().as_str()
}

#[test]
fn a_newer_record_is_refused_by_its_version() {
    let (_, record) = sample();
    let error = changed(&record, |value| value["record_version"] = 2.into()).unwrap_err();
    assert_eq!(error, RecordError::Version { record_version: 2 });
    assert_eq!(code(&error), "RECORD_VERSION");
    let error = changed(&record, |value| {
        *value = json!({"record_version": 2, "plan": {"members": "of the next release"}});
    });
    assert_eq!(error.unwrap_err(), RecordError::Version { record_version: 2 });
}

#[test]
fn members_that_no_record_has_are_refused() {
    let (_, record) = sample();
    let error = changed(&record, |value| value["extra"] = true.into()).unwrap_err();
    assert_eq!(code(&error), "RECORD_UNREADABLE");
    let error = changed(&record, |value| {
        value.as_object_mut().unwrap().remove("plan_hash");
    });
    assert_eq!(code(&error.unwrap_err()), "RECORD_UNREADABLE");
}

#[test]
fn a_budget_that_is_none_is_refused_with_its_number() {
    let (_, record) = sample();
    let error = changed(&record, |value| value["budget"]["max_tokens"] = (-1).into()).unwrap_err();
    assert_eq!(code(&error), "VALIDATION_ERROR");
    assert_eq!(serde_json::to_string(&error.details()).unwrap(), r#"{"max_tokens":-1}"#);
}

#[test]
fn another_budget_is_found_out_by_the_rules() {
    let (transcript, record) = sample();
    let lower = changed(&record, |value| value["budget"]["max_tokens"] = 11.into()).unwrap();
    let error = lower.check(&transcript).unwrap_err();
    let RecordError::Rejected(rejected) = &error else { panic!("{error}") };
    assert_eq!(rejected.first().rule(), "figures");
    let lowest = changed(&record, |value| value["budget"]["max_tokens"] = 9.into()).unwrap();
    let error = lowest.check(&transcript).unwrap_err();
    assert_eq!(code(&error), "COMPACTION_BUDGET_UNSATISFIABLE");
}

#[test]
fn another_transcript_is_found_out_by_its_digest() {
    let (transcript, record) = sample();
    let error = changed(&record, |value| value["transcript"]["sha256"] = "0".repeat(64).into())
        .unwrap()
        .check(&transcript)
        .unwrap_err();
    assert!(matches!(error, RecordError::Transcript { .. }), "{error}");
    assert_eq!(code(&error), "COMPACTION_PLAN_MISMATCH");
    let mut turns = transcript.turns().to_vec();
    turns[0] = turns[0].clone().with_content("other", 10);
    let error = record.check(&Transcript::new(turns).unwrap()).unwrap_err();
    assert!(matches!(error, RecordError::Transcript { .. }), "{error}");
}

#[test]
fn a_shorter_transcript_is_found_out_by_its_length() {
    let (transcript, record) = sample();
    let shorter = Transcript::new(transcript.turns()[..1].to_vec()).unwrap();
    let error = record.check(&shorter).unwrap_err();
    assert_eq!(error, RecordError::Shorter { recorded: 2, turns: 1 });
    let claimed = changed(&record, |value| value["transcript"]["turns"] = u64::MAX.into()).unwrap();
    assert!(matches!(claimed.check(&transcript), Err(RecordError::Shorter { .. })));
}

#[test]
fn another_hash_is_found_out() {
    let (transcript, record) = sample();
    let error = changed(&record, |value| value["plan_hash"] = "0".repeat(64).into())
        .unwrap()
        .check(&transcript)
        .unwrap_err();
    assert!(matches!(error, RecordError::Hash { .. }), "{error}");
    assert_eq!(code(&error), "RECORD_HASH");
}

#[test]
fn a_legal_change_of_the_plan_is_found_out_by_its_hash() {
    let (transcript, record) = sample();
    for (member, value) in
        [("policy_name", json!("other")), ("policy_version", json!("2")), ("estimator_ratio", json!(4.0))]
    {
        let tampered = changed_plan(&record, |plan| plan[member] = value);
        let error = tampered.check(&transcript).unwrap_err();
        assert!(matches!(error, RecordError::Hash { .. }), "{member}: {error}");
    }
}

#[test]
fn an_illegal_change_of_the_plan_is_found_out_by_the_rule() {
    let (transcript, record) = sample();
    let rule = |tampered: PlanRecord| match tampered.check(&transcript) {
        Err(RecordError::Rejected(rejected)) => rejected.first().rule(),
        other => panic!("{other:?}"),
    };
    assert_eq!(rule(changed_plan(&record, |plan| plan["tokens_before"] = 21.into())), "figures");
    assert_eq!(rule(changed_plan(&record, |plan| plan["tokens_after_estimate"] = (-12).into())), "figures");
    assert_eq!(rule(changed_plan(&record, |plan| plan["budget_unmet"] = true.into())), "figures");
    assert_eq!(
        rule(changed_plan(&record, |plan| plan["actions"][1]["action"] = "drop".into())),
        "untouchable"
    );
    assert_eq!(rule(changed_plan(&record, |plan| plan["actions"][0]["turn_id"] = "x".into())), "coverage");
    assert_eq!(
        rule(changed_plan(&record, |plan| plan["summarization_requests"] = json!([]))),
        "groups-and-requests"
    );
}

#[test]
fn values_that_are_none_are_found_out_with_their_codes() {
    let (transcript, record) = sample();
    let of = |tampered: PlanRecord| {
        let error = tampered.check(&transcript).unwrap_err();
        assert!(matches!(error, RecordError::Invalid(_)), "{error}");
        code(&error)
    };
    let negative = |plan: &mut Value| plan["summarization_requests"][0]["target_tokens"] = (-1).into();
    assert_eq!(of(changed_plan(&record, negative)), "VALIDATION_ERROR");
    assert_eq!(
        of(changed_plan(&record, |plan| plan["actions"][1]["summary_group"] = "g".into())),
        "VALIDATION_ERROR"
    );
    assert_eq!(of(changed_plan(&record, |plan| plan["wire_version"] = 2.into())), "VALIDATION_ERROR");
    assert_eq!(of(changed_plan(&record, |plan| plan["wire_version"] = 1.into())), "VALIDATION_ERROR");
    let (_, huge) = sample();
    let json = json_of(&huge).replace(r#"\"target_tokens\":2"#, r#"\"target_tokens\":99999999999999999999"#);
    assert_eq!(of(PlanRecord::from_json(&json).unwrap()), "TOKEN_OVERFLOW");
}

#[test]
fn hostile_json_is_unreadable_and_never_a_panic() {
    let (transcript, record) = sample();
    let json = json_of(&record);
    for end in 0..json.len() {
        assert!(json.get(..end).is_none_or(|cut| PlanRecord::from_json(cut).is_err()), "cut at {end}");
    }
    let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
    for hostile in [
        deep.clone(),
        json.clone() + "{}",
        json.replace(r#""policy":null"#, &format!(r#""policy":{deep}"#)),
        json.replace(r#""record_version":1"#, r#""record_version":1,"record_version":1"#),
        json.replace(r#""max_tokens":15"#, &format!(r#""max_tokens":1{}"#, "0".repeat(5_000))),
        json.replace(r#""max_tokens":15"#, r#""max_tokens":15.0"#),
        json.replace("chars/4", "\\ud800"),
        json.replace("chars/4", "\0"),
    ] {
        let error = PlanRecord::from_json(&hostile).unwrap_err();
        assert_eq!(code(&error), "RECORD_UNREADABLE", "{error}");
    }
    for plan in ["", "null", "[]", "{}", &deep, "{\"actions\":[]}", "\u{0}"] {
        let hollow = changed(&record, |value| value["plan"] = plan.into()).unwrap();
        let error = hollow.check(&transcript).unwrap_err();
        assert_eq!(code(&error), "RECORD_UNREADABLE", "{error}");
    }
}

/// The transcript with nothing pinned.
fn unpinned(transcript: &Transcript) -> Transcript {
    let turns = transcript.turns().iter().map(|turn| turn.clone().with_pinned(false));
    Transcript::new(turns.collect()).unwrap()
}

fn pinned_ids(transcript: &Transcript) -> Vec<Arc<str>> {
    let pinned = transcript.turns().iter().filter(|turn| turn.pinned());
    pinned.map(|turn| turn.turn_id().clone()).collect()
}

fn is_in_place(transcript: &Transcript, id: &str) -> bool {
    transcript.turns().iter().any(|turn| turn.turn_id().as_ref() == id && turn.pinned_in_place())
}

proptest! {
    #[test]
    fn pins_that_a_session_does_not_keep_are_restored_from_the_record(attempt in legal_attempts()) {
        let plan = plan_of(&attempt.scenario, attempt.draft);
        let pins = pinned_ids(&attempt.scenario.transcript);
        let (in_place, whole): (Vec<_>, Vec<_>) =
            pins.iter().cloned().partition(|id| is_in_place(&attempt.scenario.transcript, id));
        let record = PlanRecord::of(&plan, None, "chars/4")
            .with_pins(whole.clone())
            .with_pins_in_place(in_place.clone());
        prop_assert_eq!(json_of(&record).contains(r#""pins":"#), !whole.is_empty());
        prop_assert_eq!(json_of(&record).contains(r#""pins_in_place":"#), !in_place.is_empty());
        let read = PlanRecord::from_json(&json_of(&record)).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!((read.pins(), read.pins_in_place()), (whole.as_slice(), in_place.as_slice()));
        for transcript in [attempt.scenario.transcript.clone(), unpinned(&attempt.scenario.transcript)] {
            prop_assert_eq!(&read.pinned(&transcript).unwrap(), &attempt.scenario.transcript);
            prop_assert_eq!(&read.check(&transcript).unwrap(), &plan);
            let grown = grown(&transcript);
            prop_assert_eq!(&read.check(&grown).unwrap(), &plan);
            let again = read.pinned(&grown).unwrap();
            prop_assert_eq!(pinned_ids(&again), pins.clone());
            prop_assert_eq!(again.len(), grown.len());
        }
    }
}

#[test]
fn a_pin_that_is_taken_out_or_added_is_found_out_by_the_digest() {
    let turn = |id: &str| TranscriptTurn::new(id, Role::User, "text", 10).unwrap();
    let transcript = Transcript::new(vec![turn("a").with_pinned(true), turn("b"), turn("c")]).unwrap();
    let scenario =
        Scenario::new(transcript.clone(), CompactionBudget::new(25).with_protected_recent_turns(0));
    let actions = [("a", true), ("b", false), ("c", true)].map(|(id, keep)| {
        cutctx_types::TurnAction::new(
            id,
            if keep { cutctx_types::Action::Keep } else { cutctx_types::Action::Drop },
        )
    });
    let draft = cutctx_types::PlanDraft::new("mine", "1.0.0", actions.to_vec());
    let record = PlanRecord::of(&plan_of(&scenario, draft), None, "chars/4").with_pins(vec!["a".into()]);
    record.check(&unpinned(&transcript)).unwrap();
    for pins in [json!([]), json!(["b"]), json!(["a", "b"]), json!(["a", "c"])] {
        let other = changed(&record, |value| value["pins"] = pins).unwrap();
        let error = other.check(&unpinned(&transcript)).unwrap_err();
        assert!(matches!(error, RecordError::Transcript { .. }), "{error}");
    }
}

#[test]
fn a_clipped_turn_is_accepted_again_with_its_pin_in_its_place_and_not_with_a_firmer_one() {
    let turn = TranscriptTurn::new("a", Role::User, "a long story", 30).unwrap();
    let at = |turn: TranscriptTurn| Transcript::new(vec![turn]).unwrap();
    let budget = CompactionBudget::new(20).with_clip_active(true);
    let trim =
        cutctx_types::Trim::new(vec![cutctx_types::KeptPart::new(0, core::iter::once(0..6).collect())], 15);
    let actions = vec![cutctx_types::TurnAction::new("a", cutctx_types::Action::Trim(trim))];
    let draft = cutctx_types::PlanDraft::new("mine", "1.0.0", actions);
    let scenario = Scenario::new(at(turn.clone().with_pinned_in_place()), budget);
    let record =
        PlanRecord::of(&plan_of(&scenario, draft), None, "chars/4").with_pins_in_place(vec!["a".into()]);
    assert!(json_of(&record).contains(r#""clip_active":true"#));
    for known in [turn.clone(), turn.clone().with_pinned_in_place()] {
        record.check(&at(known)).unwrap();
    }
    let firmer = record.clone().with_pins_in_place(Vec::new()).with_pins(vec!["a".into()]);
    let owned = turn.clone().with_pinned(true);
    for (record, session) in
        [(&firmer, turn.clone()), (&firmer, turn.with_pinned_in_place()), (&record, owned)]
    {
        let error = record.check(&at(session)).unwrap_err();
        assert!(matches!(error, RecordError::Unsatisfiable(_)), "{error}");
    }
    let forbidden = changed(&record, |value| value["budget"]["clip_active"] = false.into()).unwrap();
    assert_eq!(code(&forbidden.check(&scenario.transcript).unwrap_err()), "COMPACTION_BUDGET_UNSATISFIABLE");
}

#[test]
fn reasoning_that_was_held_is_held_again() {
    let turn = |id: &str| TranscriptTurn::new(id, Role::Assistant, "text", 10).unwrap();
    let held = Transcript::new(vec![turn("a").with_reasoning_held(true), turn("b")]).unwrap();
    let released = Transcript::new(vec![turn("a"), turn("b")]).unwrap();
    let scenario = Scenario::new(held.clone(), CompactionBudget::new(100));
    let actions = ["a", "b"].map(|id| cutctx_types::TurnAction::new(id, cutctx_types::Action::Keep));
    let draft = cutctx_types::PlanDraft::new("mine", "1.0.0", actions.to_vec());
    let bare = PlanRecord::of(&plan_of(&scenario, draft), None, "chars/4");
    assert!(!json_of(&bare).contains("held_reasoning"));
    assert!(matches!(bare.check(&released), Err(RecordError::Transcript { .. })));
    let record = bare.with_held_reasoning(vec!["a".into()]);
    let read = PlanRecord::from_json(&json_of(&record)).unwrap();
    assert_eq!(read, record);
    for transcript in [&held, &released] {
        read.check(transcript).unwrap();
        assert_eq!(read.pinned(transcript).unwrap(), held);
    }
}

#[test]
fn a_pin_of_no_planned_turn_is_refused_by_its_id() {
    let (transcript, record) = sample();
    let other = record.clone().with_pins(vec!["nobody".into(), "u".into(), "appended 0".into()]);
    for transcript in [transcript.clone(), grown(&transcript)] {
        let error = other.check(&transcript).unwrap_err();
        assert_eq!(code(&error), "COMPACTION_PLAN_MISMATCH");
        let details = serde_json::to_string(&error.details()).unwrap();
        assert_eq!(details, r#"{"unknown_turn_ids":["appended 0","nobody"]}"#);
    }
    assert!(json_of(&record.with_pins(Vec::new())).find("pins").is_none());
}

#[test]
fn what_was_taken_off_a_window_is_kept_and_left_out_where_nothing_was() {
    let turn = TranscriptTurn::new("u", Role::User, "text", 10).unwrap();
    let transcript = Transcript::new(vec![turn]).unwrap();
    let scenario = Scenario::new(transcript, CompactionBudget::new(90));
    let actions = vec![cutctx_types::TurnAction::new("u", cutctx_types::Action::Keep)];
    let draft = cutctx_types::PlanDraft::new("mine", "1.0.0", actions);
    let plain = PlanRecord::of(&plan_of(&scenario, draft), None, "chars/4");
    assert!(plain.reserved().is_empty() && !json_of(&plain).contains("reserve"));
    for reserved in
        [Reserved::new(Some(7), None), Reserved::new(None, Some(0)), Reserved::new(Some(7), Some(5))]
    {
        let record = plain.clone().with_reserved(reserved);
        let read = PlanRecord::from_json(&json_of(&record)).unwrap();
        assert_eq!((read.reserved(), &read), (reserved, &record));
    }
    assert!(
        json_of(&plain.with_reserved(Reserved::new(Some(7), Some(5))))
            .contains(r#""reserve_output":7,"overhead":5"#)
    );
}
