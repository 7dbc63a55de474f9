//! Session files of tools.

use super::{Case, case};
use serde_json::{Value, json};

fn item(item: &Value) -> Value {
    json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": item})
}

fn call() -> Value {
    item(&json!({"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}))
}

fn output() -> Value {
    item(&json!({"type": "function_call_output", "call_id": "a", "output": "r"}))
}

fn asked() -> Value {
    item(&json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "u"}]}))
}

/// Lines of a rollout, as an array; it is written as lines.
fn rollout(items: &[Value]) -> Value {
    let head = json!({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta",
        "payload": {"id": "s", "cwd": "/x", "originator": "o", "cli_version": "1"}});
    [vec![head, asked()], items.to_vec()].concat().into()
}

fn line(uuid: &str, parent: &Value, text: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "parentUuid": parent, "message": {"role": "user", "content": text}})
}

pub(super) fn cases() -> Vec<Case> {
    let rollouts =
        |rule, broken: &[Value]| case("codex-rollout", rule, rollout(broken), rollout(&[call(), output()]));
    let twice = line("b", &json!("a"), "w");
    vec![
        rollouts("unanswered_call", &[call(), asked()]),
        rollouts("call_in_flight", &[call()]),
        rollouts("orphan_result", &[output()]),
        rollouts("repeated_result", &[call(), output(), output()]),
        case(
            "claude-code",
            "replayed_record",
            json!([line("a", &Value::Null, "u"), line("b", &json!("a"), "v"), twice]),
            json!([line("a", &Value::Null, "u"), line("b", &json!("a"), "v"), line("c", &json!("b"), "w")]),
        ),
    ]
}
