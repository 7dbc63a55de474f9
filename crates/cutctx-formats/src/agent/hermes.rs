//! Sessions of Hermes: chat completions messages in an object about the session.
//!
//! # What is context
//!
//! The `system_prompt` of the session, which can only be kept, and `messages` of the roles of a chat. Records about the
//! session among them (`session_meta`) stay. `codex_reasoning_items` is opaque reasoning.
//!
//! # What is written
//!
//! As in a chat: messages go, contents and arguments change. A summary is a message of the user.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{MessageView, PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of_message;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Place, Spelling, Unit};
use crate::raw::{Member, Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, array_in, call_at, object_in, result_content};
use crate::view::View;

/// The format of Hermes' sessions.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Hermes;

/// The format's name.
const NAME: &str = "hermes";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session file of Hermes",
    told_by: "`session_id` and `platform` beside `messages`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// A message without a content gets one.
const CONTENT: Frame = Frame { before: r#""content":"#, after: "" };

impl Format for Hermes {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        ["session_id", "platform", "messages"]
            .iter()
            .all(|key| object.has(key))
            .then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Shape::Object(session) = document.shape() else {
            return Err(FormatError::Unrecognized { at: document.start(), looks_like: None });
        };
        let list = session.get("messages");
        let nodes = list.and_then(|list| document.elements(list)).unwrap_or_default();
        let mut builder = LayoutBuilder::new(NAME, request);
        let place = list.map(|list| list.span()).unwrap_or_default();
        let records = builder.list(Container::Array(place), nodes.iter().map(Node::span).collect());
        let mut reader = Reader { builder, ids: MadeIds::default() };
        let prompt = session.get("system_prompt").and_then(|prompt| Some((prompt.string()?, prompt.span())));
        if let Some((prompt, place)) = prompt.filter(|(prompt, _)| !prompt.is_empty()) {
            let parts = alloc::vec![PartView::Text(prompt)];
            reader.builder.push(Draft::fixed_at(MessageView::new(Role::System, parts), place))?;
        }
        for (index, node) in nodes.iter().enumerate() {
            if let Some(message) = node.object().ok().flatten() {
                reader.message(&message, records.unit(index))?;
            }
        }
        let (mapped, layout) = reader.builder.finish();
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Messages)))
    }
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    ids: MadeIds,
}

impl Reader<'_> {
    fn message(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        match message.string("role").as_deref() {
            Some("system") => self.said(message, Role::System, unit),
            Some("user") => self.said(message, Role::User, unit),
            Some("assistant") => self.model(message, unit),
            Some("tool") => self.result(message, unit),
            _ => Ok(()),
        }
    }

    fn said(&mut self, message: &Object<'_>, role: Role, unit: Unit) -> Result<(), TurnError> {
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = blocks.draft(role, message.get("content"), unit);
        draft.message.origin = origin_of_message(&draft.message);
        self.builder.push(draft)
    }

    fn model(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let spans: Vec<Span> = message.members().iter().map(Member::span).collect();
        let members = self.builder.list_in(unit, Container::Array(message.span()), spans, None);
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let said = blocks.draft(Role::Assistant, message.get("content"), unit);
        let mut draft = Draft::new(Role::Assistant, unit);
        for (index, member) in message.members().iter().enumerate() {
            let (unit, value) = (members.unit(index), member.value);
            match member.key.string().as_deref() {
                Some("reasoning" | "reasoning_content") => {
                    if let Some(text) = value.string().filter(|text| !text.is_empty()) {
                        draft.add(PartView::Reasoning(text), Place::reasoning(unit, value.span()));
                    }
                }
                Some("codex_reasoning_items") if !value.is_null() => {
                    let hidden_bytes = u64::try_from(value.length_in_file()).unwrap_or(u64::MAX);
                    draft.add(
                        PartView::OpaqueReasoning { text: "".into(), hidden_bytes },
                        Place::opaque(unit),
                    );
                }
                _ => {}
            }
        }
        let has_content = message.has("content");
        draft.append(said);
        if !has_content {
            draft = draft.adding(Adding::Element(members, CONTENT));
        }
        self.calls(message, unit, &mut draft);
        self.builder.push(draft)
    }

    fn calls<'a>(&mut self, message: &Object<'a>, unit: Unit, draft: &mut Draft<'a>) {
        let calls = array_in(message, "tool_calls").unwrap_or_default();
        let place = message.get("tool_calls").map(|calls| calls.span()).unwrap_or_default();
        let list =
            self.builder.list_in(unit, Container::Array(place), calls.iter().map(Node::span).collect(), None);
        for (index, node) in calls.into_iter().enumerate() {
            let Some(call) = node.object().ok().flatten() else { continue };
            let function = object_in(&call, "function").unwrap_or_default();
            let name = function.string("name").unwrap_or_default();
            let id = self.ids.call(call.string("id"), &name);
            let (part, place) = call_at(id, name, function.get("arguments"), list.unit(index));
            draft.add(part, place);
        }
    }

    fn result(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let name = message.owned("tool_name").or_else(|| message.owned("name"));
        let id = self.ids.result(message.string("tool_call_id"), name.as_deref());
        let (parts, place) = result_content(message.get("content"), unit);
        let mut draft = Draft::new(Role::Tool, unit);
        draft.add(PartView::ToolResult(ResultView::with_parts(id, parts).with_name(name)), place);
        self.builder.push(draft)
    }
}

/// How a message is spelled.
#[derive(Debug)]
struct Messages;

impl Spelling for Messages {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"user","content":"#, &quoted(text), "}"].concat()
    }
}
