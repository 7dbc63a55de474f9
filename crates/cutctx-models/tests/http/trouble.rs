//! Servers in trouble, and servers that make some.

use core::time::Duration;
use std::io::Write;
use std::thread;

use cutctx_models::http::{Api, CountApi};
use cutctx_models::{ConnectionFault, ModelError, SummaryModel, block_on};
use cutctx_types::Coded;

use crate::server::{Reply, Server, assert_hangs_up, endless, json, raw, request, with_headers};

fn error(reply: Reply) -> ModelError {
    Server::once(reply).ask(Api::OpenAiChat).unwrap_err().error
}

#[test]
fn statuses_are_sorted_by_what_helps() {
    let said = r#"{"error":{"type":"some_type","code":null,"message":"pole 7"}}"#;
    let refused = |status| ModelError::Refused { status, reason: Some("some_type".into()) };
    let after = |seconds| Some(Duration::from_secs(seconds));
    let cases = [
        (json(400, said), refused(400)),
        (json(401, said), ModelError::Authentication { status: 401 }),
        (json(403, said), ModelError::Authentication { status: 403 }),
        (json(404, said), refused(404)),
        (json(408, said), ModelError::Timeout),
        (json(413, said), ModelError::Overflow),
        (json(429, said), ModelError::RateLimited { retry_after: None }),
        (with_headers(429, "retry-after: 7\r\n", said), ModelError::RateLimited { retry_after: after(7) }),
        (json(500, said), ModelError::Server { status: 500 }),
        (json(502, "<html>"), ModelError::Server { status: 502 }),
        (
            with_headers(529, "Retry-After: 2\r\n", said),
            ModelError::Overloaded { status: 529, retry_after: after(2) },
        ),
        (json(503, ""), ModelError::Overloaded { status: 503, retry_after: None }),
    ];
    for (reply, expected) in cases {
        assert_eq!(error(reply), expected);
    }
}

#[test]
fn an_overflow_is_recognised_however_it_is_said() {
    let cases = [
        (400, r#"{"error":{"code":"context_length_exceeded","message":"x"}}"#),
        (400, r#"{"error":{"type":"exceed_context_size_error","code":400,"message":"x"}}"#),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210 tokens > 200"}}"#,
        ),
        (400, r#"{"error":{"message":"This model's maximum context length is 8 tokens","code":400}}"#),
        (
            400,
            r#"{"object":"error","message":"This model's maximum context length is 8 tokens. However, you requested 9","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (500, r#"{"error":"the request exceeds the available context size"}"#),
    ];
    for (status, body) in cases {
        assert_eq!(error(json(status, body)), ModelError::Overflow, "{body}");
    }
    assert_ne!(error(json(400, r#"{"error":{"message":"the pole is too long"}}"#)), ModelError::Overflow);
}

#[test]
fn a_server_in_between_may_answer_a_failure_as_a_success() {
    let limited = ModelError::RateLimited { retry_after: None };
    let unavailable = ModelError::Overloaded { status: 503, retry_after: None };
    let cases = [
        (r#"{"error":{"code":429,"message":"slow down"}}"#, limited.clone()),
        (
            r#"{"error":{"code":400,"message":"This model's maximum context length is 8 tokens"}}"#,
            ModelError::Overflow,
        ),
        (r#"{"error":{"code":503,"message":"pole 7"},"user_id":"x"}"#, unavailable),
        (r#"{"error":{"code":"rate_limit_exceeded"}}"#, limited),
    ];
    for (body, expected) in cases {
        for api in [Api::OpenAiChat, Api::AnthropicMessages] {
            assert_eq!(Server::once(json(200, body)).ask(api).unwrap_err().error, expected, "{body}");
        }
        let counted = Server::once(json(200, body)).count(CountApi::OpenAiResponses);
        assert_eq!(counted.unwrap_err().error, expected, "{body}");
    }
    for body in [r#"{"error":null}"#, r#"{"error":{"code":7}}"#, r#"{"error":"pole 7"}"#] {
        assert!(matches!(error(json(200, body)), ModelError::Malformed { .. }), "{body}");
    }
}

#[test]
fn a_quota_that_is_used_up_is_not_worth_a_retry() {
    let error = error(json(429, r#"{"error":{"code":"insufficient_quota"}}"#));
    assert_eq!(error.is_retryable(), Some(false));
}

#[test]
fn reasons_that_are_no_names_are_not_shown() {
    let shown = error(json(400, r#"{"error":{"type":"see pole 7\u001b[31m"}}"#));
    assert_eq!(shown, ModelError::Refused { status: 400, reason: None });
}

#[test]
fn malformed_answers() {
    for body in ["", "nothing", "[]", r#"{"choices":[]}"#, r#"{"choices":7}"#, "{\"choices\":[{\"message\":"]
    {
        let error = error(json(200, body));
        assert!(matches!(error, ModelError::Malformed { .. }), "{body}: {error:?}");
        assert_eq!(error.code().as_str(), "MODEL_ANSWER");
    }
    let error = error(raw(b"SMTP ready\r\n\r\n"));
    assert!(matches!(error, ModelError::Malformed { .. }), "{error:?}");
}

#[test]
fn an_answer_that_is_cut_is_a_broken_connection() {
    let cut = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\":[");
    let error = error(cut);
    assert!(matches!(error, ModelError::Connection { .. } | ModelError::Malformed { .. }), "{error:?}");
    let nothing = raw(b"");
    let error = self::error(nothing);
    assert!(matches!(error, ModelError::Connection { .. } | ModelError::Malformed { .. }), "{error:?}");
}

#[test]
fn nobody_listens() {
    let server = Server::answering(Vec::new());
    thread::sleep(Duration::from_millis(50));
    let error = server.ask(Api::OpenAiChat).unwrap_err().error;
    assert_eq!(error, ModelError::Connection { fault: ConnectionFault::Unreachable });
    assert_eq!(error.is_retryable(), Some(true));
}

#[test]
fn an_address_that_is_none() {
    let model = Server::answering(Vec::new()).model(Api::OpenAiChat).with_base_url("no address");
    let error = block_on(model.complete(&request())).unwrap_err().error;
    assert_eq!(error, ModelError::Connection { fault: ConnectionFault::Address });
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
    let model = Server::once(slow).model(Api::OpenAiChat).with_timeout(Duration::from_millis(400));
    let error = block_on(model.complete(&request())).unwrap_err().error;
    assert_eq!(error, ModelError::Timeout);
}

#[test]
fn an_answer_without_end_is_given_up() {
    let endless: Reply = Box::new(|stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").unwrap();
        let blank = vec![b' '; 65_536];
        while stream.write_all(&blank).is_ok() {}
    });
    assert!(matches!(error(endless), ModelError::TooLong { .. }));
}

#[test]
fn a_key_is_not_carried_to_where_a_redirect_points() {
    let elsewhere = Server::once(json(200, "{}"));
    let headers = format!("location: http://{}/v1/chat/completions\r\n", elsewhere.address);
    let error = error(with_headers(307, &headers, ""));
    assert_eq!(error, ModelError::Refused { status: 307, reason: None });
}

#[test]
fn a_dropped_future_hangs_up() {
    let (endless, told) = endless();
    let server = Server::once(endless);
    let model = server.model(Api::OpenAiChat).with_timeout(Duration::from_secs(60));
    let ask = request();
    assert_hangs_up(model.complete(&ask), &server, &told);
}

#[test]
fn neither_key_nor_conversation_is_printed() {
    let server =
        Server::once(json(401, r#"{"error":{"message":"key secret-key is wrong, you said pole 7"}}"#));
    let model = server.model(Api::OpenAiChat);
    let failed = block_on(model.complete(&request())).unwrap_err();
    for shown in [format!("{model:?}"), format!("{failed:?}"), format!("{failed}")] {
        assert!(!shown.contains("secret-key") && !shown.contains("pole"), "{shown}");
    }
}
