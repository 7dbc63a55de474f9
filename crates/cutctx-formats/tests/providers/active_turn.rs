//! The turn that is still going on begins with its thinking, whatever comes to touch.

use cutctx_formats::Session;
use cutctx_types::TranscriptTurn;
use serde_json::{Value, json};

use crate::laws::{check_laws, read};

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "h", "signature": "c2ln"})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "f", "input": {}})
}

fn model(blocks: &[Value]) -> Value {
    json!({"role": "assistant", "content": blocks})
}

fn answer(id: &str) -> Value {
    json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "r"}]})
}

fn session(messages: &[Value]) -> Session {
    read(json!({"model": "claude-x", "max_tokens": 9, "tools": [], "messages": messages}).to_string())
}

fn pins(session: &Session) -> Vec<bool> {
    session.transcript().turns().iter().map(TranscriptTurn::pinned).collect()
}

#[test]
fn what_keeps_a_lone_text_from_later_thinking_stays() {
    let session = session(&[
        json!({"role": "user", "content": "u"}),
        model(&[thinking(), call("a")]),
        answer("a"),
        model(&[text("t")]),
        model(&[call("b")]),
        answer("b"),
        model(&[thinking(), text("v")]),
    ]);
    assert_eq!(session.violations(), []);
    assert_eq!(pins(&session), [true, true, false, false, false, true, false]);
    check_laws(&session, 0..200, "lone text");
}

#[test]
fn the_first_of_touching_messages_stays_where_thinking_comes_later() {
    let session = session(&[
        json!({"role": "user", "content": "u"}),
        model(&[thinking(), text("t")]),
        model(&[text("v")]),
        model(&[thinking(), text("w")]),
    ]);
    assert_eq!(session.violations(), []);
    assert_eq!(pins(&session), [true, true, false, false]);
    check_laws(&session, 0..200, "touching");
}

#[test]
fn reminders_stay_as_instructions_and_begin_no_task() {
    let reminder = "<system-reminder>be kind</system-reminder>";
    let session = session(&[
        json!({"role": "user", "content": reminder}),
        json!({"role": "user", "content": "u"}),
        model(&[text("t")]),
        json!({"role": "user", "content": "<bash-stdout>x</bash-stdout>"}),
        model(&[text("v")]),
        json!({"role": "user", "content": [text("w")]}),
        model(&[text("x")]),
        json!({"role": "user", "content": [text(reminder)]}),
    ]);
    assert_eq!(pins(&session), [true, true, false, false, false, true, false, true]);
}

#[test]
fn the_last_words_before_thinking_stay_also_when_a_harness_said_them() {
    let session = session(&[
        json!({"role": "user", "content": "u"}),
        model(&[text("t")]),
        json!({"role": "user", "content": "v"}),
        model(&[text("t")]),
        json!({"role": "user", "content": "<bash-stdout>x</bash-stdout>"}),
        model(&[thinking(), call("a")]),
        answer("a"),
    ]);
    assert_eq!(pins(&session), [true, false, true, false, true, false, false]);
    check_laws(&session, 0..100, "harness");
}
