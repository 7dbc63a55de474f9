//! The messages of a conversation as the rules see them: who speaks, what kinds of parts, how they are paired. No text.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use cutctx_messages::{CallState, CallView, MessageView, PartView, ResultView};
use cutctx_types::Role;
use serde::de::IgnoredAny;

use crate::document::{Document, Shape};
use crate::raw::{Node, Object, Span};
use crate::request::{Observer, Seen};

/// A conversation with the file that it stands in.
#[derive(Debug)]
pub(super) struct Sent<'t> {
    pub(super) text: &'t str,
    /// The object that the file is: a request, or a log of one.
    pub(super) request: Option<Object<'t>>,
    /// Whether the file is JSON Lines.
    pub(super) is_lines: bool,
    /// The messages of the list; what stands outside of it, such as a system prompt, is left out.
    pub(super) messages: Vec<Message>,
}

/// One message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    /// Its first record.
    pub(super) span: Span,
    /// Its number in the list, from 0.
    pub(super) index: usize,
    pub(super) parts: Vec<Part>,
}

/// One part of a message.
#[derive(Debug)]
pub(super) enum Part {
    Text(Wording),
    /// Readable reasoning without a signature.
    Reasoning,
    /// Reasoning that is signed or encrypted.
    SignedReasoning,
    Call(CallFacts),
    Result(ResultFacts),
    /// The result of a tool that the provider ran.
    ServerResult,
    Medium,
}

/// What matters of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wording {
    pub(super) is_empty: bool,
    /// Nothing but white space, or nothing at all.
    pub(super) is_blank: bool,
    pub(super) ends_blank: bool,
}

/// What matters of a call.
#[derive(Debug)]
pub(super) struct CallFacts {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) server_side: bool,
    pub(super) arguments: Arguments,
    /// Whether the file says that the call was stopped.
    pub(super) is_aborted: bool,
    /// Whether the file says that its result may still come, or that none will.
    pub(super) is_pending: Option<bool>,
}

/// What a call's arguments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arguments {
    /// Nothing.
    Empty,
    /// A JSON object.
    Object,
    /// JSON of another kind.
    OtherJson,
    /// No JSON.
    Invalid,
}

/// What matters of a result.
#[derive(Debug)]
pub(super) struct ResultFacts {
    pub(super) id: String,
    pub(super) name: Option<String>,
    /// It has no content, not even an empty one.
    pub(super) has_no_content: bool,
    /// It is said to be a first word only.
    pub(super) is_provisional: bool,
    /// Whether a text part of it is empty.
    pub(super) has_empty_text: bool,
}

impl<'t> Sent<'t> {
    pub(super) fn new(document: &Document<'t>, heard: Vec<Message>) -> Self {
        let request = if let Shape::Object(object) = document.shape() { Some(object.clone()) } else { None };
        let is_lines = matches!(document.shape(), Shape::Lines);
        Self { text: document.text(), request, is_lines, messages: heard }
    }

    /// The object that a message's first record is.
    pub(super) fn record(&self, message: &Message) -> Option<Object<'t>> {
        Object::parse(message.span.of(self.text), message.span.start).ok()
    }

    /// The records from the first one of this message up to the first one of the next.
    pub(super) fn records(&self, index: usize) -> Vec<Node<'t>> {
        let Some(message) = self.messages.get(index) else { return Vec::new() };
        let next = self.messages.get(index.saturating_add(1)).map(|next| next.span.start);
        let end = next.map_or(self.text.len(), |next| next.max(message.span.end));
        let mut records = Vec::new();
        let mut place = message.span.start;
        while let Some(rest) = self.text.get(place..end) {
            let trimmed =
                rest.trim_start_matches(|character: char| character.is_whitespace() || character == ',');
            let start = end.saturating_sub(trimmed.len());
            let Some(record) = Node::leading(trimmed, start) else { break };
            place = record.end();
            records.push(record);
        }
        records
    }

    /// Whether the records are the messages themselves, so that what is sent is what stands in the file.
    pub(super) fn is_as_sent(&self) -> bool {
        let first = self.messages.first().and_then(|message| self.record(message));
        first.is_some_and(|record| record.has("role"))
    }
}

impl Message {
    pub(super) fn calls(&self) -> impl Iterator<Item = &CallFacts> {
        self.parts.iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }

    /// The calls that the client answers.
    pub(super) fn client_calls(&self) -> impl Iterator<Item = &CallFacts> {
        self.calls().filter(|call| !call.server_side)
    }

    pub(super) fn results(&self) -> impl Iterator<Item = &ResultFacts> {
        self.parts.iter().filter_map(|part| if let Part::Result(result) = part { Some(result) } else { None })
    }

    /// The results that are final.
    pub(super) fn answers(&self) -> impl Iterator<Item = &ResultFacts> {
        self.results().filter(|result| !result.is_provisional)
    }

    /// Whether the message is the model's.
    pub(super) fn is_models(&self) -> bool {
        self.role == Role::Assistant
    }

    /// Whether somebody says or shows something in it, beside results.
    pub(super) fn speaks(&self) -> bool {
        self.role == Role::User && self.parts.iter().any(|part| matches!(part, Part::Text(_) | Part::Medium))
    }
}

/// Hears the messages that a reader reports.
#[derive(Debug, Default)]
pub(crate) struct Listener(RefCell<Vec<Message>>);

impl Listener {
    pub(super) fn heard(self) -> Vec<Message> {
        self.0.into_inner()
    }
}

impl Observer for Listener {
    fn message(&self, seen: &Seen<'_>) {
        if seen.span.is_empty() {
            return;
        }
        let mut heard = self.0.borrow_mut();
        let index = heard.len();
        heard.push(read(seen.message, seen.span, index));
    }
}

fn read(message: &MessageView<'_>, span: Span, index: usize) -> Message {
    Message { role: message.role, span, index, parts: message.parts.iter().map(part).collect() }
}

fn part(view: &PartView<'_>) -> Part {
    match view {
        PartView::Text(text) => Part::Text(wording(text)),
        PartView::Reasoning(_) => Part::Reasoning,
        PartView::OpaqueReasoning { .. } => Part::SignedReasoning,
        PartView::ToolCall(view) => Part::Call(call(view)),
        PartView::ToolResult(view) => Part::Result(result(view)),
        PartView::Media(medium) if medium.is_server_result() => Part::ServerResult,
        PartView::Media(_) | _ => Part::Medium,
    }
}

fn wording(text: &str) -> Wording {
    Wording {
        is_empty: text.is_empty(),
        is_blank: text.trim_start().is_empty(),
        ends_blank: text.ends_with(char::is_whitespace),
    }
}

fn call(view: &CallView<'_>) -> CallFacts {
    CallFacts {
        id: String::from(view.call_id.as_ref()),
        name: String::from(view.name.as_ref()),
        server_side: view.server_side,
        arguments: arguments(&view.arguments),
        is_aborted: view.state == Some(CallState::Aborted),
        is_pending: view.state.map(CallState::is_pending),
    }
}

fn arguments(text: &str) -> Arguments {
    let text = text.trim();
    if text.is_empty() {
        Arguments::Empty
    } else if serde_json::from_str::<IgnoredAny>(text).is_err() {
        Arguments::Invalid
    } else if text.starts_with('{') {
        Arguments::Object
    } else {
        Arguments::OtherJson
    }
}

fn result(view: &ResultView<'_>) -> ResultFacts {
    let is_empty = |part: &PartView<'_>| matches!(part, PartView::Text(text) if text.is_empty());
    ResultFacts {
        id: String::from(view.call_id.as_ref()),
        name: view.name.clone(),
        has_no_content: view.parts.is_empty(),
        is_provisional: view.provisional,
        has_empty_text: view.parts.iter().any(is_empty),
    }
}
