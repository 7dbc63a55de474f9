//! Session lines for tests.

use serde_json::{Value, json};

use cutctx_formats::Session;
use cutctx_types::CharRatioEstimator;

/// Reads a session that must be readable.
pub(crate) fn session(file: &str) -> Session {
    Session::read(file.to_owned(), &CharRatioEstimator::default()).unwrap()
}

/// The texts of the turns.
pub(crate) fn contents(session: &Session) -> Vec<String> {
    session.transcript().turns().iter().map(|turn| turn.content().to_string()).collect()
}

fn parent(uuid: &str) -> Value {
    if uuid.is_empty() { Value::Null } else { json!(uuid) }
}

/// What a person says.
pub(crate) fn said(uuid: &str, after: &str, text: &str) -> String {
    json!({"parentUuid": parent(after), "isSidechain": false, "userType": "external", "cwd": "/srv/pump",
        "sessionId": "s-1", "version": "2.1.9", "type": "user", "uuid": uuid,
        "message": {"role": "user", "content": text}, "timestamp": "2026-03-01T08:00:00.000Z"})
    .to_string()
}

fn assistant(uuid: &str, after: &str, message: &str, block: &Value) -> String {
    json!({"parentUuid": parent(after), "isSidechain": false, "sessionId": "s-1", "type": "assistant", "uuid": uuid,
        "message": {"id": message, "type": "message", "role": "assistant", "model": "claude-x",
            "content": [block], "usage": {"output_tokens": 9}}})
    .to_string()
}

/// A line with a text block of an assistant message.
pub(crate) fn text(uuid: &str, after: &str, message: &str, text: &str) -> String {
    assistant(uuid, after, message, &json!({"type": "text", "text": text}))
}

/// A line with a signed thinking block.
pub(crate) fn thinking(uuid: &str, after: &str, message: &str, text: &str) -> String {
    assistant(uuid, after, message, &json!({"type": "thinking", "thinking": text, "signature": "c2lnbmVk"}))
}

/// A line with a call.
pub(crate) fn call(uuid: &str, after: &str, message: &str, id: &str, command: &str) -> String {
    assistant(
        uuid,
        after,
        message,
        &json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}),
    )
}

/// A line with a result.
pub(crate) fn result(uuid: &str, after: &str, id: &str, text: &str) -> String {
    json!({"parentUuid": parent(after), "isSidechain": false, "sessionId": "s-1", "type": "user", "uuid": uuid,
        "message": {"role": "user", "content": [{"tool_use_id": id, "type": "tool_result", "content": text}]},
        "toolUseResult": {"stdout": text}, "sourceToolAssistantUUID": parent(after)})
    .to_string()
}

/// Lines as a file.
pub(crate) fn file(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

/// The value of a field of the line with this id.
pub(crate) fn field(file: &str, uuid: &str, key: &str) -> Value {
    let lines = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found: Vec<Value> = lines.filter(|line| line.get("uuid") == Some(&json!(uuid))).collect();
    assert_eq!(found.len(), 1, "{uuid} should stand once");
    found[0].get(key).cloned().unwrap_or(Value::Null)
}
