//! Conversations in the manner of ShareGPT: records with a list of `{from, value}` under `conversations`.
//!
//! # What is context
//!
//! The `system` of a record, which can only be kept, and its turns. Each record, or line, is a conversation. The
//! `value` of a `function_call` is a call as JSON text, or several; the `observation` after it is the result. Lists of
//! parts whose texts stand under `value`, in records of `messages`, are read too.
//!
//! # What is ballast
//!
//! Ids, and `tools`, which defines the tools.
//!
//! # What is written
//!
//! Turns of the chosen record go and values change; a call that is emptied keeps its name. A summary is a turn of the
//! model.

mod call;

use cutctx_messages::{CallView, PartView};
use cutctx_types::Role;

use self::call::{Call, Turns, calls_in};
use super::chat::{Chat, Fault, Found, Records, finished, first_of, lacks, read_list, values};
use crate::document::Document;
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Adding, Container, Draft, Frame, Place, Unit};
use crate::raw::{Node, Object};
use crate::request::ReadRequest;

use alloc::vec::Vec;

/// The format of ShareGPT's conversations.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct ShareGpt;

/// The format's name.
const NAME: &str = "sharegpt";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "conversations in the manner of ShareGPT, one a record or line",
    told_by: "`conversations` of `from` and `value`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// The keys of the list, of who speaks, and of what is said.
const LISTS: [&str; 2] = ["conversations", "messages"];
const SPEAKERS: [&str; 2] = ["from", "role"];
const VALUES: [&str; 2] = ["value", "content"];

impl Format for ShareGpt {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let record = document.sample(1).into_iter().next()?;
        let conversation = Found::under(&record, "conversations");
        let own = match conversation {
            Some(found) => found.objects().next().is_none_or(|turn| first_of(&turn, &SPEAKERS).is_some()),
            None => Found::under(&record, "messages")?.objects().take(2).any(|turn| has_value_parts(&turn)),
        };
        own.then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let records = values(document)?;
        let chosen = request.choose(records.len(), document.start())?;
        let record = records.get(chosen).and_then(|record| record.object().ok().flatten());
        let record = record.unwrap_or_default();
        let found = LISTS.iter().find_map(|key| Found::under(&record, key));
        let found = found.ok_or_else(|| lacks(NAME, "conversations", document))?;
        let mut reader = Reader { system: record.string("system"), calls: Vec::new() };
        let chat = read_list(NAME, &found, document, request, &mut reader)?;
        let spelling = Turns::new(&found, reader.calls);
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(spelling)).of(records.len()))
    }
}

fn has_value_parts(turn: &Object<'_>) -> bool {
    let parts = Found::under(turn, "content");
    parts.is_some_and(|parts| parts.objects().any(|part| part.has("value") && part.has("type")))
}

/// Reads the turns.
struct Reader<'s> {
    /// The record's system prompt, until it was said.
    system: Option<alloc::borrow::Cow<'s, str>>,
    calls: Vec<Call>,
}

impl Records for Reader<'_> {
    fn record(&mut self, chat: &mut Chat<'_>, turn: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        if let Some(system) = self.system.take().filter(|system| !system.is_empty()) {
            let parts = alloc::vec![PartView::Text(system)];
            chat.builder.push(Draft::fixed(cutctx_messages::MessageView::new(Role::System, parts)))?;
        }
        let value = first_of(turn, &VALUES);
        let speaker = SPEAKERS.iter().find_map(|key| turn.string(key));
        let role = match speaker.as_deref() {
            Some("system") => Role::System,
            Some("human" | "user") => Role::User,
            Some("gpt" | "assistant" | "chatgpt" | "bing" | "bard" | "model") => Role::Assistant,
            Some("function_call" | "tool_call") => return self.call(chat, value, unit),
            Some("observation" | "tool" | "function_response" | "tool_response" | "function") => {
                return chat.answer(None, &Object::default(), value, unit);
            }
            _ => return Err(RecordFault::Role.into()),
        };
        let draft = said(chat, role, value, unit);
        Ok(chat.builder.push(draft)?)
    }
}

impl Reader<'_> {
    /// Calls in one value; one result answers them.
    fn call(&mut self, chat: &mut Chat<'_>, value: Option<Node<'_>>, unit: Unit) -> Result<(), Fault> {
        let value = value.ok_or(RecordFault::Field("value"))?;
        let text = value.string().unwrap_or_else(|| value.text().into());
        let (content, calls) = calls_in(&text);
        let id = chat.ids.call(None, "").into_owned();
        let mut draft = if calls.is_empty() {
            let mut draft = said(chat, Role::Assistant, Some(value), unit);
            draft.add(PartView::ToolCall(CallView::new(id.clone(), "", "")), Place::call(unit, None, "{}"));
            draft
        } else {
            let call =
                Call { turn: chat.builder.turn_count(), value: value.span(), speaks: content.is_some() };
            self.calls.push(call);
            Draft::new(Role::Assistant, unit)
        };
        if let Some(content) = content {
            draft.add(PartView::text(content), Place::media(unit));
        }
        for (name, arguments) in calls {
            let view = CallView::new(id.clone(), name, arguments);
            draft.add(PartView::ToolCall(view), Place::call(unit, None, "{}"));
        }
        Ok(chat.builder.push(draft)?)
    }
}

/// A text, or a list of parts whose texts stand under `value`.
fn said<'a>(chat: &mut Chat<'_>, role: Role, value: Option<Node<'a>>, unit: Unit) -> Draft<'a> {
    let parts = value.and_then(Found::at);
    let Some(found) = parts.filter(|parts| parts.objects().any(|part| part.has("value"))) else {
        return chat.blocks().draft(role, value, unit);
    };
    let spans = found.messages.iter().map(Node::span).collect();
    let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
    let mut draft = Draft::new(role, unit).adding(Adding::Element(list, VALUE_PART));
    for (index, node) in found.messages.into_iter().enumerate() {
        let said = node.object().ok().flatten().and_then(|part| part.get("value"));
        let unit = list.unit(index);
        if let Some((text, span)) = said.and_then(|value| Some((value.string()?, value.span()))) {
            draft.add(PartView::Text(text), Place::text(unit, span));
        } else {
            let (part, place) = chat.blocks().block(node, unit);
            draft.add(part, place);
        }
    }
    draft
}

/// A part whose text stands under `value`.
const VALUE_PART: Frame = Frame { before: r#"{"type":"text","value":"#, after: "}" };
