//! The Gemini API.

use super::Case;
use serde_json::{Value, json};

fn call(id: &str) -> Value {
    json!({"functionCall": {"id": id, "name": "look", "args": {}}})
}

fn signed(mut part: Value) -> Value {
    part["thoughtSignature"] = json!("c2ln");
    part
}

fn result(id: &str) -> Value {
    json!({"functionResponse": {"id": id, "name": "look", "response": {"output": "r"}}})
}

fn text(text: &str) -> Value {
    json!({"text": text})
}

fn users(parts: &Value) -> Value {
    json!({"role": "user", "parts": parts})
}

fn models(parts: &Value) -> Value {
    json!({"role": "model", "parts": parts})
}

fn request(contents: &Value) -> Value {
    json!({"contents": contents})
}

fn round(parts: &Value, results: &Value) -> Value {
    request(&json!([users(&json!([text("u")])), models(parts), users(results)]))
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn cases() -> Vec<Case> {
    let case = |rule, broken, sound| super::case("gemini-contents", rule, broken, sound);
    let sound = || round(&json!([call("a")]), &json!([result("a")]));
    let said = || users(&json!([text("u")]));
    let mut wrong_arguments = call("a");
    wrong_arguments["functionCall"]["args"] = json!("x");
    let mut wrong_response = result("a");
    wrong_response["functionResponse"]["response"] = json!("x");
    let mut wrong_name = result("a");
    wrong_name["functionResponse"]["name"] = json!("see");
    vec![
        case("unanswered_call", round(&json!([call("a")]), &json!([text("v")])), sound()),
        case("call_in_flight", round(&json!([call("a"), call("b")]), &json!([result("a")])), sound()),
        case("orphan_result", round(&json!([call("a")]), &json!([result("a"), result("b")])), sound()),
        case("orphan_result", round(&json!([text("x")]), &json!([result("a")])), sound()),
        case(
            "split_results",
            request(&json!([
                said(),
                models(&json!([call("a"), call("b")])),
                users(&json!([result("a")])),
                users(&json!([result("b")]))
            ])),
            round(&json!([call("a"), call("b")]), &json!([result("a"), result("b")])),
        ),
        case(
            "call_not_after_user",
            request(&json!([
                said(),
                models(&json!([text("x")])),
                models(&json!([call("a")])),
                users(&json!([result("a")]))
            ])),
            sound(),
        ),
        case(
            "call_not_after_user",
            request(&json!([models(&json!([call("a")])), users(&json!([result("a")]))])),
            sound(),
        ),
        case("result_name_differs", round(&json!([call("a")]), &json!([wrong_name])), sound()),
        case("result_not_an_object", round(&json!([call("a")]), &json!([wrong_response])), sound()),
        case("invalid_arguments", round(&json!([wrong_arguments]), &json!([result("a")])), sound()),
        case(
            "signature_missing",
            request(&json!([
                said(),
                models(&json!([signed(call("a"))])),
                users(&json!([result("a")])),
                models(&json!([call("b")])),
                users(&json!([result("b")]))
            ])),
            request(&json!([
                said(),
                models(&json!([signed(call("a")), call("b")])),
                users(&json!([result("a"), result("b")]))
            ])),
        ),
        case(
            "signature_missing",
            request(&json!([
                said(),
                models(&json!([signed(text("x"))])),
                said(),
                models(&json!([call("a")])),
                users(&json!([result("a")]))
            ])),
            request(&json!([
                said(),
                models(&json!([call("a")])),
                users(&json!([result("a")])),
                models(&json!([signed(text("x"))])),
                said()
            ])),
        ),
        case("empty_content", request(&json!([users(&json!([]))])), request(&json!([said()]))),
        case("blank_text", request(&json!([users(&json!([text("")]))])), request(&json!([said()]))),
        case(
            "first_not_user",
            request(&json!([models(&json!([text("x")])), said()])),
            request(&json!([said()])),
        ),
        case("roles_not_alternating", request(&json!([said(), said()])), request(&json!([said()]))),
    ]
}
