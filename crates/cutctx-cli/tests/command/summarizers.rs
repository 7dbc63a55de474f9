//! Who writes the summaries that a policy asks for.

use crate::sandbox::{Ran, Sandbox, answering};

const LINE: &str = "compact chat.json --max-tokens 450 --policy default -o out.json";

/// Runs the line with a summarizer that may hold spaces.
fn run(sandbox: &Sandbox, summarizer: &str, more: &[&str]) -> Ran {
    let mut words: Vec<&str> = LINE.split_whitespace().collect();
    words.extend(["--summarizer", summarizer]);
    words.extend(more);
    let mut command = sandbox.command(&words);
    for variable in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
        command.env_remove(variable);
    }
    Ran::of(command.env("MY_KEY", "secret-key").output().unwrap())
}

#[test]
fn an_extract_is_written_where_nobody_is_named() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run(&format!("{LINE} --account a.json")).exits(0);
    assert_eq!(ran.out, "");
    let account = sandbox.json("a.json");
    assert!(account["fates"]["summarized"].as_u64().unwrap() > 0);
    assert_eq!(account["overruns"].as_array().unwrap().len(), 0);
    let again = Sandbox::with_chat();
    again.run(&format!("{LINE} --summarizer extract")).exits(0);
    assert_eq!(sandbox.bytes("out.json"), again.bytes("out.json"));
}

#[test]
#[cfg(unix)]
fn a_program_reads_instructions_and_turns_and_writes_the_summary() {
    let sandbox = Sandbox::with_chat();
    run(&sandbox, "command:tee seen.txt | head -c 5 >/dev/null; echo poles were measured", &[]).exits(0);
    let out = String::from_utf8(sandbox.bytes("out.json")).unwrap();
    assert!(out.contains("poles were measured"), "{out}");
    let seen = String::from_utf8(sandbox.bytes("seen.txt")).unwrap();
    assert!(seen.contains("Answer with the summary alone.") && seen.contains("----- turn "), "{seen}");
}

#[test]
#[cfg(unix)]
fn a_program_that_fails_leaves_nothing_behind() {
    let sandbox = Sandbox::with_chat();
    let ran = run(&sandbox, "command:cat >/dev/null; exit 3", &["--json"]).exits(6);
    assert_eq!(ran.error()["code"], "MODEL_FAILED");
    assert_eq!(ran.error()["details"]["summaries_made"], 0);
    assert_eq!(sandbox.names(), ["chat.json"]);
}

#[test]
fn a_dry_run_sends_and_writes_nothing() {
    let sandbox = Sandbox::with_chat();
    let ran = run(&sandbox, "anthropic:some-model", &["--dry-run", "--json"]).exits(0);
    let said = ran.json();
    assert_eq!(said["summaries"], 1);
    assert!(said["input_tokens"].as_u64().unwrap() > said["output_tokens"].as_u64().unwrap());
    assert_eq!(sandbox.names(), ["chat.json"]);
    let ran = run(&sandbox, "anthropic:some-model", &["--dry-run"]).exits(0);
    assert!(ran.out.starts_with("summaries to write: 1,"), "{}", ran.out);
}

#[test]
fn a_key_that_is_not_there_is_named() {
    let sandbox = Sandbox::with_chat();
    let ran = run(&sandbox, "openai:some-model", &["--json"]).exits(2);
    assert_eq!(ran.error()["code"], "MODEL_KEY_MISSING");
    assert_eq!(ran.error()["details"]["variable"], "OPENAI_API_KEY");
}

#[test]
fn a_summarizer_that_is_none_is_refused_with_those_that_are() {
    let sandbox = Sandbox::with_chat();
    let ran = run(&sandbox, "gpt-x", &[]).exits(2);
    assert!(ran.err.contains("openai:MODEL") && ran.err.contains("command:LINE"), "{}", ran.err);
    let ran = run(&sandbox, "extract", &["--summaries", "s.json"]).exits(2);
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
}

#[test]
fn a_local_server_is_asked_without_a_key() {
    let sandbox = Sandbox::with_chat();
    let answer = r#"{"choices":[{"finish_reason":"stop","message":{"content":"poles were measured"}}],"usage":{"prompt_tokens":70,"completion_tokens":3}}"#;
    let (url, served) = answering("200 OK", answer);
    let ran = run(&sandbox, "openai:small", &["--summarizer-url", &url]).exits(0);
    let asked = served.join().unwrap();
    assert!(asked.starts_with("POST /v1/chat/completions "), "{asked}");
    assert!(!asked.to_lowercase().contains("authorization"), "{asked}");
    assert!(ran.err.contains("for 70 tokens of input and 3 of output"), "{}", ran.err);
    assert!(String::from_utf8(sandbox.bytes("out.json")).unwrap().contains("poles were measured"));
}

#[test]
fn a_key_that_is_named_goes_with_the_request_and_is_not_printed() {
    let sandbox = Sandbox::with_chat();
    let (url, served) = answering("401 No", r#"{"error":{"message":"secret-key is wrong"}}"#);
    let more = ["--summarizer-url", &url, "--summarizer-key", "MY_KEY", "--json"];
    let ran = run(&sandbox, "anthropic:some-model", &more).exits(6);
    let asked = served.join().unwrap();
    assert!(asked.contains("x-api-key: secret-key"), "{asked}");
    assert_eq!(ran.error()["code"], "MODEL_KEY_REFUSED");
    assert!(!ran.err.contains("secret-key"), "{}", ran.err);
    assert_eq!(sandbox.names(), ["chat.json"]);
}
