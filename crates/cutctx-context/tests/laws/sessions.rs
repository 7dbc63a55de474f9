//! Sessions that are made up.

use cutctx_context::Session;
use cutctx_messages::{DurableObject, Message, MessagePart, TextPart, ToolCallPart, ToolResultPart};
use cutctx_types::Role;
use proptest::prelude::*;

pub(crate) fn session() -> Session {
    Session::new("sess-1", "agent").unwrap()
}

pub(crate) fn says(role: Role, text: &str) -> Message {
    Message::new(role, vec![TextPart::new(text).unwrap().into()]).unwrap()
}

/// A round of calls of a tool, and their results.
pub(crate) fn round(id: usize, results: &[&str]) -> [Message; 2] {
    let ids = |at: usize| format!("call_{id}_{at}");
    let path: DurableObject = serde_json::from_str(&format!(r#"{{"path": "src/part_{id}.rs"}}"#)).unwrap();
    let calls: Vec<MessagePart> = (0..results.len())
        .map(|at| ToolCallPart::new(ids(at), "read", path.clone()).unwrap().into())
        .collect();
    let given: Vec<MessagePart> = results
        .iter()
        .enumerate()
        .map(|(at, text)| ToolResultPart::new(ids(at), "read", *text).unwrap().into())
        .collect();
    [Message::new(Role::Assistant, calls).unwrap(), Message::new(Role::Tool, given).unwrap()]
}

/// One thing that happens in a session.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Asks(usize),
    Says(usize),
    Reads(Vec<usize>),
}

/// Text of so many characters.
pub(crate) fn text(seed: usize, chars: usize) -> String {
    const WORDS: [&str; 8] = ["fence", "paint", "plank", "north", "gate", "märz", "東京", "nail"];
    let mut text = format!("{seed}:");
    let mut at = seed;
    while text.chars().count() < chars.max(3) {
        text.push(' ');
        text.push_str(WORDS[at & 7]);
        at = at.wrapping_mul(31).wrapping_add(7);
    }
    text
}

/// The messages of a session with a system message and a task.
pub(crate) fn messages(events: &[Event]) -> Vec<Message> {
    let mut messages = vec![says(Role::System, "be brief"), says(Role::User, "paint the fence")];
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Asks(chars) => messages.push(says(Role::User, &text(at, *chars))),
            Event::Says(chars) => messages.push(says(Role::Assistant, &text(at, *chars))),
            Event::Reads(sizes) => {
                let texts: Vec<String> = sizes.iter().map(|chars| text(at, *chars)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                messages.extend(round(at, &texts));
            }
        }
    }
    messages
}

pub(crate) fn events(most: usize) -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        (1..200_usize).prop_map(Event::Asks),
        (1..600_usize).prop_map(Event::Says),
        prop::collection::vec(0..2_000_usize, 1..3).prop_map(Event::Reads),
    ];
    prop::collection::vec(event, 0..most)
}
