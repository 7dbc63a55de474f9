//! Conversations of Cline and Roo Code: `session.messages.json`, and `api_conversation_history.json`.
//!
//! # What is context
//!
//! All messages, whose contents are blocks as the Anthropic API has them, and `file` blocks that hold whole attached
//! files. Older versions write calls as tags into texts; those are texts here, too.
//!
//! Newer versions (2026) write calls as `tool_use` blocks and their results as texts of the next message, without ids:
//! the first texts there, as many as there are open calls, are the results. A text of `<environment_details>` is no
//! result; a message that says nothing else is the harness's.
//!
//! # What is written
//!
//! Messages go and blocks change. A summary is a message of the user.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Origin, PartView};
use cutctx_types::{Role, Transcript, TurnError};

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of_message;
use crate::layout::{Container, Draft, Frame, LayoutBuilder, Spelling, Unit};
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, Stamps, short};
use crate::view::View;

/// The format of Cline's and Roo Code's conversations.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Cline;

/// The format's name.
const NAME: &str = "cline";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a conversation of Cline or Roo Code",
    told_by: "`sessionId` and `version` beside `messages`, or messages with `ts` or `modelInfo`, or a first text in `<task>`",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

/// How many messages are looked at.
const SAMPLE: usize = 8;

/// How the harness's words about the editor begin.
const DETAILS: &str = "<environment_details>";

impl Format for Cline {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let is_own = match document.shape() {
            Shape::Object(object) => {
                ["version", "sessionId", "messages"].iter().all(|key| object.has(key))
                    && !object.has("projectHash")
            }
            Shape::Array(..) => document.sample(SAMPLE).iter().any(is_own_message),
            Shape::Lines | Shape::Glued(..) => false,
        };
        is_own.then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let (place, nodes) = match document.shape() {
            Shape::Array(place, nodes) => (*place, nodes.clone()),
            Shape::Object(object) => {
                let list = object.get("messages");
                let nodes = list.and_then(|list| document.elements(list)).unwrap_or_default();
                (list.map(|list| list.span()).unwrap_or_default(), nodes)
            }
            Shape::Lines | Shape::Glued(..) => (Span::default(), Vec::new()),
        };
        let mut builder = LayoutBuilder::new(NAME, request);
        let list = builder.list(Container::Array(place), nodes.iter().map(Node::span).collect());
        let mut reader = Reader { builder, ids: MadeIds::default(), open: Vec::new() };
        let objects: Vec<_> = nodes.iter().map(|node| node.object().ok().flatten()).collect();
        for (index, message) in objects.iter().enumerate() {
            if let Some(message) = message {
                reader.message(message, list.unit(index))?;
            }
        }
        let (mapped, layout) = reader.builder.finish();
        let ids = objects.iter().flatten().any(|message| message.has("id"));
        let stamps = Stamps::new(&objects, ("id", "ts"), document.text());
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Messages { stamps, ids })))
    }
}

fn is_own_message(message: &Object<'_>) -> bool {
    let blocks = message.get("content").and_then(|content| content.array().ok()?).unwrap_or_default();
    let text = blocks.first().and_then(|block| block.object().ok()??.string("text"));
    let begins = |start: &str| text.as_deref().is_some_and(|text| text.starts_with(start));
    message.has("role")
        && message.has("content")
        && (message.has("ts") || message.has("modelInfo") || begins("<task>") || begins(DETAILS))
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    ids: MadeIds,
    /// The ids of the last message's calls.
    open: Vec<String>,
}

impl Reader<'_> {
    fn message(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let role = match message.string("role").as_deref() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return Ok(()),
        };
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = blocks.draft(role, message.get("content"), unit);
        if role == Role::User {
            self.answer(&mut draft);
        } else {
            self.open = draft.message.parts.iter().filter_map(call_id).collect();
        }
        self.builder.push(draft)
    }

    /// Takes the first texts of a person's message for the results of the open calls, when it holds no result.
    fn answer(&mut self, draft: &mut Draft<'_>) {
        let open = core::mem::take(&mut self.open);
        let is_result = |part: &PartView<'_>| matches!(part, PartView::ToolResult(_));
        if !draft.message.parts.iter().any(is_result) {
            let mut open = open.into_iter();
            draft.texts_to_results(|text| if text.starts_with(DETAILS) { None } else { open.next() });
        }
        let mut said = draft.message.parts.iter().filter(|part| !is_result(part)).peekable();
        let details = |part: &PartView<'_>| matches!(part, PartView::Text(text) if text.starts_with(DETAILS));
        draft.message.origin = if said.peek().is_some() && said.all(details) {
            Origin::Harness
        } else {
            origin_of_message(&draft.message)
        };
    }
}

fn call_id(part: &PartView<'_>) -> Option<String> {
    if let PartView::ToolCall(call) = part { Some(String::from(call.call_id.as_ref())) } else { None }
}

/// How messages are spelled.
#[derive(Debug)]
struct Messages {
    stamps: Stamps,
    /// Whether messages have ids.
    ids: bool,
}

impl Spelling for Messages {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let mut message = String::from("{");
        if self.ids {
            message.extend([r#""id":"#, &self.stamps.id(group, short, view.text()), ","]);
        }
        let said = Frame::TEXT_BLOCK.of(text);
        message.extend([r#""role":"user","content":["#, &said, "]"]);
        if let Some(time) = self.stamps.time(before, view.text()) {
            message.extend([r#","ts":"#, time]);
        }
        message + "}"
    }
}
