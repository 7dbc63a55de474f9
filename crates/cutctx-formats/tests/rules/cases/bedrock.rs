//! Bedrock Converse.

use super::{Case, model};
use serde_json::{Value, json};

fn call(id: &str, input: &Value) -> Value {
    json!({"toolUse": {"toolUseId": id, "name": "look", "input": input}})
}

fn result(id: &str) -> Value {
    json!({"toolResult": {"toolUseId": id, "content": [{"text": "r"}], "status": "success"}})
}

fn text(text: &str) -> Value {
    json!({"text": text})
}

fn users(blocks: &Value) -> Value {
    json!({"role": "user", "content": blocks})
}

fn said(words: &str) -> Value {
    users(&json!([text(words)]))
}

fn request(messages: &Value) -> Value {
    let tools = json!({"tools": [{"toolSpec": {"name": "look"}}]});
    json!({"inferenceConfig": {}, "toolConfig": tools, "messages": messages})
}

fn round(blocks: &Value, results: &Value) -> Value {
    request(&json!([said("u"), model(blocks), users(results)]))
}

fn reasoning(signature: &Value) -> Value {
    let mut block = json!({"reasoningContent": {"reasoningText": {"text": "hm"}}});
    if !signature.is_null() {
        block["reasoningContent"]["reasoningText"]["signature"] = signature.clone();
    }
    block
}

fn marks(count: usize) -> Value {
    let mut blocks = vec![text("u")];
    blocks.extend((0..count).map(|_| json!({"cachePoint": {"type": "default"}})));
    request(&json!([users(&json!(blocks))]))
}

pub(super) fn cases() -> Vec<Case> {
    let case = |rule, broken, sound| super::case("bedrock-converse", rule, broken, sound);
    let a = || call("a", &json!({}));
    let sound = || round(&json!([a()]), &json!([result("a")]));
    let mut toolless = sound();
    toolless.as_object_mut().unwrap().remove("toolConfig");
    let signed = json!("c2ln");
    vec![
        case("unanswered_call", round(&json!([a()]), &json!([text("v")])), sound()),
        case("call_in_flight", request(&json!([said("u"), model(&json!([a()]))])), sound()),
        case("orphan_result", round(&json!([text("x")]), &json!([result("a")])), sound()),
        case("repeated_result", round(&json!([a()]), &json!([result("a"), result("a")])), sound()),
        case(
            "split_results",
            request(&json!([
                said("u"),
                model(&json!([a(), call("b", &json!({}))])),
                users(&json!([result("a")])),
                users(&json!([result("b")]))
            ])),
            round(&json!([a(), call("b", &json!({}))]), &json!([result("a"), result("b")])),
        ),
        case("repeated_call_id", round(&json!([a(), a()]), &json!([result("a")])), sound()),
        case("call_id_spelling", round(&json!([call("a|b", &json!({}))]), &json!([result("a|b")])), sound()),
        case("invalid_arguments", round(&json!([call("a", &json!("x"))]), &json!([result("a")])), sound()),
        case("tools_not_defined", toolless, sound()),
        case("first_not_user", request(&json!([model(&json!([text("x")])), said("u")])), sound()),
        case("roles_not_alternating", request(&json!([said("u"), said("v")])), request(&json!([said("u")]))),
        case("empty_content", request(&json!([users(&json!([]))])), request(&json!([said("u")]))),
        case("blank_text", request(&json!([said(" ")])), request(&json!([said("u")]))),
        case(
            "prefill_ends_blank",
            request(&json!([said("u"), model(&json!([text("x ")]))])),
            request(&json!([said("u"), model(&json!([text("x")]))])),
        ),
        case(
            "reasoning_not_first",
            round(&json!([text("x"), reasoning(&signed), a()]), &json!([result("a")])),
            round(&json!([reasoning(&signed), text("x"), a()]), &json!([result("a")])),
        ),
        case(
            "signature_missing",
            round(&json!([reasoning(&Value::Null), a()]), &json!([result("a")])),
            round(&json!([reasoning(&signed), a()]), &json!([result("a")])),
        ),
        case("too_many_cache_marks", marks(5), marks(4)),
    ]
}
