//! What counts as context.

use cutctx_formats::{ReadRequest, Session};
use cutctx_types::{CharRatioEstimator, PartKind};

use crate::examples::{example, outline};
use crate::laws::read;

fn contents(session: &Session) -> Vec<&str> {
    session.transcript().turns().iter().map(|turn| turn.content().as_ref()).collect()
}

fn says(session: &Session, words: &str) -> bool {
    contents(session).iter().any(|content| content.contains(words))
}

#[test]
fn what_the_tools_do_not_send_is_no_turn() {
    let absent = [
        ("pi.jsonl", "I start with"),
        ("pi.jsonl", "On the other branch"),
        ("gemini-cli.json", "/memory"),
        ("gemini-cli.json", "Read both files."),
        ("gemini-cli.json", "shown to the person"),
        ("gemini-cli.jsonl", "I will guess."),
        ("gemini-cli.jsonl", "Never mind."),
        ("opencode.json", "Called the Read tool"),
        ("opencode.json", "I was"),
        ("opencode.json", "9f2c1d7"),
        ("qwen-code.jsonl", "A discarded answer."),
        ("qwen-code.jsonl", "Where are the thresholds?"),
        ("copilot-cli.jsonl", "I do not know yet."),
        ("kimi-cli.jsonl", "A low dam."),
        ("kimi-cli.jsonl", "Wrong, look again."),
        ("antigravity.jsonl", "A weir with gates."),
        ("happy-trace.json", "A side chain."),
        ("goose.jsonl", "An old question."),
    ];
    for (name, words) in absent {
        assert!(example(name).contains(words), "{name}: {words}");
        assert!(!says(&read(example(name)), words), "{name}: {words}");
    }
}

#[test]
fn what_stands_for_an_earlier_compaction_is_a_turn() {
    let present = [
        ("pi.jsonl", "Gate 2 opens late;"),
        ("opencode.json", "We read night.log:"),
        ("qwen-code.jsonl", "The thresholds of the weir are in gates.py."),
        ("copilot-cli.jsonl", "The person asked whether the weir is safe."),
        ("kimi-cli.jsonl", "So far: a weir was explained."),
        ("antigravity.jsonl", "# Earlier"),
    ];
    for (name, words) in present {
        assert!(says(&read(example(name)), words), "{name}: {words}");
    }
}

#[test]
fn signed_reasoning_is_opaque() {
    for name in [
        "pi.jsonl",
        "opencode.json",
        "droid.jsonl",
        "copilot-cli.jsonl",
        "hermes.json",
        "goose.jsonl",
        "cline.json",
    ] {
        let session = read(example(name));
        let opaque = session
            .transcript()
            .turns()
            .iter()
            .flat_map(|turn| turn.parts().iter().filter(|part| part.kind == PartKind::OpaqueReasoning));
        assert!(opaque.count() > 0, "{name}");
    }
}

#[test]
fn pi_of_the_first_version_is_read_from_top_to_bottom() {
    let file = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/"}
{"type":"message","timestamp":"t","message":{"role":"user","content":"old"}}
{"type":"message","timestamp":"t","message":{"role":"user","content":"kept"}}
{"type":"compaction","timestamp":"t","summary":"what was","firstKeptEntryIndex":2,"tokensBefore":9}
{"type":"message","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}],"stopReason":"error"}}
{"type":"message","timestamp":"t","message":{"role":"toolResult","toolCallId":"c","toolName":"ls","content":[],"isError":true}}
{"type":"message","timestamp":"t","message":{"role":"user","content":"new"}}
"#;
    let session = read(file);
    assert_eq!(contents(&session), ["what was", "kept", "", "new"]);
    assert_eq!(session.transcript().turns()[2].tool_call_id(), None, "its call is never sent");
}

#[test]
fn a_branch_that_names_calls_instead_of_entries_is_followed() {
    let file = r#"{"type":"session","id":"s","version":3,"timestamp":"t","cwd":"/"}
{"type":"message","id":"m1","parentId":"s","timestamp":"t","message":{"role":"user","content":"list"}}
{"type":"message","id":"m2","parentId":"m1","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"ls","arguments":{}}]}}
{"type":"message","id":"m3","parentId":"c1","timestamp":"t","message":{"role":"toolResult","toolCallId":"c1","toolName":"ls","content":"a b","isError":false}}
"#;
    assert_eq!(outline(&read(file)), "Uat");
}

#[test]
fn a_message_set_as_a_list_is_the_whole_chat() {
    let file = r#"{"sessionId":"s","projectHash":"p"}
{"id":"1","type":"user","content":"gone"}
{"$set":{"messages":[{"id":"2","type":"user","content":"here"},{"id":"3","type":"gemini","content":"yes"}]}}
"#;
    assert_eq!(contents(&read(file)), ["here", "yes"]);
    let all_taken_back = "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n{\"id\":\"1\",\"type\":\"user\",\"content\":\"a\"}\n{\"$rewindTo\":\"?\"}\n{\"id\":\"2\",\"type\":\"user\",\"content\":\"b\"}\n";
    assert_eq!(contents(&read(all_taken_back)), ["b"]);
}

#[test]
fn the_output_stream_of_the_gemini_cli_is_put_together() {
    let file = r#"{"type":"init","timestamp":"t","session_id":"s","model":"m"}
{"type":"message","timestamp":"t","role":"user","content":"go"}
{"type":"message","timestamp":"t","role":"assistant","content":"I ","delta":true}
{"type":"message","timestamp":"t","role":"assistant","content":"look.","delta":true}
{"type":"tool_use","timestamp":"t","tool_name":"ls","tool_id":"x","parameters":{"path":"."}}
{"type":"tool_result","timestamp":"t","tool_id":"x","status":"error","error":{"type":"e","message":"no such folder"}}
{"type":"tool_use","timestamp":"t","tool_name":"ls","tool_id":"y","parameters":{}}
"#;
    let session = read(file);
    assert_eq!(outline(&session), "UatA");
    assert_eq!(contents(&session)[1], "I look.[call ls {\"path\":\".\"}]");
    assert_eq!(contents(&session)[2], "no such folder");
}

#[test]
fn sessions_of_a_storage_are_conversations() {
    let message = |session: &str, id: &str, role: &str| {
        format!("{{\n\"id\":\"{id}\",\"sessionID\":\"{session}\",\"role\":\"{role}\"\n}}\n")
    };
    let part = |session: &str, id: &str, text: &str| {
        format!(
            "{{\"id\":\"p{id}\",\"messageID\":\"{id}\",\"sessionID\":\"{session}\",\"type\":\"text\",\"text\":\"{text}\"}}\n"
        )
    };
    let file = [
        message("s1", "m2", "assistant"),
        part("s1", "m1", "one"),
        message("s2", "m3", "user"),
        part("s1", "m2", "two"),
        message("s1", "m1", "user"),
        part("s2", "m3", "three"),
    ]
    .concat();
    let estimator = CharRatioEstimator::default();
    let nth = |conversation: usize| {
        let request = ReadRequest::new(&estimator).of_conversation(conversation);
        Session::read_with(None, file.as_str(), &request).unwrap()
    };
    assert_eq!(contents(&nth(0)), ["one", "two"], "in the order of ids");
    assert_eq!(contents(&nth(1)), ["three"]);
}

#[test]
fn what_is_no_session_is_named() {
    let cases = [
        (
            r#"{"method":"generateContent","response":{}}"#,
            "recorded responses of a model to the Gemini CLI's tests, which is no session",
        ),
        (
            r#"{"session_summary":"x","chat_format_version":1}"#,
            "the summary of a Grok session, whose messages are in other files, which is no session",
        ),
        (
            r#"[{"role":"user","content_json":"[]"}]"#,
            "rows of Goose's database, with JSON inside of text; not supported yet",
        ),
        (
            r#"[{"id":"1","message_id":"m","session_id":"s","data":"{}"}]"#,
            "rows of opencode's database, with JSON inside of text; not supported yet",
        ),
        (
            r#"[{"seq":1,"localId":null,"content":{}}, {"#,
            "incomplete JSON at byte 40; it looks like a trace of Happy, an app for Claude Code",
        ),
    ];
    for (text, words) in cases {
        let error = Session::read(text, &CharRatioEstimator::default()).unwrap_err().to_string();
        assert!(error.ends_with(words), "{error}");
    }
}
