//! What JSON refuses first, and with which code and details.

use cutctx_types::wire::{
    WireAction, WireBudget, WirePlan, WireReplacement, WireRequest, WireTranscript, WireTurn,
};
use cutctx_types::{
    Coded, CompactionBudget, PlanDraft, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// The code and the details that a value is refused with; none where it is made.
fn refusal<W, T>(json: &str) -> Option<(String, String)>
where
    W: DeserializeOwned,
    T: TryFrom<W, Error: Coded>,
{
    let wire: W = serde_json::from_str(json).unwrap();
    let error = T::try_from(wire).err()?;
    Some((error.code().to_string(), serde_json::to_string(&error.details()).unwrap()))
}

fn refuses<W, T>(json: &str, code: &str, details: &str)
where
    W: DeserializeOwned,
    T: TryFrom<W, Error: Coded>,
{
    let refused = refusal::<W, T>(json).unwrap_or_else(|| panic!("{json} is made"));
    assert_eq!((refused.0.as_str(), refused.1.as_str()), (code, details), "{json}");
}

#[test]
fn a_turn_is_asked_for_its_id_then_its_tokens_then_its_parts() {
    let refuses = refuses::<WireTurn, TranscriptTurn>;
    let bad_part = r#""parts":[{"kind":"text","end":9,"token_estimate":0}]"#;
    refuses(
        &format!(r#"{{"turn_id":"","role":"tool","content":"a","token_estimate":-1,{bad_part}}}"#),
        "VALIDATION_ERROR",
        r#"{"role":"tool"}"#,
    );
    refuses(
        &format!(r#"{{"turn_id":"t","role":"tool","content":"a","token_estimate":-1,{bad_part}}}"#),
        "VALIDATION_ERROR",
        r#"{"turn_id":"t","token_estimate":-1}"#,
    );
    refuses(
        &format!(
            r#"{{"turn_id":"t","role":"tool","content":"a","token_estimate":18446744073709551616,{bad_part}}}"#
        ),
        "TOKEN_OVERFLOW",
        r#"{"turn_id":"t"}"#,
    );
    refuses(
        &format!(r#"{{"turn_id":"t","role":"tool","content":"a","token_estimate":1,{bad_part}}}"#),
        "VALIDATION_ERROR",
        r#"{"turn_id":"t","part":0,"end":9}"#,
    );
}

#[test]
fn a_transcript_is_asked_for_its_turns_then_for_repeats_then_for_its_total() {
    let turn = |id: &str, tokens: &str| {
        format!(r#"{{"turn_id":"{id}","role":"user","content":"","token_estimate":{tokens}}}"#)
    };
    let transcript = |turns: &[String]| format!(r#"{{"turns":[{}]}}"#, turns.join(","));
    let refuses = refuses::<WireTranscript, Transcript>;
    let huge = turn("a", "18446744073709551615");
    refuses(
        &transcript(&[turn("a", "1"), huge.clone(), turn("b", "-1")]),
        "VALIDATION_ERROR",
        r#"{"turn_id":"b","token_estimate":-1}"#,
    );
    refuses(
        &transcript(&[turn("a", "1"), huge.clone()]),
        "VALIDATION_ERROR",
        r#"{"duplicate_turn_ids":["a"]}"#,
    );
    refuses(&transcript(&[huge, turn("b", "1")]), "TOKEN_OVERFLOW", r#"{"turns":2}"#);
}

#[test]
fn a_budget_is_asked_for_its_maximum_then_its_tail_then_its_target() {
    let refuses = refuses::<WireBudget, CompactionBudget>;
    refuses(
        r#"{"max_tokens":-1,"protected_recent_turns":-2,"target_tokens":-3}"#,
        "VALIDATION_ERROR",
        r#"{"max_tokens":-1}"#,
    );
    refuses(
        r#"{"max_tokens":1,"protected_recent_turns":-2,"target_tokens":-3}"#,
        "VALIDATION_ERROR",
        r#"{"protected_recent_turns":-2}"#,
    );
    refuses(r#"{"max_tokens":1,"target_tokens":-3}"#, "VALIDATION_ERROR", r#"{"target_tokens":-3}"#);
    refuses(
        r#"{"max_tokens":1,"target_tokens":2}"#,
        "VALIDATION_ERROR",
        r#"{"target_tokens":2,"max_tokens":1}"#,
    );
    for field in ["max_tokens", "protected_recent_turns", "target_tokens"] {
        let mut budget = json!({"max_tokens": 1});
        budget[field] = json!(null);
        let json = budget.to_string().replace("null", "18446744073709551616");
        refuses(&json, "TOKEN_OVERFLOW", &format!(r#"{{"field":"{field}"}}"#));
    }
}

#[test]
fn a_request_is_asked_for_its_group_its_prompt_its_turns_their_repeats_and_its_target() {
    let request = |group: &str, turns: &str, target: &str, prompt: &str| {
        format!(
            r#"{{"group_id":"{group}","turn_ids":{turns},"target_tokens":{target},"prompt_id":"{prompt}"}}"#
        )
    };
    let refuses = refuses::<WireRequest, SummarizationRequest>;
    let (none, twice, once) = ("[]", r#"["a","b","a"]"#, r#"["a"]"#);
    refuses(&request("", none, "-1", ""), "VALIDATION_ERROR", "{}");
    refuses(&request("g", none, "-1", ""), "VALIDATION_ERROR", r#"{"group_id":"g"}"#);
    refuses(&request("g", none, "-1", "p"), "VALIDATION_ERROR", r#"{"group_id":"g"}"#);
    refuses(&request("g", twice, "-1", "p"), "VALIDATION_ERROR", r#"{"group_id":"g"}"#);
    refuses(&request("g", once, "-1", "p"), "VALIDATION_ERROR", r#"{"group_id":"g","target_tokens":-1}"#);
    refuses(&request("g", once, "18446744073709551616", "p"), "TOKEN_OVERFLOW", r#"{"group_id":"g"}"#);
    assert_eq!(refusal::<WireRequest, SummarizationRequest>(&request("g", once, "0", " ")), None);
}

#[test]
fn an_action_is_asked_for_its_numbers_then_its_group_then_its_replacement_then_its_trim() {
    let refuses = refuses::<WireAction, TurnAction>;
    let stub = |tokens: &str| format!(r#"{{"content":"","token_estimate":{tokens}}}"#);
    let trim = r#"{"kept":[],"token_estimate":-2}"#;
    refuses(
        &format!(r#"{{"turn_id":"t","action":"keep","summary_group":"","replacement":{}}}"#, stub("-1")),
        "VALIDATION_ERROR",
        r#"{"token_estimate":-1}"#,
    );
    refuses(
        &format!(
            r#"{{"turn_id":"t","action":"keep","replacement":{},"trim":{trim}}}"#,
            stub("18446744073709551616")
        ),
        "TOKEN_OVERFLOW",
        "{}",
    );
    refuses(
        &format!(r#"{{"turn_id":"t","action":"keep","summary_group":"","trim":{trim}}}"#),
        "VALIDATION_ERROR",
        r#"{"token_estimate":-2}"#,
    );
    let wrong = r#"{"turn_id":"t","action":"keep"}"#;
    refuses(
        &format!(r#"{{"turn_id":"t","action":"keep","summary_group":"","replacement":{}}}"#, stub("1")),
        "VALIDATION_ERROR",
        wrong,
    );
    refuses(
        r#"{"turn_id":"t","action":"summarize"}"#,
        "VALIDATION_ERROR",
        r#"{"turn_id":"t","action":"summarize"}"#,
    );
    refuses(r#"{"turn_id":"t","action":"mask"}"#, "VALIDATION_ERROR", r#"{"turn_id":"t","action":"mask"}"#);
    refuses(r#"{"turn_id":"t","action":"trim"}"#, "VALIDATION_ERROR", r#"{"turn_id":"t","action":"trim"}"#);
    refuses(
        r#"{"turn_id":"t","action":"keep","trim":{"kept":[],"token_estimate":1}}"#,
        "VALIDATION_ERROR",
        wrong,
    );
    let empty_group = r#"{"turn_id":"t","action":"summarize","summary_group":""}"#;
    assert_eq!(refusal::<WireAction, TurnAction>(empty_group), None, "the empty string counts as a group");
}

#[test]
fn a_plan_is_asked_for_its_actions_then_its_requests_then_its_version() {
    let plan = |action: &str, requests: &str, version: u64| {
        format!(
            r#"{{"actions":[{action}],"summarization_requests":[{requests}],"tokens_before":0,"tokens_after_estimate":0,"policy_name":"","policy_version":"","budget_unmet":false,"wire_version":{version}}}"#
        )
    };
    let (bad_action, action) = (r#"{"turn_id":"t","action":"mask"}"#, r#"{"turn_id":"t","action":"keep"}"#);
    let bad_request = r#"{"group_id":"g","turn_ids":[],"target_tokens":0,"prompt_id":"p"}"#;
    let refuses = refuses::<WirePlan, PlanDraft>;
    refuses(&plan(bad_action, bad_request, 3), "VALIDATION_ERROR", r#"{"turn_id":"t","action":"mask"}"#);
    refuses(&plan(action, bad_request, 3), "VALIDATION_ERROR", r#"{"group_id":"g"}"#);
    refuses(&plan(action, "", 3), "VALIDATION_ERROR", r#"{"wire_version":3}"#);
}

#[test]
fn numbers_beyond_128_bits_fractions_and_strangers_are_left_to_the_parser() {
    for max in [format!("1{}", "0".repeat(60)), "1.0".into(), "1e3".into(), "\"1\"".into(), "true".into()] {
        let json = format!(r#"{{"max_tokens":{max}}}"#);
        assert!(serde_json::from_str::<WireBudget>(&json).is_err(), "{json}");
    }
    let extremes = format!(r#"{{"max_tokens":{},"target_tokens":{}}}"#, i128::MAX, i128::MIN);
    assert!(serde_json::from_str::<WireBudget>(&extremes).is_ok());
    assert!(serde_json::from_str::<WireBudget>(r#"{"max_tokens":1,"max":2}"#).is_err());
    assert!(serde_json::from_str::<WireBudget>(r#"{"max_tokens":1,"max_tokens":1}"#).is_err());
    assert!(serde_json::from_str::<WireTurn>(r#"{"turn_id":"t"}"#).is_err());
}

#[test]
fn wire_forms_are_read_from_values_as_well_as_from_text() {
    let turn = json!({"turn_id": "t", "role": "user", "content": "", "token_estimate": u64::MAX});
    let wire: WireTurn = serde_json::from_value(turn).unwrap();
    assert_eq!(wire.token_estimate, i128::from(u64::MAX));
    let budget: WireBudget = serde_json::from_value(json!({"max_tokens": -5})).unwrap();
    assert_eq!(budget.max_tokens, -5);
}

fn reads_back<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value, "{json}");
}

#[test]
fn checked_values_read_back_what_they_write() {
    let turn = TranscriptTurn::new("t\0", cutctx_types::Role::Tool, "漢字", 7).unwrap();
    reads_back(&turn);
    let parts = vec![cutctx_types::Part::new(cutctx_types::PartKind::OpaqueReasoning, 6, 7)];
    let full = turn
        .with_tool_call_id("")
        .with_tool_name("read")
        .with_pinned(true)
        .with_metadata(cutctx_types::Metadata::none().with("a", "b"))
        .with_parts(parts)
        .unwrap();
    reads_back(&full);
    reads_back(&Transcript::new(vec![full]).unwrap());
    reads_back(&CompactionBudget::new(0));
    reads_back(
        &CompactionBudget::new(u64::MAX).with_target(9).unwrap().with_protected_recent_turns(u64::MAX),
    );
    reads_back(&SummarizationRequest::new("g", vec!["a".into()], u64::MAX, "p").unwrap());
}

#[test]
fn the_optional_members_of_a_turn_are_absent_or_null_alike() {
    let short = r#"{"turn_id":"t","role":"user","content":"c","token_estimate":1}"#;
    let long = r#"{"turn_id":"t","role":"user","content":"c","token_estimate":1,"tool_call_id":null,
        "pinned":false,"metadata":{},"tool_name":null,"parts":null}"#;
    let (short, long): (TranscriptTurn, TranscriptTurn) =
        (serde_json::from_str(short).unwrap(), serde_json::from_str(long).unwrap());
    assert_eq!(short, long);
    let written = serde_json::to_string(&short).unwrap();
    let expected = r#"{"turn_id":"t","role":"user","content":"c","token_estimate":1,"tool_call_id":null,"pinned":false,"metadata":{}}"#;
    assert_eq!(written, expected);
}

#[test]
fn debug_of_a_wire_form_shows_no_text() {
    let turn = r#"{"turn_id":"t","role":"user","content":"secret","token_estimate":1}"#;
    let turn: WireTurn = serde_json::from_str(turn).unwrap();
    let stub: WireReplacement = serde_json::from_str(r#"{"content":"secret","token_estimate":1}"#).unwrap();
    let shown = format!("{turn:?} {stub:?}");
    assert!(!shown.contains("secret"), "{shown}");
    assert!(shown.contains("content_bytes: 6"), "{shown}");
}
