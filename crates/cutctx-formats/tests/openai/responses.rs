//! Responses API items: granularity, what is bound together, and how each fate is spelled.

use cutctx_formats::{Fate, FormatError, Session, SummaryText};
use cutctx_types::{CharRatioEstimator, KeptPart, PartKind, Role, TranscriptTurn, Trim};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read, render};
use crate::oracle::{bold_decisions, check_bonds, items};

pub(crate) const EXAMPLE: &str = include_str!("../../../../examples/openai-responses.json");

fn session(items: &Value) -> Session {
    let session = read(items.to_string());
    assert_eq!(session.format().name(), "openai-responses");
    session
}

fn edited(session: &Session, fates: &[Fate<'_>]) -> Vec<Value> {
    items(&session.render(fates, &[]).unwrap().to_text())
}

fn call(id: &str) -> Value {
    json!({"type": "function_call", "call_id": id, "name": "f", "arguments": "{\"k\":1}"})
}

fn output(id: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": "r"})
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn answer(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn exchanges(session: &Session) -> Vec<Option<&str>> {
    session.transcript().turns().iter().map(TranscriptTurn::tool_call_id).collect()
}

#[test]
fn the_example_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!(session.format().name(), "openai-responses");
    check_laws(&session, 0..200, "example");
    for seed in 0..400 {
        let decisions = bold_decisions(&session, seed);
        let written = render(&session, &decisions);
        check_bonds(&items(EXAMPLE), &items(&written), &format!("{seed}: {decisions:?}"));
    }
}

#[test]
fn a_response_is_one_turn_and_each_output_another() {
    let session = read(EXAMPLE);
    let turns = session.transcript().turns();
    let roles: Vec<Role> = turns.iter().take(6).map(TranscriptTurn::role).collect();
    assert_eq!(roles, [Role::System, Role::System, Role::User, Role::Assistant, Role::Tool, Role::Tool]);
    let kinds: Vec<PartKind> = turns[3].parts().iter().map(|part| part.kind).collect();
    let calls = [PartKind::CallArguments, PartKind::CallArguments];
    assert_eq!(kinds, [&[PartKind::OpaqueReasoning, PartKind::Text], calls.as_slice()].concat());
    assert_eq!(turns[4].tool_call_id(), turns[3].tool_call_id());
    assert_eq!(turns[5].tool_name(), Some("read_file"));
    assert!(turns[2].pinned() && turns[2].content().ends_with("[image image/png, 900 bytes]"));
    assert!(turns.iter().rev().nth(1).unwrap().pinned(), "one of its calls is still open");
}

#[test]
fn reasoning_and_plain_messages_begin_turns_and_messages_end_them() {
    let reasoning = json!({"type": "reasoning", "summary": [], "encrypted_content": "AAAA"});
    let plain = json!({"role": "assistant", "content": "plain"});
    let cases: [(Vec<Value>, usize); 9] = [
        (vec![reasoning.clone(), reasoning.clone(), answer("a")], 1),
        (vec![reasoning.clone(), answer("a"), reasoning.clone(), answer("b")], 2),
        (vec![reasoning.clone(), answer("a"), call("1"), call("2")], 1),
        (vec![reasoning, call("1"), answer("a")], 1),
        (vec![answer("a"), answer("b")], 2),
        (vec![answer("a"), call("1")], 1),
        (vec![call("1"), answer("a")], 2),
        (vec![plain.clone(), call("1"), plain, answer("a")], 4),
        (vec![call("1"), output("1"), call("2"), output("2")], 4),
    ];
    for (said, wanted) in cases {
        let session = session(&json!({"model": "m", "input": said}));
        assert_eq!(session.transcript().turns().len(), wanted, "{said:?}");
    }
}

#[test]
fn repeated_call_ids_pair_with_the_nearest_open_call() {
    let session = session(&json!([user("u"), call("x"), output("x"), call("x"), output("x"), output("y")]));
    assert_eq!(exchanges(&session), [None, Some("m1"), Some("m1"), Some("m3"), Some("m3"), None]);
}

#[test]
fn stored_reasoning_stays_with_masked_calls_and_other_reasoning_goes() {
    let reasoning =
        |id: Value| json!({"type": "reasoning", "id": id, "summary": [], "encrypted_content": "AAAA"});
    for (id, wanted) in [
        (json!("rs_1"), vec!["reasoning", "function_call", "message"]),
        (Value::Null, vec!["message", "function_call"]),
    ] {
        let session = session(&json!([user("u"), reasoning(id), call("a"), output("a"), user("v")]));
        let fates = [Fate::Kept, Fate::Masked("[stub]"), Fate::Kept, Fate::Kept];
        let items = edited(&session, &fates);
        let kinds: Vec<&str> =
            items[1..items.len() - 2].iter().map(|item| item["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, wanted);
        let call = items.iter().find(|item| item["type"] == "function_call").unwrap();
        assert_eq!(call["arguments"], "{}");
        assert_eq!(contents(&read(Value::Array(items).to_string())), ["u", "[stub]", "r", "v"]);
    }
}

#[test]
fn reasoning_never_stays_alone() {
    let reasoning =
        json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "why"}]});
    let session = session(&json!([user("u"), reasoning, answer("long answer"), user("v")]));
    let trim = Trim::new(vec![KeptPart::new(0, vec![0..3])], 1);
    let items = edited(&session, &[Fate::Kept, Fate::Trimmed(&trim), Fate::Kept]);
    assert_eq!((&items[1]["id"], &items[2]["content"][0]["text"]), (&json!("rs_1"), &json!("…")));
}

#[test]
fn every_kind_of_call_loses_its_arguments_in_its_own_spelling() {
    let cases = [
        (json!({"type": "custom_tool_call", "call_id": "a", "name": "n", "input": "in"}), "input", json!("")),
        (
            json!({"type": "function_call", "call_id": "a", "name": "n", "arguments": {"k": 1}}),
            "arguments",
            json!({}),
        ),
        (
            json!({"type": "local_shell_call", "call_id": "a", "action": {"type": "exec", "command": ["ls"]}}),
            "action",
            json!({"type": "exec", "command": [], "env": {}}),
        ),
        (
            json!({"type": "shell_call", "call_id": "a", "action": {"commands": ["ls"]}}),
            "action",
            json!({"commands": []}),
        ),
    ];
    for (call, field, wanted) in cases {
        let output = json!({"type": "function_call_output", "call_id": "a", "output": "r"});
        let session = session(&json!([user("u"), call, output, user("v")]));
        let fates = [Fate::Kept, Fate::Masked("[stub]"), Fate::Kept, Fate::Kept];
        let items = edited(&session, &fates);
        assert_eq!(items[2][field], wanted);
        assert_eq!(contents(&read(Value::Array(items).to_string())), ["u", "[stub]", "r", "v"], "{field}");
    }
}

#[test]
fn outputs_of_every_shape_take_a_text() {
    let shell = json!([{"stdout": "out", "stderr": "err", "outcome": {"type": "exit", "exit_code": 1}}]);
    let cases = [
        ("function_call", "function_call_output", json!("r"), json!("[gone]")),
        (
            "function_call",
            "function_call_output",
            json!([{"type": "input_text", "text": "r"}]),
            json!("[gone]"),
        ),
        ("function_call", "function_call_output", json!({"content": "r"}), json!("[gone]")),
        ("apply_patch_call", "apply_patch_call_output", json!("r"), json!("[gone]")),
        (
            "shell_call",
            "shell_call_output",
            shell,
            json!([{"stdout": "[gone]", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]),
        ),
    ];
    for (call, answer, said, wanted) in cases {
        let call = json!({"type": call, "call_id": "a", "name": "n", "arguments": "{}"});
        let answer = json!({"type": answer, "call_id": "a", "output": said});
        let session = session(&json!([user("u"), call, answer, user("v")]));
        let items = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Masked("[gone]"), Fate::Kept]);
        assert_eq!(items[2]["output"], wanted);
        assert_eq!(contents(&read(Value::Array(items).to_string()))[2], "[gone]");
    }
}

#[test]
fn a_compaction_is_pinned_and_ends_what_is_context() {
    let compaction = json!({"type": "compaction", "id": "cmp_1", "encrypted_content": "A".repeat(400)});
    let long = session(&json!([user("a"), answer("b"), compaction, user("c"), answer("d")]));
    assert_eq!(contents(&long), ["", "c", "d"]);
    let turn = &long.transcript().turns()[0];
    assert!(turn.pinned() && turn.parts()[0].kind == PartKind::OpaqueReasoning);
    assert_eq!(turn.token_estimate(), 75, "a token for four of the bytes that 400 characters stand for");
    let fates = [Fate::Kept, Fate::Kept, Fate::SummarizedInto("g")];
    let text = long.render(&fates, &[SummaryText { group: "g", text: "s" }]).unwrap().to_text();
    assert_eq!(items(&text).len(), 5, "what came before stays");
    assert_eq!(contents(&read(text)), ["", "c", "s"]);

    let window = session(&json!([user("a"), user("b"), compaction, user("c")]));
    assert_eq!(contents(&window), ["a", "b", "", "c"], "a compacted window keeps words of the user");
    assert!(window.transcript().turns()[0].pinned());
}

#[test]
fn the_providers_own_calls_go_whole_and_tools_that_were_found_stay() {
    let search =
        json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "q"}});
    let session = session(&json!([user("u"), search, answer("a"), user("v")]));
    let turns = session.transcript().turns();
    assert_eq!((turns.len(), turns[1].tool_call_id()), (3, None));
    let items = edited(&session, &[Fate::Kept, Fate::Masked("[stub]"), Fate::Kept]);
    assert_eq!((items.len(), &items[1]["content"][0]["text"]), (3, &json!("[stub]")));

    let found = |execution: &str, id: Value| {
        let call =
            json!({"type": "tool_search_call", "call_id": id, "execution": execution, "arguments": {}});
        let tools = json!({"type": "tool_search_output", "call_id": id, "execution": execution, "tools": []});
        read(json!([user("u"), call, tools, answer("a"), user("v")]).to_string())
    };
    for session in [found("client", json!("t1")), found("server", Value::Null)] {
        let turns = session.transcript().turns();
        let searching = turns.iter().filter(|turn| turn.content().contains("tool_search_output"));
        assert!(searching.clone().count() == 1 && searching.clone().all(TranscriptTurn::pinned));
        assert!(turns[1].pinned());
    }
}

#[test]
fn a_request_for_consent_waits_for_a_person() {
    let ask = json!({"type": "mcp_approval_request", "id": "mcpr_1", "name": "n", "arguments": "{}", "server_label": "s"});
    let session = session(&json!({"model": "m", "input": [user("u"), ask]}));
    assert!(session.transcript().turns()[1].pinned());
}

#[test]
fn what_a_harness_says_is_told_by_how_it_begins() {
    let notes =
        ["# AGENTS.md instructions for x", "<environment_context>\n</environment_context>", "<turn_aborted>"];
    let notes = notes.map(user);
    let session = session(
        &json!({"model": "m", "input": [notes[0], notes[1], user("task"), notes[2], answer("a"), user("now"), answer("b")]}),
    );
    let pinned: Vec<bool> = session.transcript().turns().iter().map(TranscriptTurn::pinned).collect();
    assert_eq!(pinned, [true, true, true, false, false, true, false]);
}

#[test]
fn an_input_that_is_a_text_and_instructions_stay_as_they_are() {
    let session = read(r#"{"model":"m","instructions":"be brief","input":"hello"}"#);
    assert_eq!(
        (session.format().name(), contents(&session)),
        ("openai-responses", vec!["be brief".to_owned(), "hello".to_owned()])
    );
    let error = session.render(&[Fate::Kept, Fate::Dropped], &[]).unwrap_err();
    assert!(matches!(error, FormatError::Unchangeable { turn: 1, .. }), "{error}");
}

#[test]
fn items_that_cannot_be_read_are_errors_with_their_place() {
    let read = |text: &str| Session::read(text, &CharRatioEstimator::default()).unwrap_err().to_string();
    let list = r#"[{"role":"user","content":"u"},
{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},
{"role":"user"}]"#;
    assert_eq!(
        read(list),
        "line 3: record 2 cannot be read as openai-responses: its field `content` is missing or has another type than expected"
    );
}

#[test]
fn failed_commands_are_errors_of_their_tools() {
    use core::cell::RefCell;
    use cutctx_formats::{Observer, ReadRequest, Seen};
    use cutctx_messages::PartView;

    #[derive(Default)]
    struct Failures(RefCell<Vec<bool>>);
    impl Observer for Failures {
        fn message(&self, seen: &Seen<'_>) {
            let results = seen.message.parts.iter().filter_map(|part| {
                if let PartView::ToolResult(result) = part { Some(result.is_error) } else { None }
            });
            self.0.borrow_mut().extend(results);
        }
    }
    let framed = |code: i32| {
        let metadata = format!(r#"{{"exit_code":{code},"duration_seconds":0.1}}"#);
        format!(r#"{{"output":"{}","metadata":{metadata}}}"#, "x".repeat(500))
    };
    let texts = [
        framed(0),
        framed(2),
        "Exit code: 0\nok".to_owned(),
        "Exit code: 1\nno".to_owned(),
        "Chunk ID: 1\nProcess exited with code -1\n".to_owned(),
        "said Exit code".to_owned(),
    ];
    let answers: Vec<Value> = texts
        .iter()
        .map(|text| json!({"type": "function_call_output", "call_id": "a", "output": text}))
        .collect();
    let failures = Failures::default();
    let estimator = CharRatioEstimator::default();
    let request = ReadRequest::new(&estimator).observed_by(&failures);
    Session::read_with(None, Value::Array(answers).to_string(), &request).unwrap();
    assert_eq!(failures.0.into_inner(), [false, true, false, true, true, false]);
}

#[test]
fn a_masked_screenshot_is_a_picture_that_says_its_stub_and_a_patch_without_output_gets_one() {
    let screenshot = json!({"type": "computer_call_output", "call_id": "c", "output":
        {"type": "computer_screenshot", "image_url": format!("data:image/png;base64,{}", "A".repeat(4000))}});
    let session = session(&json!([
        user("u"),
        {"type": "computer_call", "id": "cu_1", "call_id": "c", "action": {"type": "click", "x": 1, "y": 2}, "status": "completed"},
        screenshot,
        {"type": "apply_patch_call", "call_id": "p", "operation": {"type": "delete_file", "path": "a"}, "status": "completed"},
        {"type": "apply_patch_call_output", "call_id": "p", "status": "completed"},
        {"type": "apply_patch_call", "call_id": "q", "operation": {"type": "delete_file", "path": "b"}, "status": "completed"},
        {"type": "apply_patch_call_output", "call_id": "q", "status": "completed", "output": null},
        user("v"),
    ]));
    let (kept, stub) = (Fate::Kept, Fate::Masked("[masked: 12 \u{2026}]"));
    let fates = [kept, kept, stub, kept, stub, kept, stub, kept];
    let written = edited(&session, &fates);
    let url = written[2]["output"]["image_url"].as_str().unwrap();
    assert_eq!(written[2]["output"]["type"], "computer_screenshot");
    assert!(url.starts_with("data:image/png;base64,iVBORw0KGgo") && url.len() < 300, "{url}");
    assert_eq!(written[4]["output"], "[masked: 12 \u{2026}]");
    assert_eq!(written[6]["output"], "[masked: 12 \u{2026}]");
    let again = read(json!(written).to_string());
    let said: Vec<String> = contents(&again).into_iter().filter(|text| text.starts_with("[masked")).collect();
    assert_eq!(said.len(), 3);
    assert!(again.violations().is_empty());
    // Once more, over the picture that stands there now.
    let twice = edited(&again, &[kept, kept, Fate::Masked("[shorter]"), kept, kept, kept, kept, kept]);
    assert!(contents(&read(json!(twice).to_string())).contains(&"[shorter]".to_owned()));
}

#[test]
fn a_computer_call_or_a_patch_that_loses_its_arguments_does_nothing() {
    let session = session(&json!([
        user("u"),
        {"type": "computer_call", "id": "cu_1", "call_id": "c", "action": {"type": "type", "text": "a long text"}, "status": "completed"},
        {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot", "image_url": "https://x/y.png"}},
        {"type": "apply_patch_call", "call_id": "p", "operation": {"type": "create_file", "path": "a", "diff": "+x"}, "status": "completed"},
        {"type": "apply_patch_call_output", "call_id": "p", "status": "completed"},
        user("v"),
    ]));
    let (kept, stub) = (Fate::Kept, Fate::Masked("[gone]"));
    let written = edited(&session, &[kept, stub, kept, stub, kept, kept]);
    let actions: Vec<&Value> = written.iter().filter_map(|item| item.get("action")).collect();
    assert_eq!(actions, [&json!({"type": "wait"})]);
    let patches: Vec<&Value> = written.iter().filter_map(|item| item.get("operation")).collect();
    assert_eq!(patches, [&json!({"type": "update_file", "path": "", "diff": ""})]);
}
