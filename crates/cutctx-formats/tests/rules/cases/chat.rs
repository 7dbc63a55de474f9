//! Chat completions.

use super::{Case, model, user};
use serde_json::{Value, json};

fn call(id: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "look", "arguments": arguments}})
}

fn calls(calls: &[Value]) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

fn result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "r"})
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn cases() -> Vec<Case> {
    let round = |id: &str, arguments: &str| json!([user("u"), calls(&[call(id, arguments)]), result(id)]);
    let case = |rule, broken, sound| super::case("openai-chat", rule, broken, sound);
    let sound = || round("a", "{}");
    vec![
        case("unanswered_call", json!([user("u"), calls(&[call("a", "{}")]), user("v")]), sound()),
        case("call_in_flight", json!([user("u"), calls(&[call("a", "{}")])]), sound()),
        case("orphan_result", json!([user("u"), model(&json!("x")), result("a")]), sound()),
        case(
            "repeated_result",
            json!([user("u"), calls(&[call("a", "{}")]), result("a"), result("a")]),
            sound(),
        ),
        case(
            "repeated_call_id",
            json!([user("u"), calls(&[call("a", "{}"), call("a", "{}")]), result("a")]),
            json!([user("u"), calls(&[call("a", "{}"), call("b", "{}")]), result("a"), result("b")]),
        ),
        case(
            "empty_message",
            json!([user("u"), model(&Value::Null)]),
            json!([user("u"), {"role": "assistant", "content": null, "audio": {"id": "x"}}]),
        ),
        case(
            "empty_message",
            json!([user("u"), {"role": "assistant", "content": null, "reasoning_content": "hm"}]),
            json!([user("u"), {"role": "assistant", "content": null, "refusal": "no"}]),
        ),
        case(
            "empty_result",
            json!([user("u"), calls(&[call("a", "{}")]), {"role": "tool", "tool_call_id": "a", "content": null}]),
            json!([user("u"), calls(&[call("a", "{}")]), {"role": "tool", "tool_call_id": "a", "content": ""}]),
        ),
        case("call_id_spelling", round(&"i".repeat(41), "{}"), round(&"i".repeat(40), "{}")),
        case("invalid_arguments", round("a", "{\"n\":"), round("a", "{\"n\": 1}")),
        case("invalid_arguments", round("a", "*** Begin"), round("a", "")),
        case(
            "blank_text",
            json!([user(" \n"), model(&json!("x"))]),
            json!([user(" x "), model(&json!("x"))]),
        ),
        case(
            "first_not_user",
            json!([model(&json!("x")), user("u")]),
            json!([user("u"), model(&json!("x"))]),
        ),
        case(
            "system_not_first",
            json!([user("u"), {"role": "system", "content": "s"}]),
            json!([{"role": "system", "content": "s"}, {"role": "developer", "content": "s"}, user("u")]),
        ),
        case(
            "roles_not_alternating",
            json!([user("u"), user("v")]),
            json!([user("u"), model(&json!("x")), user("v")]),
        ),
        case(
            "roles_not_alternating",
            json!([user("u"), calls(&[call("a", "{}")]), result("a"), user("v")]),
            json!([user("u"), calls(&[call("a", "{}")]), result("a"), model(&json!("x")), user("v")]),
        ),
    ]
}
