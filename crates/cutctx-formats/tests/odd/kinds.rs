//! An example of ours for each kind of oddity.

use cutctx_formats::salvage::salvage;
use cutctx_formats::{Fate, FormatError, Session, Severity};
use cutctx_messages::CallState;
use cutctx_types::{CharRatioEstimator, Coded, Role};
use serde_json::{Value, json};

fn try_read(text: impl Into<String>) -> Result<Session, FormatError> {
    Session::read(text.into(), &CharRatioEstimator::default())
}

/// The session, which comes back as it was.
fn read(text: impl Into<String>) -> Session {
    let text = text.into();
    let session = try_read(text.clone()).unwrap();
    let kept = vec![Fate::Kept; session.transcript().turns().len()];
    assert_eq!(session.render(&kept, &[]).unwrap().to_text(), text);
    session
}

fn lines(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

fn states(session: &Session) -> Vec<CallState> {
    session.inventory().unwrap().open_calls.iter().map(|call| call.state).collect()
}

fn refused(session: &Session) -> Vec<&'static str> {
    let found = session.lint();
    let refused = found.iter().filter(|violation| violation.rule.severity == Severity::Refused);
    refused.map(|violation| violation.rule.name).collect()
}

fn contents(session: &Session) -> Vec<&str> {
    session.transcript().turns().iter().map(|turn| turn.content().as_ref()).collect()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn calls(ids: &[&str]) -> Value {
    let calls: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}))
        .collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

fn chat(messages: &[Value]) -> String {
    json!({"model": "m", "messages": messages}).to_string()
}

#[test]
fn an_id_that_is_used_again_names_the_nearest_open_call() {
    let session = read(chat(&[
        user("u"),
        calls(&["a"]),
        result("a", "first"),
        calls(&["a"]),
        result("a", "second"),
        user("v"),
    ]));
    let exchanges: Vec<_> = session.transcript().turns().iter().map(|turn| turn.tool_call_id()).collect();
    assert!(exchanges[1].is_some() && exchanges[1] == exchanges[2] && exchanges[3] == exchanges[4]);
    assert_ne!(exchanges[1], exchanges[3]);
    assert_eq!((refused(&session), states(&session)), (vec![], vec![]));
}

#[test]
fn a_call_before_a_persons_words_is_left_behind_and_one_at_the_end_is_in_flight() {
    let session = read(chat(&[user("u"), calls(&["a"]), user("stop"), calls(&["b"])]));
    assert_eq!(states(&session), [CallState::Dangling, CallState::InFlight]);
    assert_eq!(refused(&session), ["unanswered_call"]);
    let late: Vec<&str> = session.lint().iter().map(|violation| violation.rule.name).collect();
    assert_eq!(late, ["unanswered_call", "call_in_flight"]);
}

#[test]
fn parallel_calls_that_are_told_one_by_one_are_no_batch_for_the_provider() {
    let session =
        read(chat(&[user("u"), calls(&["a"]), calls(&["b"]), result("a", "1"), result("b", "2"), user("v")]));
    assert_eq!(states(&session), []);
    assert!(refused(&session).contains(&"unanswered_call"));
}

#[test]
fn a_result_without_a_call_is_named() {
    let item = |payload: Value| json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload});
    let session = read(lines(&[
        json!({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "s", "cwd": "/x", "originator": "o", "cli_version": "1"}}),
        item(json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "u"}]})),
        item(json!({"type": "custom_tool_call_output", "call_id": "gone", "output": "r"})),
    ]));
    assert_eq!(session.format().name(), "codex-rollout");
    let found: Vec<&str> = session.lint().iter().map(|violation| violation.rule.name).collect();
    assert_eq!(found, ["orphan_result"]);
}

#[test]
fn a_server_call_that_is_to_be_continued_is_no_breach() {
    let call =
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}});
    let session = read(
        json!({"model": "m", "max_tokens": 9, "system": "s", "tools": [], "messages": [
            user("u"), {"role": "assistant", "content": [{"type": "text", "text": "I look."}, call]}]})
        .to_string(),
    );
    assert_eq!((refused(&session), states(&session)), (vec![], vec![]));
}

#[test]
fn calls_of_a_message_that_was_stopped_are_not_waited_for() {
    let message = |message: Value| json!({"type": "message", "id": message["id"], "parentId": message["after"], "timestamp": "t", "message": message["message"]});
    let call = |id: &str| json!({"type": "toolCall", "id": id, "name": "edit", "arguments": {}});
    let session = read(lines(&[
        json!({"type": "session", "version": 2, "id": "s", "timestamp": "t", "cwd": "/x"}),
        message(json!({"id": "1", "after": null, "message": {"role": "user", "content": "u"}})),
        message(
            json!({"id": "2", "after": "1", "message": {"role": "assistant", "content": [call("a"), call("b")], "stopReason": "aborted"}}),
        ),
        message(json!({"id": "3", "after": "2", "message": {"role": "user", "content": "again"}})),
    ]));
    assert_eq!(session.format().name(), "pi");
    assert!(states(&session).iter().all(|state| !state.is_pending()));
    assert_eq!(refused(&session), Vec::<&str>::new());
}

#[test]
fn lines_may_have_comments() {
    let said = json!({"type": "user", "uuid": "u1", "parentUuid": null, "message": user("hello")});
    let session = read(format!("// a fixture\n// made by hand\n{said}\n"));
    assert_eq!((session.format().name(), contents(&session)), ("claude-code", vec!["hello"]));
}

#[test]
fn a_log_with_json_in_it_is_no_session() {
    let error =
        try_read("[10:02:11] received\n{\n  \"type\": \"assistant\"\n}\n[10:02:12] done\n").unwrap_err();
    assert!(["FORMAT_SYNTAX", "FORMAT_UNRECOGNIZED"].contains(&error.code().as_str()), "{error}");
    assert_eq!(error.place().unwrap().line, 1);
}

#[test]
fn a_last_line_that_was_cut_off_is_named_and_the_rest_can_be_had() {
    let example = include_str!("../../../../examples/qwen-code.jsonl");
    let torn = format!("{example}{{\"uuid\":\"x\",\"parentU");
    let error = try_read(torn.clone()).unwrap_err();
    assert!(matches!(error, FormatError::Syntax { truncated: true, .. }), "{error}");
    assert_eq!(error.place().unwrap().line, example.lines().count() + 1);
    let rest = salvage(torn.as_bytes());
    let rest = read(String::from_utf8(rest.bytes().to_vec()).unwrap());
    assert_eq!(rest.transcript().turns().len(), read(example).transcript().turns().len());
}

#[test]
fn a_file_whose_beginning_is_elsewhere_is_read_from_where_it_begins() {
    let session = read(lines(&[
        json!({"type": "user", "uuid": "u1", "parentUuid": "elsewhere", "message": user("first")}),
        json!({"type": "assistant", "uuid": "a1", "parentUuid": "u1", "message": {"role": "assistant", "id": "m", "content": [{"type": "text", "text": "second"}]}}),
    ]));
    assert_eq!(contents(&session), ["first", "second"]);
}

#[test]
fn a_picture_in_a_result_is_no_text() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A".repeat(60_000)}});
    let session = read(lines(&[
        json!({"type": "user", "uuid": "u1", "parentUuid": null, "message": user("look")}),
        json!({"type": "assistant", "uuid": "a1", "parentUuid": "u1", "message": {"role": "assistant", "id": "m", "content": [{"type": "tool_use", "id": "toolu_1", "name": "see", "input": {}}]}}),
        json!({"type": "user", "uuid": "u2", "parentUuid": "a1", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [picture]}]}}),
    ]));
    let turns = session.transcript().turns();
    assert!(
        turns[2].role() == Role::Tool && turns[2].content().len() < 200,
        "{} bytes",
        turns[2].content().len()
    );
}

#[test]
fn secrets_beside_the_messages_are_neither_turns_nor_told() {
    let example = include_str!("../../../../examples/letta.af");
    let mut file: Value = serde_json::from_str(example).unwrap();
    let name = if file.get("agents").is_some() { "agents" } else { "agents_" };
    file[name][0]["secrets"] = json!({"KEY": "the-secret-itself"});
    let session = read(file.to_string());
    assert!(contents(&session).iter().all(|text| !text.contains("the-secret-itself")));
    assert!(!format!("{session:?}").contains("the-secret-itself"));
}

#[test]
fn parts_that_call_their_text_a_value_are_read() {
    let session = read(
        json!([{"conversations": [
            {"from": "human", "value": [{"type": "text", "value": "how deep?"}]},
            {"from": "gpt", "value": [{"type": "text", "value": "four metres"}]}]}])
        .to_string(),
    );
    assert_eq!((session.format().name(), contents(&session)), ("sharegpt", vec!["how deep?", "four metres"]));
}

#[test]
fn answers_in_a_row_are_turns_of_their_own() {
    let said = |role: &str, text: &str| json!({"role": role, "message": {"content": [{"type": "text", "text": text}]}});
    let session = read(lines(&[
        said("user", "u"),
        said("assistant", "1"),
        said("assistant", "2"),
        said("assistant", "3"),
    ]));
    assert_eq!((session.format().name(), contents(&session)), ("cursor", vec!["u", "1", "2", "3"]));
}

#[test]
fn an_output_stream_may_end_with_the_call_that_kept_it() {
    let session = read(lines(&[
        json!({"type": "init", "timestamp": "t", "session_id": "s", "model": "gemini"}),
        json!({"type": "message", "timestamp": "t", "role": "user", "content": "commit it"}),
        json!({"type": "tool_use", "timestamp": "t", "tool_name": "run", "tool_id": "run-1", "parameters": {"command": "git"}}),
    ]));
    assert_eq!((session.format().name(), states(&session)), ("gemini-cli", vec![CallState::InFlight]));
    assert_eq!(refused(&session), Vec::<&str>::new());
}

#[test]
fn a_record_that_goes_takes_the_others_of_its_id_with_it() {
    let said = |uuid: &str, kind: &str, text: &str| json!({"type": kind, "uuid": uuid, "message": {"role": kind, "id": format!("m-{text}"), "content": [{"type": "text", "text": text}]}});
    let session = read(lines(&[
        said("u1", "user", "first"),
        said("a1", "assistant", "an older answer"),
        said("u2", "user", "second"),
        said("a1", "assistant", "a newer answer"),
        said("u3", "user", "third"),
    ]));
    let turns = session.transcript().turns();
    let fate = |turn: usize| if turns[turn].role() == Role::Assistant { Fate::Dropped } else { Fate::Kept };
    let fates: Vec<Fate<'_>> = (0..turns.len()).map(fate).collect();
    let written = session.render(&fates, &[]).unwrap().to_text();
    assert!(!written.contains("answer"), "{written}");
    assert_eq!(contents(&read(written)), ["first", "second", "third"]);
}

#[test]
fn a_step_stays_while_a_message_that_waits_for_it_is_passed_by_a_result_of_nothing() {
    let event = |event: Value| json!({"type": "context.append_loop_event", "event": event, "time": 1});
    let said = |kind: &str, text: &str| json!({"type": "context.append_message", "time": 1, "message": {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": [], "origin": {"kind": kind}}});
    let result = |id: &str, text: &str| {
        event(json!({"type": "tool.result", "parentUuid": id, "toolCallId": id, "result": {"output": text}}))
    };
    let session = read(lines(&[
        json!({"type": "metadata", "protocol_version": "1.4", "created_at": 1}),
        said("user", "first"),
        event(json!({"type": "step.begin", "uuid": "s1", "turnId": "0", "step": 1})),
        event(
            json!({"type": "tool.call", "uuid": "a", "turnId": "0", "step": 1, "stepUuid": "s1", "toolCallId": "a", "name": "Read", "args": {}}),
        ),
        said("injection", "a note"),
        result("lost", "of nothing"),
        result("a", "of the call"),
        event(json!({"type": "step.end", "uuid": "s1", "turnId": "0", "step": 1})),
        said("user", "second"),
    ]));
    assert_eq!(session.format().name(), "kimi-cli");
    let turns = session.transcript().turns();
    let place = |text: &str| turns.iter().position(|turn| turn.content().contains(text)).unwrap();
    assert!(place("of nothing") < place("a note"), "it waits for the call's own result");
    assert!(turns[1].role() == Role::Assistant && turns[1].pinned());
}
