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
    assert!(text.starts_with("1 sessions of 100 tokens in 1 formats (native)"), "{text}");
    assert!(text.contains("At 40.0 % of the tokens") && text.contains("oracle"), "{text}");
    let csv = ran(&format!("folder {LINE} --csv")).exits(0).out;
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [21, 21, 21]);
    assert!(csv.contains("\n40.0,oracle,1,1,100.00,100.00,100.00,100.00,"), "{csv}");
}

#[test]
fn nothing_to_measure_is_an_error_that_says_what_to_do() {
    let error = ran("folder --json").exits(6).error();
    assert_eq!(error["code"], json!("EVAL_NO_SESSIONS"));
    assert!(error["remedy"].as_str().unwrap().contains("--min-calls"), "{error}");
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
