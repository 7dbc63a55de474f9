//! What providers are told when they are only to count, and what they count.

use alloc::sync::Arc;

use cutctx_messages::Message;
use cutctx_models::http::{CountApi, HttpCounter, UreqTransport};
use cutctx_models::{ModelError, TokenCounter, block_on};
use serde_json::json;

use crate::requests::{conversation, object};
use crate::server::{Asked, Server, json as reply, request};

const ALL: [CountApi; 3] = [CountApi::AnthropicMessages, CountApi::OpenAiResponses, CountApi::GeminiContents];

/// An answer of this count.
fn counted(api: CountApi, tokens: &str) -> String {
    match api {
        CountApi::AnthropicMessages => format!(r#"{{"input_tokens": {tokens}}}"#),
        CountApi::OpenAiResponses => {
            format!(r#"{{"object": "response.input_tokens", "input_tokens": {tokens}}}"#)
        }
        CountApi::GeminiContents | _ => {
            format!(r#"{{"totalTokens": {tokens}, "promptTokensDetails": [{{"tokenCount": 1}}]}}"#)
        }
    }
}

fn asked(api: CountApi, messages: &[Message]) -> Asked {
    let server = Server::once(reply(200, &counted(api, "7")));
    let counter = server.counter(api).with_tools(conversation().tools);
    assert_eq!(block_on(counter.count(messages)), Ok(Some(7)));
    server.asked()
}

#[test]
fn anthropic_counts_messages() {
    let asked = asked(CountApi::AnthropicMessages, &request().messages);
    assert!(asked.head.starts_with("POST /v1/messages/count_tokens HTTP/1.1"), "{}", asked.head);
    assert_eq!(asked.header("x-api-key"), Some("secret-key"));
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    let expected = json!({
        "model": "model-1",
        "system": [{"type": "text", "text": "sum it up"}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "pole 7 is 4 m tall"}]}],
        "tools": [{"name": "measure", "description": "x", "input_schema": {"type": "object"}}],
    });
    assert_eq!(asked.body, expected);
}

#[test]
fn openai_counts_items() {
    let asked = asked(CountApi::OpenAiResponses, &request().messages);
    assert!(asked.head.starts_with("POST /v1/responses/input_tokens HTTP/1.1"), "{}", asked.head);
    assert_eq!(asked.header("authorization"), Some("Bearer secret-key"));
    let tool =
        json!({"type": "function", "name": "measure", "description": "x", "parameters": {"type": "object"}});
    let expected = json!({
        "model": "model-1",
        "input": [
            {"role": "system", "content": "sum it up"},
            {"role": "user", "content": "pole 7 is 4 m tall"},
        ],
        "tools": [tool],
    });
    assert_eq!(asked.body, expected);
}

#[test]
fn gemini_counts_contents() {
    let asked = asked(CountApi::GeminiContents, &request().messages);
    assert!(asked.head.starts_with("POST /v1/models/model-1:countTokens HTTP/1.1"), "{}", asked.head);
    assert_eq!(asked.header("x-goog-api-key"), Some("secret-key"));
    let declared = json!({"name": "measure", "description": "x", "parameters": {"type": "object"}});
    let expected = json!({"generateContentRequest": {
        "model": "models/model-1",
        "systemInstruction": {"parts": [{"text": "sum it up"}]},
        "contents": [{"role": "user", "parts": [{"text": "pole 7 is 4 m tall"}]}],
        "tools": [{"functionDeclarations": [declared]}],
    }});
    assert_eq!(asked.body, expected);
}

#[test]
fn calls_and_results_in_contents() {
    let body = asked(CountApi::GeminiContents, &conversation().messages).body;
    let call = |id: &str| json!({"functionCall": {"id": id, "name": "measure", "args": {"pole": 7}}});
    let result =
        |id: &str, response| json!({"functionResponse": {"id": id, "name": "measure", "response": response}});
    let expected = json!([
        {"role": "model", "parts": [{"text": "so"}, call("c1"), call("c2")]},
        {"role": "user", "parts": [
            result("c1", json!({"output": "4 m"})),
            result("c2", json!({"error": ""})),
            {"text": "and?"},
        ]},
    ]);
    assert_eq!(body["generateContentRequest"]["contents"], expected);
}

#[test]
fn calls_and_results_in_messages_and_items() {
    let body = asked(CountApi::AnthropicMessages, &conversation().messages).body;
    assert_eq!(body["messages"][1]["content"][1]["tool_use_id"], "c2");
    assert_eq!(body.get("system"), None);
    let body = asked(CountApi::OpenAiResponses, &conversation().messages).body;
    assert_eq!(body["input"][4]["type"], "function_call_output");
}

#[test]
fn a_request_that_stands_already_is_counted_without_what_has_no_size() {
    let settings = r#""max_tokens": 9, "max_output_tokens": 9, "stream": true, "store": false, "temperature": 1,
        "model": "another", "tools": [{"name": "measure"}]"#;
    let cases = [
        (CountApi::AnthropicMessages, r#""messages": [], "system": "s""#),
        (CountApi::OpenAiResponses, r#""input": "how tall?", "instructions": "s""#),
        (CountApi::GeminiContents, r#""contents": [], "systemInstruction": {"parts": []}"#),
    ];
    for (api, said) in cases {
        let server = Server::once(reply(200, &counted(api, "12")));
        let request = format!("{{{said}, {settings}}}");
        assert_eq!(block_on(server.counter(api).count_request(&request)), Ok(12), "{api:?}");
        let mut body = server.asked().body;
        let mut model = "model-1";
        if api == CountApi::GeminiContents {
            (body, model) = (body["generateContentRequest"].take(), "models/model-1");
        }
        let mut expected: serde_json::Value = serde_json::from_str(&format!("{{{said}}}")).unwrap();
        expected["tools"] = json!([{"name": "measure"}]);
        expected["model"] = json!(model);
        assert_eq!(body, expected, "{api:?}");
    }
}

#[test]
fn what_is_no_request_is_refused_before_anything_is_sent() {
    for text in ["", "[]", "\"messages\"", "{\"messages\": "] {
        for api in ALL {
            let server = Server::answering(Vec::new());
            let refused = block_on(server.counter(api).count_request(text)).unwrap_err();
            assert_eq!(refused.error, ModelError::Unsupported { part: "request" }, "{text}");
        }
    }
}

#[test]
fn nothing_said_is_nothing_to_count() {
    let system = &request().messages[..1];
    for api in ALL {
        assert_eq!(block_on(Server::answering(Vec::new()).counter(api).count(&[])), Ok(None));
    }
    for api in [CountApi::AnthropicMessages, CountApi::GeminiContents] {
        assert_eq!(block_on(Server::answering(Vec::new()).counter(api).count(system)), Ok(None));
    }
}

#[test]
fn a_file_cannot_be_counted() {
    let json = r#"{"role":"user","content":[{"type":"file","attachment":{"type":"cayu.file_attachment.v1",
        "artifact_id":"a","kind":"image","filename":"p.png","content_type":"image/png","size_bytes":9,"metadata":{}}}]}"#;
    let message: Message = serde_json::from_str(json).unwrap();
    for api in ALL {
        let refused =
            block_on(Server::answering(Vec::new()).counter(api).count(core::slice::from_ref(&message)));
        assert_eq!(refused.unwrap_err().error, ModelError::Unsupported { part: "file" });
    }
}

#[test]
fn models_of_gemini_stand_in_the_address() {
    let server = Server::once(reply(200, r#"{"totalTokens": 3}"#));
    let tuned =
        HttpCounter::new(CountApi::GeminiContents, "tunedModels/poles-1", Arc::new(UreqTransport::new()));
    let tuned = tuned.with_base_url(&format!("http://{}/v1", server.address));
    assert_eq!(block_on(tuned.count(&request().messages)), Ok(Some(3)));
    let asked = server.asked();
    assert!(asked.head.starts_with("POST /v1/tunedModels/poles-1:countTokens "), "{}", asked.head);
    assert_eq!(asked.body["generateContentRequest"]["model"], "tunedModels/poles-1");
    assert_eq!(asked.header("x-goog-api-key"), None);
}

#[test]
fn a_tool_needs_no_more_than_its_name() {
    let server = Server::once(reply(200, r#"{"totalTokens": 3}"#));
    let counter = server.counter(CountApi::GeminiContents).with_tools(vec![object(r#"{"name":"look"}"#)]);
    block_on(counter.count(&request().messages)).unwrap();
    let body = server.asked().body;
    assert_eq!(body["generateContentRequest"]["tools"][0]["functionDeclarations"], json!([{"name": "look"}]));
}
