//! The Anthropic Messages API.

use super::{Case, model, user};
use serde_json::{Value, json};

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "look", "input": {}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "r"})
}

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"})
}

fn users(blocks: &Value) -> Value {
    json!({"role": "user", "content": blocks})
}

fn request(messages: &Value) -> Value {
    json!({"model": "m", "max_tokens": 9, "tools": [{"name": "look"}], "messages": messages})
}

fn round(blocks: &Value, results: &Value) -> Value {
    request(&json!([user("u"), model(blocks), users(results)]))
}

fn with(mut block: Value, key: &str, value: Value) -> Value {
    block[key] = value;
    block
}

fn marked(block: Value) -> Value {
    with(block, "cache_control", json!({"type": "ephemeral"}))
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn cases() -> Vec<Case> {
    let case = |rule, broken, sound| super::case("anthropic-messages", rule, broken, sound);
    let sound = || round(&json!([call("a")]), &json!([result("a")]));
    vec![
        case("unanswered_call", round(&json!([call("a")]), &json!([text("v")])), sound()),
        case("call_in_flight", request(&json!([user("u"), model(&json!([call("a")]))])), sound()),
        case("orphan_result", round(&json!([text("x")]), &json!([result("a")])), sound()),
        case("repeated_result", round(&json!([call("a")]), &json!([result("a"), result("a")])), sound()),
        case(
            "result_not_first",
            round(&json!([call("a")]), &json!([text("v"), result("a")])),
            round(&json!([call("a")]), &json!([result("a"), text("v")])),
        ),
        case(
            "split_results",
            request(&json!([
                user("u"),
                model(&json!([call("a"), call("b")])),
                users(&json!([result("a")])),
                users(&json!([result("b")]))
            ])),
            round(&json!([call("a"), call("b")]), &json!([result("a"), result("b")])),
        ),
        case(
            "repeated_call_id",
            round(&json!([call("a"), call("a")]), &json!([result("a")])),
            round(&json!([call("a"), call("b")]), &json!([result("a"), result("b")])),
        ),
        case(
            "repeated_call_id",
            request(&json!([
                user("u"),
                model(&json!([call("a")])),
                users(&json!([result("a")])),
                model(&json!([call("a")])),
                users(&json!([result("a")]))
            ])),
            request(&json!([
                user("u"),
                model(&json!([call("a")])),
                users(&json!([result("a")])),
                model(&json!([call("b")])),
                users(&json!([result("b")]))
            ])),
        ),
        case("call_id_spelling", round(&json!([call("a|b")]), &json!([result("a|b")])), sound()),
        case("call_id_spelling", round(&json!([call("")]), &json!([result("")])), sound()),
        case(
            "invalid_arguments",
            round(&json!([with(call("a"), "input", json!("{}"))]), &json!([result("a")])),
            sound(),
        ),
        case(
            "orphan_server_result",
            request(&json!([user("u"), model(&json!([server("s"), server_result("t")]))])),
            request(&json!([user("u"), model(&json!([server("s"), server_result("s")]))])),
        ),
        case(
            "unanswered_server_call",
            request(&json!([user("u"), model(&json!([server("s")])), user("v")])),
            request(&json!([user("u"), model(&json!([server("s")]))])),
        ),
        case("tools_not_defined", with(sound(), "tools", Value::Null), sound()),
        case("first_not_user", request(&json!([model(&json!("x")), user("u")])), sound()),
        case(
            "empty_content",
            request(&json!([user("u"), users(&json!([]))])),
            request(&json!([user("u"), model(&json!([]))])),
        ),
        case(
            "empty_content",
            request(&json!([user(""), model(&json!("x"))])),
            request(&json!([user("u"), model(&json!(""))])),
        ),
        case(
            "blank_text",
            request(&json!([users(&json!([text(" \n")]))])),
            request(&json!([users(&json!([text(" \nx")]))])),
        ),
        case(
            "blank_text",
            request(&json!([users(&json!([text("")]))])),
            request(&json!([users(&json!([text("x")]))])),
        ),
        case(
            "blank_text",
            round(&json!([text(" "), call("a")]), &json!([result("a")])),
            round(&json!([text("x"), call("a")]), &json!([result("a")])),
        ),
        case(
            "blank_text",
            round(&json!([call("a")]), &json!([with(result("a"), "content", json!([text("")]))])),
            round(&json!([call("a")]), &json!([with(result("a"), "content", json!(""))])),
        ),
        case(
            "prefill_ends_blank",
            request(&json!([user("u"), model(&json!("I say: "))])),
            request(&json!([user("u"), model(&json!("I say: ")), user("v")])),
        ),
        case(
            "reasoning_not_first",
            round(&json!([text("t"), thinking(), call("a")]), &json!([result("a")])),
            round(&json!([thinking(), text("t"), call("a")]), &json!([result("a")])),
        ),
        case(
            "reasoning_not_first",
            round(&json!([call("a"), thinking()]), &json!([result("a")])),
            request(&json!([
                user("u"),
                model(&json!([call("a"), thinking()])),
                users(&json!([result("a"), text("next")]))
            ])),
        ),
        case(
            "reasoning_incomplete",
            request(&json!([
                user("u"),
                model(&json!([call("a")])),
                users(&json!([result("a")])),
                model(&json!([thinking(), call("b")])),
                users(&json!([result("b")]))
            ])),
            request(&json!([
                user("u"),
                model(&json!([thinking(), call("a")])),
                users(&json!([result("a")])),
                model(&json!([call("b")])),
                users(&json!([result("b")]))
            ])),
        ),
        case(
            "reasoning_missing",
            with(sound(), "thinking", enabled()),
            with(sound(), "thinking", json!({"type": "disabled"})),
        ),
        case(
            "reasoning_missing",
            with(sound(), "thinking", enabled()),
            with(round(&json!([thinking(), call("a")]), &json!([result("a")])), "thinking", enabled()),
        ),
        case(
            "signature_missing",
            round(&json!([{"type": "thinking", "thinking": "hm"}, call("a")]), &json!([result("a")])),
            round(&json!([{"type": "redacted_thinking", "data": "AAAA"}, call("a")]), &json!([result("a")])),
        ),
        case("too_many_cache_marks", marks(5), marks(4)),
        case("too_many_cache_marks", marks_all_over(2), marks_all_over(1)),
        case(
            "cache_mark_on_reasoning",
            round(&json!([marked(thinking()), call("a")]), &json!([result("a")])),
            round(&json!([thinking(), marked(call("a"))]), &json!([result("a")])),
        ),
    ]
}

fn enabled() -> Value {
    json!({"type": "enabled", "budget_tokens": 1024})
}

fn server(id: &str) -> Value {
    json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {}})
}

fn server_result(id: &str) -> Value {
    json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []})
}

fn marks(count: usize) -> Value {
    let blocks: Vec<Value> = (0..count).map(|_| marked(text("x"))).collect();
    request(&json!([users(&json!(blocks))]))
}

/// One mark on a tool, one on the system prompt, one inside of a result, and some on a message.
fn marks_all_over(count: usize) -> Value {
    let inner = with(result("a"), "content", json!([marked(text("r"))]));
    let mut blocks = vec![inner];
    blocks.extend((0..count).map(|_| marked(text("x"))));
    let mut request = round(&json!([call("a")]), &json!(blocks));
    request["tools"][0]["cache_control"] = json!({"type": "ephemeral"});
    request["system"] = json!([marked(text("s"))]);
    request
}
