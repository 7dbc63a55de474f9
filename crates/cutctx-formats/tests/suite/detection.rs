//! Formats are recognised by content.

use cutctx_formats::{Format, FormatError, Session, format_named, formats};
use cutctx_types::CharRatioEstimator;

fn detected(text: &str) -> Result<&'static str, FormatError> {
    Session::read(text, &CharRatioEstimator::default()).map(|session| session.format().name())
}

#[test]
fn marks_decide_between_the_two_chat_formats() {
    let cases = [
        (r#"[{"role":"user","content":"a"}]"#, "openai-chat"),
        (
            r#"{"model":"gpt","max_tokens":5,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}"#,
            "openai-chat",
        ),
        (
            r#"{"model":"claude-x","max_tokens":5,"messages":[{"role":"user","content":"a"}]}"#,
            "anthropic-messages",
        ),
        (r#"{"system":"s","messages":[{"role":"user","content":"a"}]}"#, "anthropic-messages"),
        (r#"{"model":"claude-x","messages":[{"role":"developer","content":"a"}]}"#, "openai-chat"),
        (
            r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"n","input":{}}]}]"#,
            "anthropic-messages",
        ),
        (r#"{"role":"user","content":"a"}"#, "openai-chat"),
        (r#"{"messages":[]}"#, "openai-chat"),
        (r#"{"turns":[]}"#, "native"),
        (r#"[{"turn_id":"t","role":"tool","content":"c","token_estimate":1,"tool_call_id":"x"}]"#, "native"),
    ];
    for (text, wanted) in cases {
        assert_eq!(detected(text).as_ref(), Ok(&wanted), "{text}");
    }
}

#[test]
fn refusals_say_what_the_file_looks_like() {
    let cases = [
        (
            r#"{"role":"user","content_json":"[]","created_timestamp":1}"#,
            "it looks like rows of Goose's database, with JSON inside of text; not supported yet",
        ),
        (
            r#"{"record_version":1,"plan":"{}"}"#,
            "it looks like CutCtx's own plan record, which is no session",
        ),
        (
            r#"{"messages_display":"user: a","reward":1}"#,
            "it looks like tau-bench conversations printed as text; not supported yet",
        ),
        (
            r#"{"task":"t","llm_interactions":[],"agent_steps":[]}"#,
            "it looks like a trajectory of Trae agent's Python edition; not supported yet",
        ),
    ];
    for (text, wanted) in cases {
        let error = detected(text).unwrap_err();
        assert!(error.to_string().starts_with("line 1: this is no session in a known format"), "{error}");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn shapes_that_are_not_read_are_refused_by_name() {
    let cases = [
        (
            r#"{"agent_type":"memgpt_agent","in_context_message_indices":[0],"messages":[{"role":"user","content":"u"}]}"#,
            "it looks like an agent file of an older Letta, which holds a single agent; not supported yet",
        ),
        (
            r#"{"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user","content":"u"},{"object":"response","output":[]}]}"#,
            "it looks like a trajectory of mini-swe-agent whose messages are items of the Responses API; not supported yet",
        ),
        (
            r#"{"name":"chat","attributes":{"gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"u"}}"#,
            "it looks like spans of OpenTelemetry whose messages are taken apart into attributes; not supported yet",
        ),
        (
            r#"{"spanContext":{},"attributes":[{"key":"llm.input_messages.0.message.role","value":{"stringValue":"user"}}]}"#,
            "it looks like spans of OpenTelemetry whose messages are taken apart into attributes; not supported yet",
        ),
    ];
    for (text, wanted) in cases {
        let error = Session::read(text, &CharRatioEstimator::default()).unwrap_err();
        assert!(error.to_string().ends_with(wanted), "{error}");
    }
}

#[test]
fn several_conversations_are_counted_and_refused() {
    let line = r#"{"messages":[{"role":"user","content":"a"}]}"#;
    for text in [format!("{line}\n{line}\n{line}"), format!("[{line},{line},{line}]")] {
        let error = detected(&text).unwrap_err();
        assert_eq!(error.to_string(), "line 1: the file holds 3 conversations; choose one of them");
    }
}

#[test]
fn every_format_is_found_by_its_name() {
    for format in formats() {
        assert_eq!(format_named(format.name()).map(Format::describe), Some(format.describe()));
    }
    assert!(format_named("no such format").is_none());
}
