//! Servers in trouble while they count.

use alloc::sync::Arc;
use core::time::Duration;
use std::io::Write;
use std::thread;

use cutctx_context::{
    ContextRequest, DefaultContextPolicy, Session, UsageTriggeredContextPolicy, UsageTriggeredSettings,
};
use cutctx_models::http::{CountApi, HttpCounter, UreqTransport};
use cutctx_models::{ConnectionFault, ContextDriver, ModelError, RetryPolicy, TokenCounter, block_on};

use crate::server::{Reply, Server, assert_hangs_up, endless, json, raw, request, with_headers};

fn error(reply: Reply) -> ModelError {
    Server::once(reply).count(CountApi::AnthropicMessages).unwrap_err().error
}

#[test]
fn statuses_are_sorted_as_those_of_models_are() {
    let said = r#"{"error":{"type":"some_type","message":"pole 7"}}"#;
    let after = |seconds| Some(Duration::from_secs(seconds));
    let cases = [
        (json(400, said), ModelError::Refused { status: 400, reason: Some("some_type".into()) }),
        (json(401, said), ModelError::Authentication { status: 401 }),
        (json(413, said), ModelError::Overflow),
        (with_headers(429, "retry-after: 7\r\n", said), ModelError::RateLimited { retry_after: after(7) }),
        (json(500, said), ModelError::Server { status: 500 }),
        (with_headers(529, "", said), ModelError::Overloaded { status: 529, retry_after: None }),
    ];
    for (reply, expected) in cases {
        assert_eq!(error(reply), expected);
    }
}

#[test]
fn gemini_names_its_reasons_otherwise() {
    let said = r#"{"error":{"code":404,"message":"pole 7","status":"NOT_FOUND"}}"#;
    let failed = Server::once(json(404, said)).count(CountApi::GeminiContents).unwrap_err();
    assert_eq!(failed.error, ModelError::Refused { status: 404, reason: Some("NOT_FOUND".into()) });
    let said = r#"{"error":{"code":400,"status":"INVALID_ARGUMENT","message":
        "The input token count (9) exceeds the maximum number of tokens allowed (8)."}}"#;
    let failed = Server::once(json(400, said)).count(CountApi::GeminiContents).unwrap_err();
    assert_eq!(failed.error, ModelError::Overflow);
}

#[test]
fn numbers_that_count_no_tokens_are_malformed() {
    for number in ["-1", "1.5", "1e30", "18446744073709551616", "\"7\"", "null", "[7]", "true"] {
        for (api, name) in [
            (CountApi::AnthropicMessages, "input_tokens"),
            (CountApi::OpenAiResponses, "input_tokens"),
            (CountApi::GeminiContents, "totalTokens"),
        ] {
            let failed =
                Server::once(json(200, &format!("{{\"{name}\": {number}}}"))).count(api).unwrap_err();
            assert!(matches!(failed.error, ModelError::Malformed { .. }), "{number}: {failed:?}");
        }
    }
}

#[test]
fn answers_of_another_shape_are_malformed() {
    for body in ["", "nothing", "7", "[]", "{}", r#"{"tokens": 7}"#, r#"{"input_tokens": 7"#] {
        let error = error(json(200, body));
        assert!(matches!(error, ModelError::Malformed { .. }), "{body}: {error:?}");
    }
    assert!(matches!(error(raw(b"SMTP ready\r\n\r\n")), ModelError::Malformed { .. }));
}

/// What a policy that may ask remembers of a count, where it was asked for one.
fn remembered(server: &Server) -> Option<u64> {
    let settings = UsageTriggeredSettings {
        trigger_estimated_context_tokens: Some(1_000),
        verify_estimate_with_provider_count: true,
        provider_count_threshold_ratio: 0.001,
        ..UsageTriggeredSettings::default()
    };
    let policy =
        UsageTriggeredContextPolicy::new(Arc::new(DefaultContextPolicy::default()), settings).unwrap();
    let mut asked = ContextRequest::new(Session::new("s", "a").unwrap(), request().messages.to_vec());
    asked.can_count_input_tokens = true;
    let counter = server.counter(CountApi::AnthropicMessages);
    let built = ContextDriver::new().with_counter(&counter).build_blocking(&policy, asked, None).unwrap();
    assert_eq!(built.messages.len(), 2);
    server.asked();
    let checkpoint = serde_json::to_value(built.checkpoint?).unwrap();
    checkpoint["usage_triggered_context"]["provider_count_input_tokens"].as_u64()
}

#[test]
fn a_driver_answers_with_the_count_and_goes_on_without_one() {
    let count = |tokens: u64| json(200, &format!(r#"{{"input_tokens": {tokens}}}"#));
    assert_eq!(remembered(&Server::once(count(5_000))), Some(5_000));
    assert_eq!(remembered(&Server::once(count(7))), None);
    assert_eq!(remembered(&Server::once(json(200, "{}"))), None);
    // What no driver can hold is no count for it.
    assert_eq!(Server::once(count(u64::MAX)).count(CountApi::AnthropicMessages), Ok(Some(u64::MAX)));
    assert_eq!(remembered(&Server::once(count(u64::MAX))), None);
}

#[test]
fn an_answer_that_is_cut_is_a_broken_connection() {
    for cut in [b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"input_to".as_slice(), b""] {
        let error = error(raw(cut));
        assert!(matches!(error, ModelError::Connection { .. } | ModelError::Malformed { .. }), "{error:?}");
    }
}

#[test]
fn nobody_listens_or_the_address_is_none() {
    let server = Server::answering(Vec::new());
    thread::sleep(Duration::from_millis(50));
    let failed = server.count(CountApi::OpenAiResponses).unwrap_err();
    assert_eq!(failed.error, ModelError::Connection { fault: ConnectionFault::Unreachable });
    let address = ModelError::Connection { fault: ConnectionFault::Address };
    let nowhere = server.counter(CountApi::OpenAiResponses).with_base_url("no address");
    assert_eq!(block_on(nowhere.count(&request().messages)).unwrap_err().error, address);
    for model in ["a b", "a?key=b", "a#b", "a:b", "a%2Fb"] {
        let model = HttpCounter::new(CountApi::GeminiContents, model, Arc::new(UreqTransport::new()));
        assert_eq!(block_on(model.count(&request().messages)).unwrap_err().error, address);
    }
}

#[test]
fn a_slow_server_meets_the_time_limit() {
    let slow: Reply = Box::new(|stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n").unwrap();
        for _ in 0..100 {
            thread::sleep(Duration::from_millis(100));
            if stream.write_all(b" ").is_err() {
                break;
            }
        }
    });
    let server = Server::once(slow);
    let counter = server.counter(CountApi::GeminiContents).with_timeout(Duration::from_millis(400));
    assert_eq!(block_on(counter.count(&request().messages)).unwrap_err().error, ModelError::Timeout);
}

#[test]
fn a_counter_asks_again_where_it_is_told_to() {
    let replies = || vec![json(529, ""), json(500, ""), json(200, r#"{"input_tokens": 7}"#)];
    let retry = RetryPolicy::default().without_delay();
    let server = Server::answering(replies());
    let counter = server.counter(CountApi::AnthropicMessages).with_retry_policy(retry);
    assert_eq!(block_on(counter.count(&request().messages)), Ok(Some(7)));
    let bodies = [server.asked().body, server.asked().body, server.asked().body];
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    // Without that it asks once.
    let once = Server::answering(replies()).count(CountApi::AnthropicMessages).unwrap_err();
    assert_eq!(once.error, ModelError::Overloaded { status: 529, retry_after: None });
    // What cannot get better is not asked for again.
    let server = Server::answering(vec![json(401, ""), json(200, r#"{"input_tokens": 7}"#)]);
    let counter = server.counter(CountApi::AnthropicMessages).with_retry_policy(retry);
    let failed = block_on(counter.count(&request().messages)).unwrap_err();
    assert_eq!(failed.error, ModelError::Authentication { status: 401 });
}

#[test]
fn a_dropped_future_hangs_up() {
    let (endless, told) = endless();
    let server = Server::once(endless);
    let counter = server.counter(CountApi::AnthropicMessages).with_timeout(Duration::from_secs(60));
    let ask = request();
    assert_hangs_up(counter.count(&ask.messages), &server, &told);
}

#[test]
fn neither_key_nor_conversation_is_printed() {
    let server = Server::once(json(401, r#"{"error":{"message":"secret-key is wrong, you said pole 7"}}"#));
    let counter = server.counter(CountApi::OpenAiResponses);
    let failed = block_on(counter.count(&request().messages)).unwrap_err();
    for shown in [format!("{counter:?}"), format!("{failed:?}"), format!("{failed}")] {
        assert!(!shown.contains("secret-key") && !shown.contains("pole"), "{shown}");
    }
}
