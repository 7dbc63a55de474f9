//! Signed reasoning behind a change: kept, stripped or dropped, and said so.

use cutctx_formats::{NoteKind, SignedReasoning};
use serde_json::{Value, json};

use crate::{notes, read, without};

use NoteKind::{SignedReasoningDropped, SignedReasoningKept, SignedReasoningStripped};
use SignedReasoning::{Drop, Keep, Strip};

/// Three questions; each answer is reasoning, then text. The first one has an exchange of its own in the middle.
fn anthropic() -> String {
    let thinking = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "c2ln"});
    let text = |text: &str| json!({"type": "text", "text": text});
    json!({"model": "m", "max_tokens": 9, "tools": [{"name": "f", "input_schema": {}}], "messages": [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": [thinking("t1"), {"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "a result"}]},
        {"role": "assistant", "content": [thinking("t2"), text("first")]},
        {"role": "user", "content": "two"},
        {"role": "assistant", "content": [thinking("t3"), text("second")]},
        {"role": "user", "content": "three"},
        {"role": "assistant", "content": [thinking("t4"), {"type": "tool_use", "id": "d", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "d", "content": "another"}]},
    ]})
    .to_string()
}

/// What is said in the blocks of reasoning that stay.
fn left(text: &str, key: &str) -> Vec<String> {
    fn collect(value: &Value, key: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| match value {
                Value::String(text) if name == key => found.push(text.clone()),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_)
                | Value::Object(_) => collect(value, key, found),
            }),
            Value::Array(elements) => elements.iter().for_each(|element| collect(element, key, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = Vec::new();
    for line in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        collect(&line.unwrap(), key, &mut found);
    }
    found
}

#[test]
fn it_is_kept_and_counted_behind_the_change() {
    let session = read(anthropic());
    let rendered = without(&session, &[3], Keep);
    assert_eq!(left(&rendered.to_text(), "thinking"), ["t1", "t3", "t4"]);
    assert_eq!(notes(&rendered), [(SignedReasoningKept, 2, 1, None)]);
    let request = vec![cutctx_formats::Fate::Kept; session.transcript().turns().len()];
    assert!(session.render(&request, &[]).unwrap().notes().is_empty());
}

#[test]
fn it_goes_by_whole_turns_of_the_conversation_but_for_the_last_one() {
    let session = read(anthropic());
    for (rule, kind) in [(Strip, SignedReasoningStripped), (Drop, SignedReasoningDropped)] {
        // The first thing that goes is the last answer of the first turn: `t1` is of the same turn.
        let rendered = without(&session, &[3], rule);
        assert_eq!(left(&rendered.to_text(), "thinking"), ["t4"], "{rule}");
        assert_eq!(notes(&rendered), [(SignedReasoningKept, 1, 1, None), (kind, 2, 1, None)]);
        assert!(read(rendered.to_text()).violations().is_empty());

        let rendered = without(&session, &[4, 5], rule);
        assert_eq!(
            left(&rendered.to_text(), "thinking"),
            ["t4"],
            "the answers of one turn touch now: {rule}"
        );
        let rendered = without(&session, &[5], rule);
        assert_eq!(left(&rendered.to_text(), "thinking"), ["t1", "t2", "t4"], "{rule}");
    }
}

#[test]
fn a_turn_that_is_nothing_but_reasoning_keeps_it() {
    let session = read(
        json!({"model": "m", "max_tokens": 9, "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "answer"},
            {"role": "user", "content": "two"},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t1", "signature": "c2ln"}]},
            {"role": "user", "content": "three"},
        ]})
        .to_string(),
    );
    let rendered = without(&session, &[1], Drop);
    assert_eq!(left(&rendered.to_text(), "thinking"), ["t1"]);
    assert_eq!(notes(&rendered), [(SignedReasoningKept, 1, 1, None)]);
}

#[test]
fn a_signature_alone_goes_where_the_format_knows_text_without_one() {
    let session = read(
        json!({"contents": [
            {"role": "user", "parts": [{"text": "one"}]},
            {"role": "model", "parts": [{"text": "first"}]},
            {"role": "user", "parts": [{"text": "two"}]},
            {"role": "model", "parts": [{"text": "mused", "thought": true}, {"text": "second", "thoughtSignature": "c2ln"}]},
            {"role": "user", "parts": [{"text": "three"}]},
            {"role": "model", "parts": [{"text": "third", "thoughtSignature": "bGFzdA=="}]},
        ]})
        .to_string(),
    );
    let (first, thoughts) = (1, ["first", "mused", "second", "three", "third"]);
    assert!(thoughts.iter().all(|text| session.text().contains(text)));
    let stripped = without(&session, &[first], Strip).to_text();
    assert_eq!(left(&stripped, "thoughtSignature"), ["bGFzdA=="]);
    assert!(stripped.contains("mused") && stripped.contains("second"));
    let dropped = without(&session, &[first], Drop).to_text();
    assert_eq!(left(&dropped, "thoughtSignature"), ["bGFzdA=="]);
    assert!(!dropped.contains("mused") && dropped.contains("second"));
}

#[test]
fn lines_of_a_session_file_go_with_their_reasoning_and_links_stay_whole() {
    let line = |name: &str, parent: &str, role: &str, block: Value| {
        json!({"type": role, "uuid": name, "parentUuid": parent, "message":
            {"role": role, "id": name.trim_end_matches(char::is_numeric), "content": [block]}})
        .to_string()
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    let thinking = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "c2ln"});
    let lines = [
        line("ua1", "none", "user", text("one")),
        line("aa1", "ua1", "assistant", text("first")),
        line("ub1", "aa1", "user", text("two")),
        line("ab1", "ub1", "assistant", thinking("t1")),
        line("ab2", "ab1", "assistant", text("second")),
        line("uc1", "ab2", "user", text("three")),
        line("ac1", "uc1", "assistant", thinking("t2")),
        line("ac2", "ac1", "assistant", text("third")),
    ];
    let session = read(lines.join("\n") + "\n");
    assert_eq!(session.transcript().turns().len(), 6);
    let rendered = without(&session, &[1], Drop);
    let text = rendered.to_text();
    assert_eq!(left(&text, "thinking"), ["t2"]);
    assert_eq!(left(&text, "parentUuid"), ["none", "ua1", "ub1", "ab2", "uc1", "ac1"]);
    let kinds: Vec<NoteKind> = rendered.notes().iter().map(|note| note.kind).collect();
    assert_eq!(kinds, [SignedReasoningKept, SignedReasoningDropped, NoteKind::LinksRewritten]);
    assert_eq!(left(&without(&session, &[1], Keep).to_text(), "thinking"), ["t1", "t2"]);
}
