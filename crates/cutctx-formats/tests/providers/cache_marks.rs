//! Anthropic's cache marks when their blocks go.

use cutctx_formats::{Fate, Session};
use cutctx_types::{KeptPart, Trim};
use serde_json::{Value, json};

use crate::laws::read;

fn marked(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn session(messages: &Value) -> Session {
    read(
        json!({"model": "claude-x", "max_tokens": 9, "system": "s", "tools": [], "messages": messages})
            .to_string(),
    )
}

fn edited(session: &Session, fates: &[Fate<'_>]) -> Value {
    let written = session.render(fates, &[]).unwrap().to_text();
    let session = read(written.clone());
    assert!(session.violations().is_empty(), "{written}");
    serde_json::from_str::<Value>(&written).unwrap()["messages"].clone()
}

fn round(mark_text: bool) -> Session {
    let said = if mark_text { marked(text("t")) } else { text("t") };
    session(&json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": [said, {"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [marked(json!({"type": "tool_result", "tool_use_id": "a", "content": "r"}))]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "h", "signature": "c2ln"}, text("v")]},
        {"role": "user", "content": [marked(text("w"))]},
    ]))
}

#[test]
fn a_mark_moves_to_the_nearest_block_before_that_stays() {
    let (kept, gone) = (Fate::Kept, Fate::Dropped);
    let output = edited(&round(false), &[kept, kept, gone, gone, kept, kept]);
    assert_eq!(output[0]["content"], json!([marked(text("u"))]), "a lone string becomes a block");
    assert_eq!(output[2]["content"], json!([marked(text("w"))]));
    let session = session(&json!([
        {"role": "user", "content": [text("u")]}, {"role": "assistant", "content": [marked(text("v"))]}, {"role": "user", "content": "w"},
    ]));
    let output = edited(&session, &[kept, kept, gone, kept]);
    assert_eq!(output[0]["content"], json!([marked(text("u"))]));
}

#[test]
fn a_mark_that_would_meet_another_one_is_one_with_it() {
    let (kept, gone) = (Fate::Kept, Fate::Dropped);
    let output = edited(&round(true), &[kept, kept, gone, gone, kept, kept]);
    assert_eq!(output.to_string().matches("cache_control").count(), 2);
}

#[test]
fn thinking_takes_no_mark() {
    let session = session(&json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": [text("t"), {"type": "thinking", "thinking": "h", "signature": "c2ln"}, marked(json!({"type": "image", "source": {"type": "url", "url": "x"}}))]},
        {"role": "user", "content": "w"},
    ]));
    let turn = &session.transcript().turns()[2];
    let trim =
        Trim::new(vec![KeptPart::new(0, vec![0..1]), KeptPart::new(1, vec![1..turn.parts()[1].end])], 1);
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Trimmed(&trim), Fate::Kept]);
    assert_eq!(output[1]["content"][0], marked(text("t")));
}

#[test]
fn a_mark_inside_of_a_result_moves_to_the_result() {
    let inner = json!([text("one"), marked(text("two"))]);
    let session = session(&json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": inner}]},
    ]));
    let output = edited(&session, &[Fate::Kept, Fate::Kept, Fate::Kept, Fate::Masked("[gone]")]);
    let wanted = marked(json!({"type": "tool_result", "tool_use_id": "a", "content": "[gone]"}));
    assert_eq!(output[2]["content"], json!([wanted]));
}
