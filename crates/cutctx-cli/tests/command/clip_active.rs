//! `--clip-active`: a turn that is larger than the budget.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};

fn log(lines: usize) -> String {
    let lines: Vec<String> = (0..lines).map(|line| format!("line {line} of the build\n")).collect();
    lines.concat()
}

/// A chat whose last result is far larger than any budget here.
fn chat() -> Value {
    let call = json!({"id": "c", "type": "function", "function": {"name": "run", "arguments": "{\"command\":\"make\"}"}});
    json!([
        {"role": "system", "content": "You build things."},
        {"role": "user", "content": "Why does the build fail?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": log(20_000)},
    ])
}

fn with(document: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("s.json", document.to_string().as_bytes());
    sandbox
}

#[test]
fn it_is_refused_with_the_floor_and_the_way_out_until_clipping_is_permitted() {
    let sandbox = with(&chat());
    for verb in ["compact s.json -o out.json", "plan s.json"] {
        let error = sandbox.run(&format!("{verb} --max-tokens 5000 --json")).exits(4).error();
        assert_eq!(error["code"], "COMPACTION_BUDGET_UNSATISFIABLE");
        assert!(error["floor"]["tail"].as_u64().unwrap() > 100_000, "{error}");
        assert!(error["remedy"].as_str().unwrap().contains("--clip-active"), "{error}");
    }
    assert_eq!(sandbox.names(), ["s.json"]);
    let line = "compact s.json --max-tokens 5000 --clip-active -o out.json --account account.json";
    let ran = sandbox.run(line).exits(0);
    assert!(ran.err.contains("one of the turns that must stay is clipped"), "{}", ran.err);
    let account = sandbox.json("account.json");
    assert_eq!(account["clipped_active_turn_ids"], json!(["m3"]));
    assert!(account["tokens_after_measured"].as_u64().unwrap() <= 2_500, "half of the maximum");
    let floor = &account["floor"];
    assert!(floor["tail"].as_u64().unwrap() < 2_500 && floor["tail"].as_u64().unwrap() > 1_500, "{floor}");

    let out = sandbox.json("out.json");
    assert_eq!(out.as_array().unwrap()[..3], chat().as_array().unwrap()[..3]);
    let shown = out[3]["content"].as_str().unwrap();
    assert!(shown.starts_with("line 0 of the build\n") && shown.ends_with("line 19999 of the build\n"));
    assert!(shown.lines().any(|line| line.starts_with("… ") && line.ends_with(" lines …")), "{shown}");
    sandbox.run("lint out.json").exits(0);
    let again =
        sandbox.run("compact out.json --max-tokens 5000 --clip-active -o again.json --json").exits(0).json();
    assert_eq!((&again["changed"], &again["clipped_active_turn_ids"]), (&json!(false), &Value::Null));
}

#[test]
fn where_clipping_does_not_help_it_is_not_offered() {
    let mut document = chat();
    document[0]["content"] = log(2_000).into();
    let sandbox = with(&document);
    for flag in ["", "--clip-active"] {
        let error = sandbox.run(&format!("plan s.json --max-tokens 5000 --json {flag}")).exits(4).error();
        assert!(!error["remedy"].as_str().unwrap().contains("--clip-active"), "{error}");
    }
    let error = sandbox.run("plan s.json --max-tokens 5000 --clip-active --json").exits(4).error();
    assert!(error["floor"]["system"].as_u64().unwrap() > 5_000, "{error}");
}

#[test]
fn a_pin_of_the_command_line_keeps_it_whole() {
    let sandbox = with(&chat());
    let error =
        sandbox.run("plan s.json --max-tokens 5000 --clip-active --pin tool:run --json").exits(4).error();
    assert!(error["floor"]["pinned"].as_u64().unwrap() > 100_000, "{error}");
}

#[test]
fn what_fits_is_planned_as_without_it() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("compact chat.json --max-tokens 500 -o without.json").exits(0);
    let said =
        sandbox.run("compact chat.json --max-tokens 500 --clip-active -o with.json --json").exits(0).json();
    assert_eq!(said["clipped_active_turn_ids"], Value::Null);
    assert_eq!(sandbox.bytes("with.json"), sandbox.bytes("without.json"));
}

/// A Claude Code session whose last line holds a result that is far larger than any budget here.
fn claude_code() -> Vec<Value> {
    let line = |uuid: &str, parent: Value, kind: &str, message: Value| {
        json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w", "version": "2.0.0",
            "isSidechain": false, "userType": "external", "timestamp": "2026-01-01T00:00:00.000Z", "message": message})
    };
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "make"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": log(20_000)}]);
    vec![
        line("u1", Value::Null, "user", json!({"role": "user", "content": "Why does the build fail?"})),
        line(
            "a1",
            json!("u1"),
            "assistant",
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": call}),
        ),
        line("u2", json!("a1"), "user", json!({"role": "user", "content": result})),
    ]
}

fn lines(records: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    lines.concat().into_bytes()
}

#[test]
fn the_last_line_of_a_branch_is_clipped_in_its_place_and_a_stored_plan_still_holds_when_the_session_grows() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", &lines(&claude_code()));
    let error = sandbox.run("plan s.jsonl --max-tokens 5000 --json").exits(4).error();
    assert!(error["floor"]["pinned"].as_u64().unwrap() > 100_000, "the last message is pinned: {error}");
    assert!(error["remedy"].as_str().unwrap().contains("--clip-active"), "{error}");
    sandbox.run("compact s.jsonl --max-tokens 5000 --clip-active -o small.jsonl --plan p.json").exits(0);
    sandbox.run("lint small.jsonl").exits(0);
    let record = sandbox.json("p.json");
    assert_eq!(record["budget"]["clip_active"], true);
    assert_eq!(record["pins_in_place"].as_array().unwrap().len(), 2, "{record}");
    assert_eq!(record["pins"], Value::Null);
    sandbox.run("verify s.jsonl --plan p.json").exits(0);

    let mut grown = claude_code();
    let mut answer = grown[1].clone();
    answer["uuid"] = json!("a2");
    answer["parentUuid"] = json!("u2");
    answer["message"] = json!({"id": "msg_2", "type": "message", "role": "assistant", "model": "m",
        "content": [{"type": "text", "text": "A file is missing."}]});
    grown.push(answer);
    sandbox.write("grown.jsonl", &lines(&grown));
    sandbox.run("verify grown.jsonl --plan p.json").exits(0);
    sandbox.run("apply grown.jsonl --plan p.json -o applied.jsonl").exits(0);
    let applied = String::from_utf8(sandbox.bytes("applied.jsonl")).unwrap();
    assert!(applied.contains("A file is missing.") && applied.len() < 20_000);
    assert!(sandbox.run("explain grown.jsonl --plan p.json").exits(0).out.contains("is clipped"));

    let mut forbidden = record;
    forbidden["budget"]["clip_active"] = json!(false);
    sandbox.write("f.json", forbidden.to_string().as_bytes());
    sandbox.run("apply s.jsonl --plan f.json -o no.jsonl").exits(4);
}

#[test]
fn a_first_message_that_is_too_long_is_clipped_wherever_it_stands() {
    let mut document = chat();
    document[1]["content"] = log(20_000).into();
    document[3]["content"] = "it fails".into();
    for word in ["a", "b", "c", "d"] {
        document.as_array_mut().unwrap().push(json!({"role": "assistant", "content": word}));
        document.as_array_mut().unwrap().push(json!({"role": "user", "content": word}));
    }
    let sandbox = with(&document);
    let error = sandbox.run("plan s.json --max-tokens 5000 --json").exits(4).error();
    assert!(error["floor"]["pinned"].as_u64().unwrap() > 100_000, "{error}");
    let said =
        sandbox.run("compact s.json --max-tokens 5000 --clip-active -o out.json --json").exits(0).json();
    assert_eq!(said["clipped_active_turn_ids"], json!(["m1"]));
    let kept = sandbox.json("out.json");
    assert!(kept[1]["content"].as_str().unwrap().starts_with("line 0 of the build\n"));
    assert_eq!(kept.as_array().unwrap().last(), document.as_array().unwrap().last());
}

#[test]
fn a_batch_job_permits_it_in_its_budget_and_does_it_by_its_policy() {
    let turn = |id: &str, tokens: u64| json!({"turn_id": id, "role": "tool", "content": "word ".repeat(8_000), "token_estimate": tokens});
    let job = |clip: bool| {
        json!({"transcript": {"turns": [turn("a", 10_000)]}, "summaries": {},
            "budget": {"max_tokens": 1_000, "clip_active": clip},
            "policy": {"kind": "clip_active", "members": [{"kind": "recommended"}]}})
    };
    let sandbox = Sandbox::new();
    sandbox.write("jobs.jsonl", format!("{}\n{}\n", job(true), job(false)).as_bytes());
    let out = sandbox.run("batch jobs.jsonl").exits(0).out;
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answers[0]["error"].is_null(), "{}", answers[0]);
    assert!(answers[0].to_string().contains("clip_active(recommended@2.0.0)"));
    assert_eq!(answers[1]["error"]["code"], "COMPACTION_BUDGET_UNSATISFIABLE");
}
