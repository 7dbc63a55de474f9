//! Standard input, standard output, pipes that close, silence.

use crate::sandbox::{Ran, Sandbox};
use serde_json::Value;
use std::io::{Read, Write};
use std::process::Stdio;

#[test]
fn a_dash_is_standard_input_and_the_session_goes_to_standard_output() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("compact chat.json --max-tokens 500 -o out.json").exits(0);
    let ran = sandbox.run_with("compact - --max-tokens 500", &sandbox.bytes("chat.json")).exits(0);
    assert_eq!(ran.out.as_bytes(), sandbox.bytes("out.json"));
    assert!(ran.err.starts_with("standard input (openai-chat): "), "{}", ran.err);
}

#[test]
fn json_goes_to_standard_error_where_the_session_has_taken_standard_output() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 500 --json").exits(0);
    let said: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(said["format"], "openai-chat");
    assert!(serde_json::from_str::<Value>(&ran.out).unwrap().get("messages").is_some());
}

#[test]
fn only_one_document_can_go_to_standard_output() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 500 --plan -").exits(2);
    assert!(ran.err.contains("several documents"), "{}", ran.err);
    let ran = sandbox.run("compact chat.json --max-tokens 500 --report - -o out.json --json").exits(0);
    assert_eq!(ran.json().as_object().unwrap().len(), 14);
}

#[test]
fn quiet_says_nothing_on_success() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 500 -o out.json --quiet").exits(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
}

#[test]
fn nothing_but_text_is_written_where_no_terminal_is() {
    let sandbox = Sandbox::with_chat();
    for line in
        ["inspect chat.json", "plan chat.json --max-tokens 500", "compact chat.json --max-tokens 1", "--help"]
    {
        let ran = sandbox.run(line);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{line}: {ran:?}");
    }
}

#[test]
fn control_characters_of_a_session_do_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let turn = |id: &str| {
        serde_json::json!({"turn_id": id, "role": "tool", "content": "x", "token_estimate": 5,
            "tool_call_id": "c", "pinned": false, "metadata": {}, "tool_name": "\u{1b}[31mred"})
    };
    let session = serde_json::json!({"turns": [turn("\u{1b}]0;title\u{7}"), turn("b")]});
    sandbox.write("evil.json", session.to_string().as_bytes());
    for line in ["inspect evil.json", "inspect evil.json --turns", "plan evil.json --max-tokens 100"] {
        let ran = sandbox.run(line).exits(0);
        assert!(!ran.out.contains('\u{1b}') && !ran.out.contains('\u{7}'), "{line}: {ran:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sandbox = Sandbox::new();
    let turns: Vec<Value> = (0..4_000)
        .map(|number| {
            serde_json::json!({"turn_id": format!("t{number}"), "role": "user", "content": "word ".repeat(40),
                "token_estimate": 50, "tool_call_id": null, "pinned": false, "metadata": {}})
        })
        .collect();
    sandbox.write("long.json", serde_json::json!({ "turns": turns }).to_string().as_bytes());
    for line in ["compact long.json --max-tokens 1m", "inspect long.json --turns", "inspect long.json --json"]
    {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = sandbox.command(&words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 16];
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut first).unwrap();
        drop(out);
        let ran = Ran::of(child.wait_with_output().unwrap()).exits(0);
        assert!(!ran.err.contains("error"), "{line}: {ran:?}");
    }
}

#[test]
fn a_batch_answers_each_line_as_it_comes() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["batch", "--quiet"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(output));
    for number in 1..=3 {
        writeln!(input, "{{\"id\": {number}}}").unwrap();
        let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!((&answer["id"], &answer["line"]), (&number.into(), &number.into()));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
