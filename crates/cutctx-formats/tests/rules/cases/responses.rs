//! The Responses API.

use super::{Case, model, user};
use serde_json::{Value, json};

fn call(id: &str, item: &Value) -> Value {
    json!({"type": "function_call", "call_id": id, "id": item, "name": "look", "arguments": "{}"})
}

fn output(id: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": "r"})
}

fn reasoning(id: &str) -> Value {
    json!({"type": "reasoning", "id": id, "summary": []})
}

fn with_arguments(arguments: &str) -> Value {
    let call = json!({"type": "function_call", "call_id": "a", "name": "look", "arguments": arguments});
    json!({"model": "m", "input": [user("u"), call, output("a")]})
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn cases() -> Vec<Case> {
    let request = |items: Value| json!({"model": "m", "input": items});
    let case = |rule, broken, sound| super::case("openai-responses", rule, broken, sound);
    let none = || Value::Null;
    let sound = || request(json!([user("u"), call("a", &none()), output("a")]));
    let long = |length: usize| {
        let id = "i".repeat(length);
        request(json!([user("u"), call(&id, &none()), output(&id)]))
    };
    vec![
        case("unanswered_call", request(json!([user("u"), call("a", &none()), user("v")])), sound()),
        case("call_in_flight", request(json!([user("u"), call("a", &none())])), sound()),
        case("orphan_result", request(json!([user("u"), output("a")])), sound()),
        case(
            "repeated_result",
            request(json!([user("u"), call("a", &none()), output("a"), output("a")])),
            sound(),
        ),
        case(
            "repeated_call_id",
            request(json!([user("u"), call("a", &none()), call("a", &none()), output("a"), output("a")])),
            request(json!([user("u"), call("a", &none()), output("a"), call("a", &none()), output("a")])),
        ),
        case(
            "repeated_item_id",
            request(json!([
                user("u"),
                call("a", &json!("fc_1")),
                output("a"),
                call("b", &json!("fc_1")),
                output("b")
            ])),
            request(json!([
                user("u"),
                call("a", &json!("fc_1")),
                output("a"),
                call("b", &json!("fc_2")),
                output("b")
            ])),
        ),
        case(
            "reasoning_without_item",
            request(json!([user("u"), reasoning("rs_1"), user("v")])),
            request(json!([user("u"), reasoning("rs_1"), model(&json!("x")), user("v")])),
        ),
        case(
            "reasoning_without_item",
            request(json!([user("u"), model(&json!("x")), user("v"), reasoning("rs_1")])),
            request(
                json!([user("u"), model(&json!("x")), user("v"), {"type": "reasoning", "summary": []}, user("w")]),
            ),
        ),
        case(
            "item_without_reasoning",
            request(json!([
                user("u"),
                reasoning("rs_1"),
                call("a", &json!("fc_1")),
                output("a"),
                call("b", &json!("fc_2")),
                output("b")
            ])),
            request(json!([
                user("u"),
                reasoning("rs_1"),
                call("a", &json!("fc_1")),
                output("a"),
                reasoning("rs_2"),
                call("b", &json!("fc_2")),
                output("b")
            ])),
        ),
        case("invalid_arguments", with_arguments("{\"n\":"), with_arguments("{\"n\": [1]}")),
        case("call_id_spelling", long(65), long(64)),
    ]
}
