//! Anthropic requests: blocks to turns, and what the provider insists on.

use cutctx_formats::{Fate, Session, SummaryText};
use cutctx_types::{KeptPart, PartKind, Role, TranscriptTurn, Trim};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read};

const EXAMPLE: &str = include_str!("../../../../examples/anthropic-messages.json");

fn request(messages: &Value) -> Session {
    read(json!({"model": "claude-x", "system": "s", "messages": messages}).to_string())
}

fn edited(session: &Session, fates: &[Fate<'_>]) -> Value {
    let written = session.render(fates, &[]).unwrap().to_text();
    serde_json::from_str::<Value>(&written).unwrap()["messages"].clone()
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "f", "input": {"k": 1}})
}

fn result(id: &str, text: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": text})
}

#[test]
fn the_example_is_valid_and_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!((session.format().name(), session.violations().len()), ("anthropic-messages", 0));
    assert!(session.transcript().turns().len() > 20);
    check_laws(&session, 0..200, "example");
}

#[test]
fn results_of_one_message_are_turns_of_their_own_and_its_text_is_another() {
    let session = request(&json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": [{"type": "text", "text": "t"}, call("a"), call("b")]},
        {"role": "user", "content": [result("b", "rb"), result("a", "ra"), {"type": "text", "text": "and"}, {"type": "text", "text": " then"}]},
    ]));
    let turns = session.transcript().turns();
    let roles: Vec<Role> = turns.iter().map(TranscriptTurn::role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Tool, Role::User]);
    assert_eq!(
        contents(&session),
        ["s", "u", "t[call f {\"k\":1}][call f {\"k\":1}]", "rb", "ra", "and then"]
    );
    let ids: Vec<&str> = turns.iter().map(|turn| turn.turn_id().as_ref()).collect();
    assert_eq!(ids, ["system", "m1", "m2", "m3", "m3.1", "m3.2"]);
    assert!(turns[2..5].iter().all(|turn| turn.tool_call_id() == Some("m2")));
    assert_eq!(turns[5].tool_call_id(), None);
}

#[test]
fn dropping_the_text_beside_results_removes_its_blocks_only() {
    let session = request(&json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": [call("a")]},
        {"role": "user", "content": [result("a", "ra"), {"type": "text", "text": "and"}]},
        {"role": "assistant", "content": "done"},
    ]));
    let output =
        edited(&session, &[Fate::Kept, Fate::Kept, Fate::Kept, Fate::Kept, Fate::Dropped, Fate::Kept]);
    assert_eq!(output[2]["content"], json!([result("a", "ra")]));
    let fates = [Fate::Kept, Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::Kept, Fate::Kept];
    let output = edited(&session, &fates);
    assert_eq!(output.as_array().unwrap().len(), 3);
    assert_eq!(output[1]["content"], json!([{"type": "text", "text": "and"}]));
}

#[test]
fn a_masked_result_keeps_its_marks() {
    let mut marked = result("a", "long");
    marked["is_error"] = json!(true);
    marked["cache_control"] = json!({"type": "ephemeral"});
    let session = request(
        &json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [call("a")]}, {"role": "user", "content": [marked]}]),
    );
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Kept, Fate::Masked("[gone]")]);
    marked["content"] = json!("[gone]");
    assert_eq!(output[2]["content"][0], marked);
}

fn thinking_session() -> Session {
    let thinking = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "c2ln"});
    request(&json!([
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": [thinking("old"), {"type": "text", "text": "answer"}]},
        {"role": "user", "content": "second"},
        {"role": "assistant", "content": [thinking("new"), {"type": "redacted_thinking", "data": "AAAAAAAA"}, call("a")]},
        {"role": "user", "content": [result("a", "r")]},
    ]))
}

#[test]
fn signed_thinking_goes_with_earlier_turns_and_stays_in_the_current_one() {
    let session = thinking_session();
    let turns = session.transcript().turns();
    assert_eq!(turns[2].parts()[0].kind, PartKind::OpaqueReasoning);
    assert!(turns[3].pinned(), "the request that is being worked on stays");
    let fates = [Fate::Kept, Fate::Kept, Fate::Masked("[m]"), Fate::Kept, Fate::Masked("[n]"), Fate::Kept];
    let output = edited(&session, &fates);
    assert_eq!(output[1]["content"], json!([{"type": "text", "text": "[m]"}]));
    let kinds: Vec<&Value> =
        output[3]["content"].as_array().unwrap().iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["thinking", "redacted_thinking", "text", "tool_use"]);
    assert_eq!(output[3]["content"][0]["signature"], "c2ln");
    assert_eq!(output[3]["content"][3]["input"], json!({}));
    assert_eq!(request(&output).violations(), []);
}

#[test]
fn trimming_keeps_all_signed_blocks_of_a_turn_or_none() {
    let session = thinking_session();
    let trim = Trim::new(vec![KeptPart::new(1, vec![3..5])], 1);
    let output =
        edited(&session, &[Fate::Kept, Fate::Kept, Fate::Trimmed(&trim), Fate::Kept, Fate::Kept, Fate::Kept]);
    assert_eq!(output[1]["content"], json!([{"type": "text", "text": "an\n…"}]));
    let trim = Trim::new(vec![KeptPart::new(0, vec![0..3])], 1);
    let output =
        edited(&session, &[Fate::Kept, Fate::Kept, Fate::Kept, Fate::Kept, Fate::Trimmed(&trim), Fate::Kept]);
    let kinds: Vec<&Value> =
        output[3]["content"].as_array().unwrap().iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["thinking", "redacted_thinking", "tool_use"]);
}

#[test]
fn a_provider_side_call_and_its_result_are_one_turn_and_go_together() {
    let blocks = json!([
        {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []},
        {"type": "text", "text": "found"},
    ]);
    let session = request(
        &json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": blocks}, {"role": "user", "content": "v"}]),
    );
    let turn = &session.transcript().turns()[2];
    assert_eq!((turn.tool_call_id(), turn.parts().len()), (None, 3));
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Masked("[m]"), Fate::Kept]);
    assert_eq!(output[1]["content"], json!([{"type": "text", "text": "[m]"}]));
    let (start, end) = (turn.parts()[1].end, turn.parts()[2].end);
    let only_text = Trim::new(vec![KeptPart::new(2, vec![start..end])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Trimmed(&only_text), Fate::Kept]);
    assert_eq!(output[1]["content"], json!([{"type": "text", "text": "found"}]));
    let call_only = Trim::new(vec![KeptPart::new(0, vec![0..turn.parts()[0].end])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Trimmed(&call_only), Fate::Kept]);
    assert_eq!(output[1]["content"].as_array().unwrap().len(), 2);
}

#[test]
fn results_with_images_are_trimmed_to_blocks() {
    let image =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    let content = json!([{"type": "text", "text": "0123456789"}, image, {"type": "text", "text": "tail"}]);
    let session = request(
        &json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [call("a")]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": content}]}]),
    );
    let parts = session.transcript().turns()[3].parts().to_vec();
    let with_image =
        Trim::new(vec![KeptPart::new(0, vec![0..3]), KeptPart::new(1, vec![10..parts[1].end])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Kept, Fate::Trimmed(&with_image)]);
    assert_eq!(output[2]["content"][0]["content"], json!([{"type": "text", "text": "012\n…"}, image]));
    let text_only = Trim::new(vec![KeptPart::new(0, vec![0..3])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Kept, Fate::Trimmed(&text_only)]);
    assert_eq!(output[2]["content"][0]["content"], "012\n…");
}

#[test]
fn blank_text_is_never_written() {
    let session = request(
        &json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [{"type": "text", "text": "t"}]}, {"role": "user", "content": [{"type": "text", "text": "v"}]}]),
    );
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Masked(" "), Fate::Kept]);
    assert_eq!(output[1]["content"][0]["text"], "…");
    let fates = [Fate::Kept, Fate::Kept, Fate::SummarizedInto("g"), Fate::Kept];
    let written = session.render(&fates, &[SummaryText { group: "g", text: "" }]).unwrap().to_text();
    assert_eq!(contents(&read(written)), ["s", "u", "v"]);
}

#[test]
fn the_system_prompt_outside_the_messages_cannot_be_changed() {
    let session = request(&json!([{"role": "user", "content": "u"}]));
    let error = session.render(&[Fate::Dropped, Fate::Kept], &[]).unwrap_err();
    assert_eq!(error.to_string(), "turn 0 cannot be changed in anthropic-messages");
}

#[test]
fn each_rule_of_the_provider_is_found_broken() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let cases = [
        ("first_not_user", json!([{"role": "assistant", "content": "a"}])),
        (
            "unanswered_call",
            json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [call("a")]}, {"role": "user", "content": "v"}]),
        ),
        ("orphan_result", json!([{"role": "user", "content": [result("a", "r")]}])),
        (
            "result_not_first",
            json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [call("a")]}, {"role": "user", "content": [text("v"), result("a", "r")]}]),
        ),
        ("empty_content", json!([{"role": "user", "content": []}])),
        ("blank_text", json!([{"role": "user", "content": [text(" \n")]}])),
        (
            "prefill_ends_blank",
            json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": "I say: "}]),
        ),
        (
            "reasoning_not_first",
            json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [text("t"), {"type": "thinking", "thinking": "", "signature": "s"}]}]),
        ),
    ];
    for (rule, messages) in cases {
        let rules: Vec<&str> =
            request(&messages).violations().iter().map(|violation| violation.rule.name).collect();
        assert_eq!(rules, [rule], "{messages}");
    }
}

#[test]
fn a_providers_own_compaction_stays() {
    let session = request(
        &json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": [{"type": "compaction", "content": "so far"}, {"type": "text", "text": "t"}]}, {"role": "user", "content": "v"}]),
    );
    assert!(session.transcript().turns()[2].pinned());
}
