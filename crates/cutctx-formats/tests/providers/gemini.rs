//! Gemini API requests.

use cutctx_formats::{Fate, Session, SummaryText};
use cutctx_types::{KeptPart, PartKind, Role, TranscriptTurn, Trim};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read};

const EXAMPLE: &str = include_str!("../../../../examples/gemini-contents.json");

fn request(contents: &Value) -> Session {
    let session = read(json!({"contents": contents, "tools": []}).to_string());
    assert_eq!(session.format().name(), "gemini-contents");
    session
}

fn edited(session: &Session, fates: &[Fate<'_>], summaries: &[SummaryText<'_>]) -> Value {
    let written = session.render(fates, summaries).unwrap().to_text();
    serde_json::from_str::<Value>(&written).unwrap()["contents"].clone()
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "parts": [{"text": text}]})
}

fn response(name: &str, response: &Value) -> Value {
    json!({"functionResponse": {"name": name, "response": response}})
}

#[test]
fn the_example_is_valid_and_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!(session.format().name(), "gemini-contents");
    assert_eq!(session.lint().iter().map(|found| found.rule.name).collect::<Vec<_>>(), ["call_in_flight"]);
    let turns = session.transcript().turns();
    assert_eq!(turns.len(), 17);
    assert!(turns.last().unwrap().pinned(), "the open call stays");
    check_laws(&session, 0..200, "example");
}

#[test]
fn responses_find_their_calls_by_id_or_by_name_and_order() {
    let session = request(&json!([
        said("user", "u"),
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"n": 1}}}, {"functionCall": {"name": "g", "args": {}}}, {"functionCall": {"name": "f", "args": {"n": 2}, "id": "x"}}]},
        {"role": "function", "parts": [response("g", &json!({"result": "rg"})), response("f", &json!({"output": "r1"})), {"function_response": {"name": "f", "id": "x", "response": {"mm": 2, "n": [1.5]}}}]},
        {"role": "model", "parts": [{"function_call": {"name": "f", "args": {"n": 3}, "id": "y"}}]},
        {"role": "user", "parts": [response("f", &json!({"error": "no"})), {"text": "and"}]},
    ]));
    let turns = session.transcript().turns();
    let roles: Vec<Role> = turns.iter().map(TranscriptTurn::role).collect();
    let tool = Role::Tool;
    assert_eq!(roles, [Role::User, Role::Assistant, tool, tool, tool, Role::Assistant, tool, Role::User]);
    let exchanges: Vec<Option<&str>> = turns.iter().map(|turn| turn.tool_call_id()).collect();
    assert_eq!(exchanges[2..7], [Some("m1"), Some("m1"), Some("m1"), Some("m3"), Some("m3")]);
    assert_eq!(contents(&session)[2..5], ["rg", "r1", "{\"mm\":2,\"n\":[1.5]}"]);
    assert_eq!(turns[2].tool_name().map(AsRef::as_ref), Some("g"));
}

#[test]
fn a_response_stays_an_object_whatever_takes_its_place() {
    let calls = json!({"role": "model", "parts": [{"functionCall": {"name": "f"}}, {"functionCall": {"name": "f"}}, {"functionCall": {"name": "f"}}]});
    let mut silent = response("f", &json!(null));
    silent["functionResponse"].as_object_mut().unwrap().remove("response");
    let answers = json!({"role": "user", "parts": [response("f", &json!({"return_value": "long"})), response("f", &json!({"a": 1, "b": 2})), silent]});
    let session = request(&json!([said("user", "u"), calls, answers]));
    let masked = Fate::Masked("[gone]");
    let output = edited(&session, &[Fate::Kept, Fate::Kept, masked, masked, masked], &[]);
    let responses: Vec<&Value> = output[2]["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["functionResponse"]["response"])
        .collect();
    assert_eq!(
        responses,
        [&json!({"return_value": "[gone]"}), &json!({"output": "[gone]"}), &json!({"output": "[gone]"})]
    );
}

#[test]
fn media_of_a_response_go_with_its_text_or_stay() {
    let image = json!({"inlineData": {"mimeType": "image/png", "data": "AAAA"}});
    let mut answer = response("f", &json!({"output": "0123456789"}));
    answer["functionResponse"]["parts"] = json!([image]);
    let session = request(&json!([
        said("user", "u"), {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}, {"role": "user", "parts": [answer]},
    ]));
    assert_eq!(contents(&session)[2], "0123456789[image image/png, 3 bytes]");
    let fates = |fate| [Fate::Kept, Fate::Kept, fate];
    let masked = edited(&session, &fates(Fate::Masked("[gone]")), &[]);
    assert_eq!(masked[2]["parts"][0]["functionResponse"]["response"], json!({"output": "[gone]"}));
    assert_eq!(masked[2]["parts"][0]["functionResponse"]["parts"], json!([]));
    let parts = session.transcript().turns()[2].parts().to_vec();
    let trim = Trim::new(vec![KeptPart::new(0, vec![0..3]), KeptPart::new(1, vec![10..parts[1].end])], 1);
    let trimmed = edited(&session, &fates(Fate::Trimmed(&trim)), &[]);
    assert_eq!(trimmed[2]["parts"][0]["functionResponse"]["response"], json!({"output": "012\n…"}));
    assert_eq!(trimmed[2]["parts"][0]["functionResponse"]["parts"], json!([image]));
}

fn signed_session() -> Session {
    let step = |n: usize, signature: &str| json!({"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"n": n}}, "thoughtSignature": signature}, {"functionCall": {"name": "f", "args": {"n": n}}}]});
    let answers = json!({"role": "user", "parts": [response("f", &json!({"output": "r"})), response("f", &json!({"output": "s"}))]});
    request(&json!([
        said("user", "u"),
        step(1, "b2xk"),
        answers,
        said("model", "t"),
        said("user", "v"),
        step(2, "bmV3"),
        answers
    ]))
}

#[test]
fn signatures_stay_with_their_calls_in_the_current_turn_and_go_from_earlier_ones() {
    let session = signed_session();
    let turns = session.transcript().turns();
    assert_eq!(turns[1].parts()[0].kind, PartKind::OpaqueReasoning);
    assert!(turns[5].pinned(), "what was asked last begins the current turn");
    let (kept, masked) = (Fate::Kept, Fate::Masked("[m]"));
    let output = edited(&session, &[kept, masked, kept, kept, kept, kept, masked, kept, kept], &[]);
    let bare = json!({"functionCall": {"name": "f", "args": {}}});
    assert_eq!(output[1]["parts"], json!([{"text": "[m]"}, bare, bare]));
    assert_eq!(
        output[5]["parts"][1],
        json!({"functionCall": {"name": "f", "args": {"n": 2}}, "thoughtSignature": "bmV3"})
    );
    assert_eq!(request(&output).violations(), []);
}

#[test]
fn contents_that_come_to_touch_become_one_and_a_summary_joins_them() {
    let session = request(&json!([
        said("user", "one"), said("model", "two"), said("user", "three"),
        {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}, {"role": "user", "parts": [response("f", &json!({"output": "r"}))]},
        said("model", "five"), said("user", "six"),
    ]));
    let (kept, gone) = (Fate::Kept, Fate::Dropped);
    let output = edited(&session, &[kept, kept, gone, kept, kept, kept, kept], &[]);
    assert_eq!(output[1]["parts"], json!([{"text": "two"}, {"functionCall": {"name": "f"}}]));
    assert_eq!(request(&output).violations(), []);
    let folded = Fate::SummarizedInto("g");
    let summary = [SummaryText { group: "g", text: "so far" }];
    let output = edited(&session, &[kept, folded, folded, folded, folded, kept, kept], &summary);
    assert_eq!(output[0], said("user", "one"));
    assert_eq!(output[1]["parts"], json!([{"text": "so far"}, {"text": "five"}]));
    let output = edited(&session, &[kept, kept, kept, kept, kept, folded, kept], &summary);
    assert_eq!(output[5], said("model", "so far"));
    assert_eq!(output[6], said("user", "six"));
    assert_eq!(request(&output).violations(), []);
}

#[test]
fn both_spellings_and_a_bare_list_are_read() {
    let list = json!([
        {"parts": [{"text": "u"}, {"file_data": {"file_uri": "gs://b/o", "mime_type": "video/mp4"}}]},
        {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "t"}, {"executable_code": {"code": "1"}}, {"codeExecutionResult": {"output": "1"}}]},
    ]);
    let session = read(list.to_string());
    assert_eq!(session.format().name(), "gemini-contents");
    let kinds: Vec<PartKind> = session.transcript().turns()[1].parts().iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::Reasoning, PartKind::Text, PartKind::Media, PartKind::Media]);
    check_laws(&session, 0..40, "bare list");
}
