//! What answers say.

use cutctx_models::http::Api;
use cutctx_models::{FinishReason, ModelError, TokenUsage};

use crate::server::{Server, json};

fn usage(uncached_input: u64, cached_input: u64, cache_write: u64, output: u64) -> TokenUsage {
    let mut usage = TokenUsage::new(uncached_input, output);
    (usage.cached_input, usage.cache_write) = (cached_input, cache_write);
    usage
}

#[test]
fn chat_completions() {
    let answer = r#"{"id":"x","model":"model-1-0711","choices":[{"index":0,"finish_reason":"stop",
        "message":{"role":"assistant","content":"A \"pole\"\n4 m","refusal":null}}],
        "usage":{"prompt_tokens":30,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":20}}}"#;
    let completion = Server::once(json(200, answer)).ask(Api::OpenAiChat).unwrap();
    assert_eq!(completion.text, "A \"pole\"\n4 m");
    assert_eq!((completion.finish, completion.completed), (Some(FinishReason::Stop), Some(true)));
    assert_eq!(completion.usage, Some(usage(10, 20, 0, 5)));
    assert_eq!(completion.model.as_deref(), Some("model-1-0711"));
    assert!(!completion.called_tool);
}

#[test]
fn a_local_server_that_says_less() {
    let answer = r#"{"choices":[{"message":{"content":"4 m"}}]}"#;
    let completion = Server::once(json(200, answer)).ask(Api::OpenAiChat).unwrap();
    assert_eq!((completion.text.as_str(), completion.finish), ("4 m", None));
    assert_eq!((completion.usage, completion.completed), (None, None));
}

#[test]
fn calls_are_told_in_all_interfaces() {
    let chat = r#"{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"id":"c"}]}}]}"#;
    let responses = r#"{"status":"completed","output":[{"type":"function_call","name":"x"}]}"#;
    let messages = r#"{"content":[{"type":"tool_use","id":"c"}],"stop_reason":"tool_use"}"#;
    let cases =
        [(Api::OpenAiChat, chat), (Api::OpenAiResponses, responses), (Api::AnthropicMessages, messages)];
    for (api, answer) in cases {
        let completion = Server::once(json(200, answer)).ask(api).unwrap();
        assert!(completion.called_tool && completion.text.is_empty(), "{api:?}");
    }
}

#[test]
fn responses() {
    let answer = r#"{"model":"m","status":"completed","error":null,"incomplete_details":null,"output":[
        {"type":"reasoning","summary":[],"content":null},
        {"type":"message","content":[{"type":"output_text","text":"4 "},{"type":"output_text","text":"m"}]}],
        "usage":{"input_tokens":12,"input_tokens_details":{"cached_tokens":4},"output_tokens":3}}"#;
    let completion = Server::once(json(200, answer)).ask(Api::OpenAiResponses).unwrap();
    assert_eq!(completion.text, "4 m");
    assert_eq!((completion.finish, completion.completed), (Some(FinishReason::Stop), Some(true)));
    assert_eq!(completion.usage, Some(usage(8, 4, 0, 3)));
}

#[test]
fn a_response_that_is_cut_short() {
    let answer = r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}"#;
    let completion = Server::once(json(200, answer)).ask(Api::OpenAiResponses).unwrap();
    assert_eq!((completion.finish, completion.completed), (Some(FinishReason::Length), Some(false)));
}

#[test]
fn a_response_that_failed_with_status_200() {
    let answer = r#"{"status":"failed","error":{"code":"rate_limit_exceeded","message":"no"},"output":[]}"#;
    let failed = Server::once(json(200, answer)).ask(Api::OpenAiResponses).unwrap_err();
    assert_eq!(failed.error, ModelError::RateLimited { retry_after: None });
}

#[test]
fn anthropic_messages() {
    let answer = r#"{"model":"m","stop_reason":"end_turn","content":[{"type":"thinking","thinking":"hm"},
        {"type":"text","text":"4 m"}],"usage":{"input_tokens":5,"cache_read_input_tokens":7,
        "cache_creation_input_tokens":9,"output_tokens":3}}"#;
    let completion = Server::once(json(200, answer)).ask(Api::AnthropicMessages).unwrap();
    assert_eq!((completion.text.as_str(), completion.finish), ("4 m", Some(FinishReason::Stop)));
    assert_eq!(completion.usage, Some(usage(5, 7, 9, 3)));
    assert_eq!(completion.usage.unwrap().input(), 21);
}

#[test]
fn a_window_that_was_exceeded_while_writing_keeps_its_cost() {
    let answer = r#"{"stop_reason":"model_context_window_exceeded","content":[],"usage":{"input_tokens":5,"output_tokens":3}}"#;
    let failed = Server::once(json(200, answer)).ask(Api::AnthropicMessages).unwrap_err();
    assert_eq!((failed.error, failed.usage), (ModelError::Overflow, Some(TokenUsage::new(5, 3))));
}

#[test]
fn refusals_are_no_summaries() {
    let chat = r#"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"no"}}]}"#;
    let messages = r#"{"content":[],"stop_reason":"refusal"}"#;
    for (api, answer) in [(Api::OpenAiChat, chat), (Api::AnthropicMessages, messages)] {
        let completion = Server::once(json(200, answer)).ask(api).unwrap();
        assert_eq!(completion.finish, Some(FinishReason::Refusal), "{api:?}");
    }
}
