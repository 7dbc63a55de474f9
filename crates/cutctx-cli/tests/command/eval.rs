//! `eval`: what policies keep of what sessions then needed.

use crate::sandbox::{Ran, Sandbox};
use serde_json::{Value, json};

fn turn(number: usize, role: &str, content: &str) -> Value {
    json!({"turn_id": format!("t{number}"), "role": role, "content": content, "token_estimate": 10})
}

/// Ten turns of ten tokens. Behind the cut in the middle, what the first turn names is needed.
fn session(sandbox: &Sandbox, name: &str) {
    let said = [
        "the manual is docs/pump/manual.md",
        "nothing",
        "nothing",
        "nothing",
        "nothing",
        "open docs/pump/manual.md",
        "well",
        "well",
        "well",
        "well",
    ];
    let turns: Vec<Value> = said.iter().enumerate().map(|(n, text)| turn(n, "user", text)).collect();
    sandbox.write(name, json!({ "turns": turns }).to_string().as_bytes());
}

const LINE: &str =
    "--cuts 50% --budgets 40% --protect-turns 1 --min-calls 0 --policy oracle --policy drop-oldest";

fn ran(line: &str) -> Ran {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    session(&sandbox, "folder/pump__one.json");
    sandbox.write("folder/notes.txt", b"no session");
    sandbox.run(&format!("eval {line}"))
}

#[test]
fn the_figures_are_those_that_are_known_by_hand() {
    let document = ran(&format!("folder {LINE} --against drop-oldest --json")).exits(0).json();
    let rows = document["rows"].as_array().unwrap();
    let q = |row: &Value| (row["policy"].clone(), row["q"]["mean"].clone(), row["tokens"].clone());
    assert_eq!(q(&rows[0]), (json!("oracle"), json!(100.0), json!(40.0)));
    assert_eq!(q(&rows[1]), (json!("drop-oldest"), json!(0.0), json!(40.0)));
    assert_eq!(rows[0]["against"]["mean"], json!(100.0));
    assert_eq!((&rows[1]["against"], &document["base"]), (&Value::Null, &json!("drop-oldest")));
    assert_eq!(document["not_sessions"], json!(1));
    assert_eq!(document["sessions"][0]["project"], json!("pump"));
}

#[test]
fn people_see_a_table_and_programs_get_comma_separated_values() {
    let text = ran(&format!("folder {LINE}")).exits(0).out;
    assert!(text.starts_with("1 session of 100 tokens in 1 format (native)"), "{text}");
    assert!(text.contains("At 40.0 % of the tokens") && text.contains("oracle"), "{text}");
    let csv = ran(&format!("folder {LINE} --csv")).exits(0).out;
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [21, 21, 21]);
    assert!(csv.contains("\n40.0,oracle,1,1,100.00,100.00,100.00,100.00,"), "{csv}");
}

#[test]
fn nothing_to_measure_is_an_error_that_says_what_to_do() {
    let error = ran("folder --json").exits(9).error();
    assert_eq!(error["code"], json!("EVAL_NO_SESSIONS"));
    assert!(error["remedy"].as_str().unwrap().contains("--min-calls"), "{error}");
    let said = "left out: 1 session with fewer than 30 tool calls, 1 file without a session";
    assert!(error["message"].as_str().unwrap().contains(said), "{error}");
    // A session that is long enough, of which every cut at a budget is below what must be kept.
    let error = ran("folder --min-calls 0 --budgets 1% --cuts 50% --json").exits(9).error();
    let said = "left out: 1 cut at a budget below what must be kept";
    assert!(error["message"].as_str().unwrap().contains(said), "{error}");
}

#[test]
fn a_file_that_is_named_must_be_a_session() {
    let error = ran("folder/notes.txt --json").exits(6).error();
    assert!(error["file"].as_str().unwrap().ends_with("notes.txt"), "{error}");
    assert_eq!(ran("nowhere --json").exits(6).error()["code"], json!("IO"));
}

#[test]
fn what_is_not_compared_is_no_base_and_no_policy() {
    ran(&format!("folder {LINE} --against cover")).exits(2);
    ran("folder --policy no-such-policy").exits(2);
    ran("folder --budgets 120%").exits(2);
}

#[test]
fn a_policy_of_a_file_is_called_like_the_file() {
    let sandbox = Sandbox::new();
    session(&sandbox, "one.json");
    sandbox.write("mine.json", br#"{"kind": "drop_oldest"}"#);
    let line =
        "eval one.json --cuts 50% --budgets 40% --protect-turns 1 --min-calls 0 --policy @mine.json --json";
    assert_eq!(sandbox.run(line).exits(0).json()["rows"][0]["policy"], json!("mine"));
}

#[test]
fn every_conversation_of_a_file_is_a_session() {
    let sandbox = Sandbox::new();
    let line = |number: usize| {
        let said = |role: &str, text: String| json!({"role": role, "content": text});
        let path = format!("docs/pump_{number}/manual.md");
        let messages: Vec<Value> = (0..10)
            .map(|turn| match turn {
                0 => said("user", format!("the manual is {path}")),
                5 => said("assistant", format!("open {path}")),
                turn if turn % 2 == 0 => said("user", "well, go on with it".repeat(turn)),
                turn => said("assistant", "nothing of note".repeat(turn)),
            })
            .collect();
        json!({"messages": messages}).to_string()
    };
    let lines: Vec<String> = (0..3).map(line).collect();
    sandbox.write("data.jsonl", lines.join("\n").as_bytes());
    let document =
        sandbox.run("eval data.jsonl --cuts 50% --budgets 60% --protect-turns 1 --min-calls 0 --json");
    let document = document.exits(0).json();
    let names: Vec<&str> = document["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|session| session["session"].as_str())
        .collect();
    assert_eq!(names, ["data.jsonl#0", "data.jsonl#1", "data.jsonl#2"]);
    assert_eq!(document["sessions"][1]["format"], "openai-chat");
    // One alone is the same session.
    sandbox.write("one.jsonl", lines[1].as_bytes());
    let alone = sandbox.run("eval one.jsonl --cuts 50% --budgets 60% --protect-turns 1 --min-calls 0 --json");
    assert_eq!(alone.exits(0).json()["sessions"][0]["tokens"], document["sessions"][1]["tokens"]);
}
