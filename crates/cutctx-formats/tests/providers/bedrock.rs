//! Bedrock Converse requests.

use cutctx_formats::{Fate, Session, SummaryText};
use cutctx_types::{KeptPart, PartKind, Role, TranscriptTurn, Trim};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read};

const EXAMPLE: &str = include_str!("../../../../examples/bedrock-converse.json");

pub(crate) fn request(messages: &Value) -> Session {
    let session =
        read(json!({"messages": messages, "inferenceConfig": {}, "toolConfig": {"tools": []}}).to_string());
    assert_eq!(session.format().name(), "bedrock-converse");
    session
}

pub(crate) fn edited(session: &Session, fates: &[Fate<'_>], summaries: &[SummaryText<'_>]) -> Value {
    let written = session.render(fates, summaries).unwrap().to_text();
    serde_json::from_str::<Value>(&written).unwrap()["messages"].clone()
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": [{"text": text}]})
}

fn call(id: &str) -> Value {
    json!({"toolUse": {"toolUseId": id, "name": "f", "input": {"k": 1}}})
}

fn result(id: &str, content: &Value) -> Value {
    json!({"toolResult": {"toolUseId": id, "content": content, "status": "success"}})
}

#[test]
fn the_example_is_valid_and_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!(session.format().name(), "bedrock-converse");
    assert_eq!(session.lint().iter().map(|found| found.rule.name).collect::<Vec<_>>(), ["call_in_flight"]);
    let turns = session.transcript().turns();
    assert_eq!(turns.len(), 19);
    assert!(turns.last().unwrap().pinned(), "the open call stays");
    check_laws(&session, 0..200, "example");
}

#[test]
fn blocks_become_parts_and_results_turns() {
    let session = request(&json!([
        said("user", "u"),
        {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "why", "signature": "c2ln"}}}, {"text": "t"}, call("a"), call("b")]},
        {"role": "user", "content": [result("b", &json!([{"json": {"n": 1.5}}])), result("a", &json!([{"text": "ra"}, {"image": {"format": "png", "source": {"bytes": "AAAA"}}}])), {"cachePoint": {"type": "default"}}]},
    ]));
    let turns = session.transcript().turns();
    let roles: Vec<Role> = turns.iter().map(TranscriptTurn::role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Tool]);
    assert_eq!(contents(&session)[1], "whyt[call f {\"k\":1}][call f {\"k\":1}]");
    assert_eq!(contents(&session)[2], "{\"n\":1.5}");
    assert_eq!(contents(&session)[3], "ra[image png, 3 bytes]");
    assert_eq!(turns[1].parts()[0].kind, PartKind::OpaqueReasoning);
    assert!(turns[2..].iter().all(|turn| turn.tool_call_id() == Some("m1")));
}

#[test]
fn masked_and_trimmed_results_stay_lists_of_blocks() {
    let image = json!({"image": {"format": "png", "source": {"bytes": "AAAA"}}});
    let session = request(&json!([
        said("user", "u"),
        {"role": "assistant", "content": [call("a")]},
        {"role": "user", "content": [result("a", &json!([{"text": "0123456789"}, image]))]},
    ]));
    let fates = |fate| [Fate::Kept, Fate::Kept, fate];
    let masked = edited(&session, &fates(Fate::Masked("[gone]")), &[]);
    assert_eq!(masked[2]["content"][0], result("a", &json!([{"text": "[gone]"}])));
    let parts = session.transcript().turns()[2].parts().to_vec();
    let trim = Trim::new(vec![KeptPart::new(0, vec![0..3]), KeptPart::new(1, vec![10..parts[1].end])], 1);
    let trimmed = edited(&session, &fates(Fate::Trimmed(&trim)), &[]);
    assert_eq!(trimmed[2]["content"][0], result("a", &json!([{"text": "012\n…"}, image])));
}

#[test]
fn messages_that_come_to_touch_become_one_with_the_fields_of_the_first() {
    let messages = json!([
        said("user", "one"), said("assistant", "two"),
        {"content": [{"text": "three"}], "role": "user"}, said("assistant", "four"), said("user", "five"), said("assistant", "six"), said("user", "seven"),
    ]);
    let session = request(&messages);
    let kept = Fate::Kept;
    let fates = [kept, Fate::Dropped, kept, Fate::Dropped, kept, kept, kept];
    let output = edited(&session, &fates, &[]);
    assert_eq!(
        output[0],
        json!({"role": "user", "content": [{"text": "one"}, {"text": "three"}, {"text": "five"}]})
    );
    assert_eq!(output.as_array().unwrap().len(), 3);
    let fates = [kept, kept, Fate::Dropped, kept, Fate::Dropped, Fate::Dropped, kept];
    let output = edited(&session, &fates, &[]);
    assert_eq!(output[1]["content"], json!([{"text": "two"}, {"text": "four"}]));
    assert_eq!(request(&output).violations(), []);
}

#[test]
fn a_summary_joins_the_models_message_behind_it_or_parts_two_of_the_users() {
    let messages = json!([
        said("user", "one"),
        said("assistant", "two"),
        said("user", "three"),
        said("assistant", "four"),
        said("user", "five")
    ]);
    let session = request(&messages);
    let (kept, folded) = (Fate::Kept, Fate::SummarizedInto("g"));
    let summary = [SummaryText { group: "g", text: "so far" }];
    let output = edited(&session, &[kept, folded, folded, kept, kept], &summary);
    assert_eq!(output[0], said("user", "one"), "what may be pinned stays what it is");
    assert_eq!(output[1]["content"], json!([{"text": "so far"}, {"text": "four"}]));
    assert_eq!(request(&output).violations(), []);
    let output = edited(&session, &[kept, folded, folded, folded, kept], &summary);
    assert_eq!(
        output,
        json!([said("user", "one"), said("assistant", "so far"), said("user", "five")]),
        "so it is a turn of its own when it is read again"
    );
    let output = edited(&session, &[kept, kept, folded, kept, kept], &summary);
    assert_eq!(output[2], said("user", "so far"));
    assert_eq!(output.as_array().unwrap().len(), 5);
    assert_eq!(request(&output).violations(), []);
}

#[test]
fn a_summary_joins_the_users_message_where_reasoning_is_to_come_first_behind_it() {
    let thought = json!({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "c2ln"}}});
    let messages = json!([
        said("user", "one"),
        said("assistant", "two"),
        said("user", "three"),
        {"role": "assistant", "content": [thought, {"text": "four"}, call("a")]},
        {"role": "user", "content": [result("a", &json!([{"text": "r"}]))]},
    ]);
    let session = request(&messages);
    let (kept, folded) = (Fate::Kept, Fate::SummarizedInto("g"));
    let summary = [SummaryText { group: "g", text: "so far" }];
    let output = edited(&session, &[kept, folded, folded, kept, kept], &summary);
    assert_eq!(output[0]["content"], json!([{"text": "one"}, {"text": "so far"}]));
    assert_eq!(output[1], messages[3]);
    assert_eq!(request(&output).violations(), []);
}

#[test]
fn a_cache_point_moves_when_what_it_stands_behind_goes() {
    let point = json!({"cachePoint": {"type": "default"}});
    let session = request(&json!([
        said("user", "one"),
        {"role": "assistant", "content": [call("a")]},
        {"role": "user", "content": [result("a", &json!([{"text": "ra"}])), point]},
        said("assistant", "two"),
        {"role": "user", "content": [{"text": "three"}, point]},
    ]));
    let (kept, gone) = (Fate::Kept, Fate::Dropped);
    let output = edited(&session, &[kept, gone, gone, kept, kept], &[]);
    assert_eq!(output[0]["content"], json!([{"text": "one"}, point]));
    assert_eq!(output[2]["content"], json!([{"text": "three"}, point]));
    let output = edited(&session, &[kept, Fate::Masked("[m]"), Fate::Masked("[n]"), kept, kept], &[]);
    assert_eq!(output[2]["content"][1], point);
}

#[test]
fn blocks_without_keys_that_are_known_stay_whole_or_go() {
    let session = request(&json!([
        said("user", "one"),
        {"role": "assistant", "content": [{"citationsContent": {"content": [{"text": "cited"}]}}, {"text": "two"}]},
        said("user", "three"),
    ]));
    assert_eq!(session.transcript().turns()[1].parts()[0].kind, PartKind::Media);
    let output = edited(&session, &[Fate::Kept, Fate::Masked("[m]"), Fate::Kept], &[]);
    assert_eq!(output[1]["content"], json!([{"text": "[m]"}]));
}

#[test]
fn what_is_no_converse_request_is_named_with_its_place() {
    let refused = |messages: Value| {
        let text = json!({"messages": messages, "inferenceConfig": {}}).to_string();
        Session::read(text, &cutctx_types::CharRatioEstimator::default()).unwrap_err().to_string()
    };
    assert!(refused(json!([{"role": "tool", "content": [{"text": "t"}]}])).contains("role"));
    assert!(refused(json!([{"role": "user", "content": "t"}])).contains("`content`"));
    assert!(refused(json!([{"role": "user", "content": [1]}])).contains("not an object"));
}
