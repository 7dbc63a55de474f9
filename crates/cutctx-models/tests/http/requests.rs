//! What providers are told.

use cutctx_context::ModelRequest;
use cutctx_messages::{DurableObject, Message, TextPart, ToolCallPart, ToolResultPart};
use cutctx_models::http::Api;
use cutctx_models::{ModelError, SummaryModel, block_on};
use cutctx_types::Role;
use serde_json::{Value, json};

use crate::server::{Asked, Server, json as reply, request};

fn asked(api: Api, request: &ModelRequest) -> Asked {
    let server = Server::once(reply(200, "{}"));
    block_on(server.model(api).complete(request)).unwrap_or_default();
    server.asked()
}

pub(crate) fn object(json: &str) -> DurableObject {
    serde_json::from_str(json).unwrap()
}

#[test]
fn chat_completions() {
    let asked = asked(Api::OpenAiChat, &request());
    assert!(asked.head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", asked.head);
    assert_eq!(asked.header("authorization"), Some("Bearer secret-key"));
    let expected = json!({
        "model": "model-1",
        "max_tokens": 8192,
        "messages": [
            {"role": "system", "content": "sum it up"},
            {"role": "user", "content": "pole 7 is 4 m tall"},
        ],
    });
    assert_eq!(asked.body, expected);
}

#[test]
fn responses() {
    let asked = asked(Api::OpenAiResponses, &request());
    assert!(asked.head.starts_with("POST /v1/responses HTTP/1.1"), "{}", asked.head);
    let expected = json!({
        "model": "model-1",
        "max_output_tokens": 8192,
        "store": false,
        "input": [
            {"role": "system", "content": "sum it up"},
            {"role": "user", "content": "pole 7 is 4 m tall"},
        ],
    });
    assert_eq!(asked.body, expected);
}

#[test]
fn anthropic_messages() {
    let asked = asked(Api::AnthropicMessages, &request());
    assert!(asked.head.starts_with("POST /v1/messages HTTP/1.1"), "{}", asked.head);
    assert_eq!(asked.header("x-api-key"), Some("secret-key"));
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(asked.header("authorization"), None);
    let expected = json!({
        "model": "model-1",
        "max_tokens": 8192,
        "system": [{"type": "text", "text": "sum it up"}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "pole 7 is 4 m tall"}]}],
    });
    assert_eq!(asked.body, expected);
}

/// A conversation with two calls and their results, as the exact prefix of a cached request has it.
pub(crate) fn conversation() -> ModelRequest {
    let call = |id: &str| ToolCallPart::new(id, "measure", object(r#"{"pole":7}"#)).unwrap();
    let result = |id: &str, text: &str| ToolResultPart::new(id, "measure", text).unwrap();
    let text = |text: &str| TextPart::new(text).unwrap();
    let messages = vec![
        Message::new(Role::Assistant, vec![text("so").into(), call("c1").into(), call("c2").into()]).unwrap(),
        Message::new(Role::Tool, vec![result("c1", "4 m").into(), result("c2", "").with_error(true).into()])
            .unwrap(),
        Message::new(Role::User, vec![text("and?").into()]).unwrap(),
    ];
    let tool = object(r#"{"name":"measure","description":"x","parameters":{"type":"object"}}"#);
    ModelRequest::new(messages).with_tools(vec![tool])
}

#[test]
fn calls_and_results_in_chat_completions() {
    let body = asked(Api::OpenAiChat, &conversation()).body;
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "measure", "arguments": r#"{"pole":7}"#}});
    let expected = json!([
        {"role": "assistant", "content": "so", "tool_calls": [call("c1"), call("c2")]},
        {"role": "tool", "tool_call_id": "c1", "content": "4 m"},
        {"role": "tool", "tool_call_id": "c2", "content": ""},
        {"role": "user", "content": "and?"},
    ]);
    assert_eq!(body["messages"], expected);
    assert_eq!(body["tools"][0]["function"]["name"], "measure");
}

#[test]
fn calls_and_results_in_responses() {
    let body = asked(Api::OpenAiResponses, &conversation()).body;
    let types: Vec<&Value> = body["input"].as_array().unwrap().iter().map(|item| &item["type"]).collect();
    let (call, output) = (json!("function_call"), json!("function_call_output"));
    assert_eq!(types, [&Value::Null, &call, &call, &output, &output, &Value::Null]);
    assert_eq!(body["input"][3], json!({"type": "function_call_output", "call_id": "c1", "output": "4 m"}));
    assert_eq!(body["tools"][0]["type"], "function");
    assert_eq!(body["tools"][0]["name"], "measure");
}

#[test]
fn calls_and_results_in_anthropic_messages() {
    let body = asked(Api::AnthropicMessages, &conversation()).body;
    let expected = json!([
        {"role": "assistant", "content": [
            {"type": "text", "text": "so"},
            {"type": "tool_use", "id": "c1", "name": "measure", "input": {"pole": 7}},
            {"type": "tool_use", "id": "c2", "name": "measure", "input": {"pole": 7}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "4 m", "is_error": false},
            {"type": "tool_result", "tool_use_id": "c2", "content": "", "is_error": true},
            {"type": "text", "text": "and?"},
        ]},
    ]);
    assert_eq!(body["messages"], expected);
    assert_eq!(body["tools"][0]["input_schema"], json!({"type": "object"}));
}

#[test]
fn options_are_members_but_take_no_place_of_the_request() {
    let options = object(r#"{"temperature":0,"model":"another","max_tokens":7,"stream":true,"stop":null}"#);
    let body = asked(Api::OpenAiChat, &request().with_options(options)).body;
    assert_eq!(body["model"], "model-1");
    assert_eq!(body["temperature"], 0);
    assert_eq!(body["max_tokens"], 7);
    assert_eq!(body.get("stream"), None);
    assert_eq!(body.get("stop"), None);
}

#[test]
fn a_file_is_refused_before_anything_is_sent() {
    let json = r#"{"role":"user","content":[{"type":"file","attachment":{"type":"cayu.file_attachment.v1",
        "artifact_id":"a","kind":"image","filename":"p.png","content_type":"image/png","size_bytes":9,"metadata":{}}}]}"#;
    let message: Message = serde_json::from_str(json).unwrap();
    let server = Server::answering(Vec::new());
    let model = server.model(Api::OpenAiChat);
    let refused = block_on(model.complete(&ModelRequest::new(vec![message]))).unwrap_err();
    assert_eq!(refused.error, ModelError::Unsupported { part: "file" });
}
