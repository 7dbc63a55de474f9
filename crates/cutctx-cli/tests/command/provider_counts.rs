//! `cutctx count --count-with`: a provider counts, too.

use crate::sandbox::{Ran, Sandbox, answering};
use serde_json::{Value, json};

fn run(sandbox: &Sandbox, line: &str) -> Ran {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = sandbox.command(&words);
    for variable in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"] {
        command.env_remove(variable);
    }
    Ran::of(command.env("MY_KEY", "secret-key").output().unwrap())
}

/// The body of a request as JSON.
fn body(asked: &str) -> Value {
    serde_json::from_str(asked.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_session_is_converted_for_the_provider_that_counts() {
    for (who, path, answer) in [
        ("anthropic", "/v1/messages/count_tokens", r#"{"input_tokens": 500}"#),
        ("openai", "/v1/responses/input_tokens", r#"{"input_tokens": 500}"#),
        ("google", "/v1/models/small:countTokens", r#"{"totalTokens": 500}"#),
    ] {
        let sandbox = Sandbox::with_chat();
        let (url, served) = answering("200 OK", answer);
        let line = format!("count chat.json --count-with {who}:small --count-url {url} --json");
        let count = run(&sandbox, &line).exits(0).json();
        let asked = served.join().unwrap();
        assert!(asked.starts_with(&format!("POST {path} ")), "{asked}");
        assert_eq!(
            count["provider_count"],
            json!({"provider": who, "model": "small", "tokens": 500, "left_out": {}})
        );
        assert!(asked.contains("Kiln 3 fires unevenly"), "{asked}");
    }
}

#[test]
fn people_see_how_far_off_the_estimate_is() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "chat.json",
        br#"{"turns": [{"turn_id": "a", "role": "user", "content": "x", "token_estimate": 110}]}"#,
    );
    let (url, served) = answering("200 OK", r#"{"input_tokens": 100}"#);
    let ran =
        run(&sandbox, &format!("count chat.json --count-with anthropic:small --count-url {url}")).exits(0);
    assert!(
        ran.out.contains("counted by anthropic for small: 100 tokens; the estimate is off by +10.0 %"),
        "{}",
        ran.out
    );
    assert!(!served.join().unwrap().to_lowercase().contains("x-api-key"));
}

#[test]
fn a_request_of_the_providers_own_is_counted_as_it_stands() {
    let sandbox = Sandbox::new();
    let request = json!({"model": "another", "max_tokens": 9, "stream": true,
        "system": "you mend pumps", "tools": [{"name": "look", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "go on"}]}]});
    sandbox.write("request.json", request.to_string().as_bytes());
    let (url, served) = answering("200 OK", r#"{"input_tokens": 70}"#);
    let line = format!(
        "count request.json --count-with anthropic:small --count-url {url} --count-key MY_KEY --json"
    );
    assert_eq!(run(&sandbox, &line).exits(0).json()["provider_count"]["tokens"], 70);
    let asked = served.join().unwrap();
    assert!(asked.contains("x-api-key: secret-key"), "{asked}");
    let mut expected = json!({"model": "small"});
    for kept in ["system", "tools", "messages"] {
        expected[kept] = request[kept].clone();
    }
    assert_eq!(body(&asked), expected);
}

#[test]
fn what_the_request_leaves_out_is_told() {
    let sandbox = Sandbox::new();
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let request = json!([{"role": "user", "content": "go on"},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": "done"}]},
        {"role": "user", "content": "and?"}]);
    sandbox.write("request.json", json!({"messages": request}).to_string().as_bytes());
    let (url, served) = answering("200 OK", r#"{"totalTokens": 70}"#);
    let line = format!("count request.json --count-with google:small --count-url {url} --json");
    let count = run(&sandbox, &line).exits(0).json();
    assert_eq!(count["provider_count"]["left_out"], json!({"signed_reasoning": 1}));
    served.join().unwrap();
}

#[test]
fn nothing_is_sent_unless_it_is_asked_for_and_a_failure_has_its_code() {
    let sandbox = Sandbox::with_chat();
    assert_eq!(run(&sandbox, "count chat.json --json").exits(0).json()["provider_count"], Value::Null);
    let ran = run(&sandbox, "count chat.json --count-with anthropic:small --json").exits(2);
    assert_eq!(ran.error()["details"]["variable"], "ANTHROPIC_API_KEY");
    run(&sandbox, "count chat.json --count-with small --json").exits(2);
    run(&sandbox, "count chat.json --count-with openai:small --csv").exits(2);
    run(&sandbox, "count chat.json --count-url http://localhost:1").exits(2);
    let (url, served) = answering("401 No", r#"{"error": {"message": "secret-key is wrong"}}"#);
    let line =
        format!("count chat.json --count-with openai:small --count-url {url} --count-key MY_KEY --json");
    let ran = run(&sandbox, &line).exits(6);
    assert_eq!(ran.error()["code"], "MODEL_KEY_REFUSED");
    assert!(!ran.err.contains("secret-key"), "{}", ran.err);
    assert!(served.join().unwrap().contains("secret-key"));
    let (url, served) = answering("200 OK", r#"{"tokens": 7}"#);
    let ran = run(&sandbox, &format!("count chat.json --count-with openai:small --count-url {url} --json"));
    assert_eq!(ran.exits(6).error()["code"], "MODEL_ANSWER");
    served.join().unwrap();
}
