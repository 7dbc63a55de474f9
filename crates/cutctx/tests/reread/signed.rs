//! What a format has all or none of, or must leave alone: calls that the provider ran itself, calls that it signed.

use super::trims::faults_of;
use serde_json::{Value, json};

/// Some text of about this many words.
fn words(count: usize) -> String {
    let words: Vec<String> = (0..count).map(|number| format!("heron-{number} ")).collect();
    words.concat()
}

fn server_call(id: &str, code: &str) -> Value {
    json!({"type": "server_tool_use", "id": id, "name": "code_execution", "input": {"code": code}})
}

fn server_result(id: &str, text: &str) -> Value {
    json!({"type": "code_execution_tool_result", "tool_use_id": id, "content": {
        "type": "code_execution_result", "stdout": text, "stderr": "", "return_code": 0, "content": []}})
}

fn anthropic(assistant: &Value, answer: &Value) -> Value {
    json!({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [
        {"role": "user", "content": words(30)},
        {"role": "assistant", "content": assistant},
        {"role": "user", "content": answer},
        {"role": "assistant", "content": [{"type": "text", "text": words(200)}]},
        {"role": "user", "content": "and now?"},
    ]})
}

fn faults(name: &str, session: &Value) -> Vec<String> {
    faults_of(name, session.to_string().as_bytes())
}

#[test]
fn what_the_provider_ran_stays_or_goes_with_its_call() {
    for (code, output) in [(300, 5), (5, 300), (300, 300)] {
        let text = json!({"type": "text", "text": words(80)});
        let ran = json!([text, server_call("s1", &words(code)), server_result("s1", &words(output)), text]);
        assert_eq!(faults("alone", &anthropic(&ran, &json!("go on"))), Vec::<String>::new());
        let call = json!({"type": "tool_use", "id": "c1", "name": "gauge", "input": {"gates": words(60)}});
        let both = json!([server_call("s1", &words(code)), server_result("s1", &words(output)), text, call]);
        let answer = json!([{"type": "tool_result", "tool_use_id": "c1", "content": words(90)}]);
        assert_eq!(faults("beside a call", &anthropic(&both, &answer)), Vec::<String>::new());
        let twice = json!([
            server_call("s1", &words(code)),
            server_call("s2", &words(code)),
            server_result("s1", &words(output)),
            server_result("s2", &words(output)),
            call
        ]);
        assert_eq!(faults("two at once", &anthropic(&twice, &answer)), Vec::<String>::new());
    }
}

#[test]
fn a_call_that_waits_for_the_provider_is_not_cut() {
    let waits = json!([{"type": "text", "text": "I compute."}, server_call("s1", &words(300))]);
    let session = json!({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [
        {"role": "user", "content": words(30)},
        {"role": "assistant", "content": waits},
        {"role": "assistant", "content": [server_result("s1", &words(50)), {"type": "text", "text": words(90)}]},
        {"role": "user", "content": "and now?"},
    ]});
    assert_eq!(faults("waits", &session), Vec::<String>::new());
}

#[test]
fn a_call_that_is_signed_in_the_turn_at_work_is_not_cut() {
    let call = |id: &str, signed: bool| {
        let mut part = json!({"functionCall": {"id": id, "name": "gauge", "args": {"gates": words(120)}}});
        if signed {
            part["thoughtSignature"] = json!("c2lnbmVk".repeat(20));
        }
        part
    };
    let answer =
        |id: &str| json!({"functionResponse": {"id": id, "name": "gauge", "response": {"level": words(60)}}});
    for second in [false, true] {
        let session = json!({"contents": [
            {"role": "user", "parts": [{"text": words(40)}]},
            {"role": "model", "parts": [call("a", true), call("b", second)]},
            {"role": "user", "parts": [answer("a"), answer("b")]},
            {"role": "model", "parts": [call("c", true)]},
            {"role": "user", "parts": [answer("c")]},
        ]});
        assert_eq!(faults("signed", &session), Vec::<String>::new());
    }
}

#[test]
fn a_call_whose_arguments_are_no_object_is_costed_as_it_is_left() {
    let call = json!({"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": words(300)});
    let session = json!({"model": "gpt-5", "input": [
        {"role": "user", "content": words(30)},
        call,
        {"type": "custom_tool_call_output", "call_id": "c1", "output": words(100)},
        {"role": "assistant", "content": words(100)},
        {"role": "user", "content": "and now?"},
    ]});
    assert_eq!(faults("no object", &session), Vec::<String>::new());
}
