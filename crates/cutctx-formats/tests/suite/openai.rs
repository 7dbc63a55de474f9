//! Chat messages: granularity, pairing, and how each fate is spelled.

use cutctx_formats::{Fate, Session, SummaryText};
use cutctx_types::{KeptPart, PartKind, Role, TranscriptTurn, Trim};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read};

const EXAMPLE: &str = include_str!("../../../../examples/openai-chat.json");

fn edited(session: &Session, fates: &[Fate<'_>]) -> Value {
    serde_json::from_str(&session.render(fates, &[]).unwrap().to_text()).unwrap()
}

fn session(messages: &Value) -> Session {
    read(messages.to_string())
}

#[test]
fn the_example_is_valid_and_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!((session.format().name(), session.violations().len()), ("openai-chat", 0));
    assert!(session.transcript().turns().len() > 25);
    check_laws(&session, 0..200, "example");
}

#[test]
fn every_message_is_one_turn_and_results_share_the_call_of_their_assistant() {
    let session = read(EXAMPLE);
    let turns = session.transcript().turns();
    assert_eq!(turns[0].role(), Role::System);
    assert!(turns[1].pinned(), "the first request stays");
    let ids: Vec<Option<&str>> = turns[2..6].iter().map(|turn| turn.tool_call_id()).collect();
    assert_eq!(ids, [Some("m2"); 4]);
    assert_eq!(turns[3].tool_name(), Some("read_file"));
    let kinds: Vec<PartKind> = turns[2].parts().iter().map(|part| part.kind).collect();
    assert_eq!(
        kinds,
        [PartKind::Text, PartKind::CallArguments, PartKind::CallArguments, PartKind::CallArguments]
    );
    assert!(turns[2].content().contains(r#"[call read_file {"path": "harbor/worker.py"}]"#));
}

#[test]
fn repeated_call_ids_pair_with_the_nearest_open_call() {
    let call = json!({"role": "assistant", "content": "c", "tool_calls": [{"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let result = json!({"role": "tool", "tool_call_id": "x", "content": "r"});
    let session = session(
        &json!([{"role": "user", "content": "u"}, call, result, call, result, result, {"role": "tool", "tool_call_id": "y", "content": "o"}]),
    );
    let ids: Vec<Option<&str>> =
        session.transcript().turns().iter().map(|turn| turn.tool_call_id()).collect();
    assert_eq!(ids, [None, Some("m1"), Some("m1"), Some("m3"), Some("m3"), Some("m3"), None]);
}

#[test]
fn calls_in_flight_are_pinned_and_calls_left_behind_are_not() {
    let call = |id: &str| json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let session = session(
        &json!([{"role": "user", "content": "u"}, call("a"), {"role": "user", "content": "stop"}, call("b"), call("c"), {"role": "tool", "tool_call_id": "b", "content": "r"}]),
    );
    let pinned: Vec<bool> = session.transcript().turns().iter().map(TranscriptTurn::pinned).collect();
    assert_eq!(
        pinned,
        [true, false, true, false, true, false],
        "a person's first and newest words stay, too"
    );
    let rules: Vec<_> =
        session.violations().iter().map(|violation| (violation.rule.name, violation.record)).collect();
    assert_eq!(rules, [("unanswered_call", 1), ("unanswered_call", 3), ("orphan_result", 5)]);
}

#[test]
fn a_masked_result_keeps_its_ids_and_unknown_fields() {
    let session = read(
        r#"[{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool", "tool_call_id":"a", "x":1.0,"content":[{"type":"text","text":"long"}]}]"#,
    );
    let text = session.render(&[Fate::Kept, Fate::Kept, Fate::Masked("[gone]")], &[]).unwrap();
    assert!(text.to_text().ends_with(r#"{"role":"tool", "tool_call_id":"a", "x":1.0,"content":"[gone]"}]"#));
    assert_eq!(text.first_changed_byte(), session.text().find(r#"[{"type":"text""#));
}

#[test]
fn a_masked_assistant_keeps_its_calls_without_arguments_and_loses_its_reasoning() {
    let message = json!({"role": "assistant", "content": null, "reasoning_content": "think", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"k\":1}"}}]});
    let session = session(
        &json!([{"role": "user", "content": "u"}, message, {"role": "tool", "tool_call_id": "a", "content": "r"}]),
    );
    let output = edited(&session, &[Fate::Kept, Fate::Masked("[stub]"), Fate::Kept]);
    assert_eq!(
        output[1],
        json!({"role": "assistant", "content": "[stub]", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]})
    );
    assert_eq!(contents(&read(output.to_string())), ["u", "[stub]", "r"]);
}

#[test]
fn trimmed_arguments_stay_json_or_become_an_empty_object() {
    let message = json!({"role": "assistant", "content": "0123456789", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"k\":1}"}}]});
    let session = session(
        &json!([{"role": "user", "content": "u"}, message, {"role": "tool", "tool_call_id": "a", "content": "r"}]),
    );
    let end = session.transcript().turns()[1].content().len();
    let cut = Trim::new(vec![KeptPart::new(0, vec![0..2, 8..10]), KeptPart::new(1, vec![10..12])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Trimmed(&cut), Fate::Kept]);
    assert_eq!(output[1]["content"], "01\n…\n89");
    assert_eq!(output[1]["tool_calls"][0]["function"]["arguments"], "{}");
    let whole = Trim::new(vec![KeptPart::new(1, vec![10..end])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Trimmed(&whole), Fate::Kept]);
    assert_eq!(
        (&output[1]["content"], &output[1]["tool_calls"][0]["function"]["arguments"]),
        (&json!(""), &json!("{\"k\":1}"))
    );
}

#[test]
fn a_text_among_the_arguments_that_loses_its_middle_is_read_back_as_the_executor_leaves_it() {
    let arguments = r#"{"path":"x","text":"0123456789\n \u00e9 abc"}"#;
    let message = json!({"role": "assistant", "content": "look", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "write", "arguments": arguments}}]});
    let session = session(
        &json!([{"role": "user", "content": "u"}, message, {"role": "tool", "tool_call_id": "a", "content": "r"}]),
    );
    let turn = &session.transcript().turns()[1];
    let end = turn.content().len();
    let from = turn.content().find("23456").unwrap();
    let cut =
        Trim::new(vec![KeptPart::new(0, vec![0..4]), KeptPart::new(1, vec![4..from, from + 10..end])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Trimmed(&cut), Fate::Kept]);
    let written = output[1]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
    assert_eq!(written, r#"{"path":"x","text":"01… \u00e9 abc"}"#);
    assert_eq!(contents(&read(output.to_string()))[1], cut.applied_to(turn).content().as_ref());
}

#[test]
fn a_summary_stands_at_its_groups_first_turn_but_never_between_a_call_and_its_result() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let session = session(
        &json!([{"role": "user", "content": "u"}, call, {"role": "user", "content": "interjection"}, {"role": "tool", "tool_call_id": "a", "content": "r"}, {"role": "user", "content": "v"}, {"role": "user", "content": "w"}]),
    );
    let fates = [
        Fate::Kept,
        Fate::Kept,
        Fate::SummarizedInto("g"),
        Fate::Kept,
        Fate::SummarizedInto("h"),
        Fate::SummarizedInto("g"),
    ];
    let summaries = [SummaryText { group: "g", text: "first" }, SummaryText { group: "h", text: "second" }];
    let text = session.render(&fates, &summaries).unwrap().to_text();
    assert_eq!(contents(&read(text)), ["u", "first", "", "r", "second"]);
    let blank = [SummaryText { group: "g", text: " \n" }, SummaryText { group: "h", text: "second" }];
    assert_eq!(contents(&read(session.render(&fates, &blank).unwrap().to_text())), ["u", "", "r", "second"]);
}

#[test]
fn a_missing_summary_and_a_wrong_number_of_fates_are_errors() {
    let session = session(&json!([{"role": "user", "content": "u"}]));
    let error = session.render(&[Fate::SummarizedInto("g")], &[]).unwrap_err();
    assert_eq!(error.to_string(), "no text was given for the summary of group `g`");
    assert!(session.render(&[], &[]).is_err());
}

#[test]
fn media_are_counted_flat_and_never_by_their_base64() {
    let data = "A".repeat(40_000);
    let session = session(
        &json!([{"role": "user", "content": [{"type": "text", "text": "what is this"}, {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{data}")}}]}]),
    );
    let turn = &session.transcript().turns()[0];
    assert_eq!(turn.content().as_ref(), "what is this[image image/png, 30000 bytes]");
    assert_eq!(turn.token_estimate(), 3 + 1_600);
    assert!(session.context_bytes() < 100 && session.file_bytes() > 40_000);
}

#[test]
fn the_oldest_spelling_of_calls_is_paired_too() {
    let session = session(
        &json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{\"a\":1}"}}, {"role": "function", "name": "f", "content": "r"}]),
    );
    assert_eq!(session.transcript().turns()[2].tool_call_id(), Some("m1"));
    let output = edited(&session, &[Fate::Kept, Fate::Masked("s"), Fate::Kept]);
    assert_eq!(output[1]["function_call"]["arguments"], "{}");
}

#[test]
fn one_message_a_line_is_written_back_line_by_line() {
    let text = "{\"role\":\"user\",\"content\":\"a\"}\n\n{\"role\":\"assistant\",\"content\":\"b\"}\n{\"role\":\"user\",\"content\":\"c\"}";
    let session = read(text);
    let fates = [Fate::Kept, Fate::SummarizedInto("g"), Fate::SummarizedInto("g")];
    let written = session.render(&fates, &[SummaryText { group: "g", text: "s" }]).unwrap().to_text();
    assert_eq!(
        written,
        "{\"role\":\"user\",\"content\":\"a\"}\n\n{\"role\":\"assistant\",\"content\":\"s\"}\n"
    );
}
