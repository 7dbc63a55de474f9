//! What the chat completions API refuses.
//!
//! Rules: `unanswered_call` (the tool messages directly after an assistant message lack a result), `orphan_result`
//! (a tool message without such a call before it), `empty_message` (an assistant message without content and calls).

use alloc::string::String;
use alloc::vec::Vec;

use crate::raw::{Node, Object, Span};
use crate::violation::Violation;

pub(super) fn violations(messages: &[Span], text: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut open = Open::default();
    for (record, place) in messages.iter().enumerate() {
        let Ok(message) = Object::parse(place.of(text), place.start) else { continue };
        let offset = place.start;
        let role = message.owned("role").unwrap_or_default();
        if role == "tool" {
            if !open.answer(&message.string("tool_call_id").unwrap_or_default()) {
                found.push(Violation::new("orphan_result", record, offset));
            }
            continue;
        }
        open.close(&mut found);
        if role == "assistant" {
            open = Open { calls: call_ids(&message), answered: Vec::new(), record, offset };
            if open.calls.is_empty() && says_nothing(&message) {
                found.push(Violation::new("empty_message", record, offset));
            }
        }
    }
    open.close(&mut found);
    found
}

/// The calls of the assistant message before.
#[derive(Debug, Default)]
struct Open {
    calls: Vec<String>,
    answered: Vec<String>,
    record: usize,
    offset: usize,
}

impl Open {
    /// Notes a result; `false` when there is no such call.
    fn answer(&mut self, id: &str) -> bool {
        let known = self.calls.binary_search_by(|call| call.as_str().cmp(id)).is_ok();
        if known {
            self.answered.push(String::from(id));
        }
        known
    }

    fn close(&mut self, found: &mut Vec<Violation>) {
        self.answered.sort_unstable();
        let missing = self.calls.iter().filter(|call| self.answered.binary_search(call).is_err());
        found.extend(missing.map(|_| Violation::new("unanswered_call", self.record, self.offset)));
        self.calls.clear();
    }
}

fn call_ids(message: &Object<'_>) -> Vec<String> {
    let calls = message.get("tool_calls").and_then(|calls| calls.array().ok().flatten()).unwrap_or_default();
    let id = |call: &Node<'_>| call.object().ok()??.owned("id");
    let mut ids: Vec<String> = calls.iter().filter_map(id).collect();
    ids.sort_unstable();
    ids
}

fn says_nothing(message: &Object<'_>) -> bool {
    let content = message.get("content").is_none_or(|content| content.is_null());
    content
        && ["function_call", "refusal", "audio"]
            .iter()
            .all(|key| message.get(key).is_none_or(|field| field.is_null()))
}
