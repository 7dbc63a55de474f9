//! Replays of AutoGen's chat completion client.
//!
//! # What is context
//!
//! The `messages` of a record; each record is one request and so one conversation. A model's message says a text or
//! makes calls; a `FunctionExecutionResultMessage` holds the results of all of them. `thought` is reasoning.
//!
//! # What is ballast
//!
//! The `response` to the request, and everything else.
//!
//! # What is written
//!
//! Messages of the chosen record go, contents and arguments change. A summary is a message of the person.

use cutctx_messages::{Media, MediaKind, PartView, ResultView};
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list, values};
use crate::document::Document;
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Adding, Container, Draft, Frame, List, Place, Unit};
use crate::raw::{Member, Node, Object};
use crate::request::ReadRequest;
use crate::shapes::result_content;

/// The format of AutoGen's replays.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct AutoGen;

/// The format's name.
const NAME: &str = "autogen";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a replay of AutoGen, a conversation for each request",
    told_by: "records with `mode`, `messages` and `response`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// A message of the person.
const SUMMARY: Frame = Frame { before: r#"{"content":"#, after: r#","source":"user","type":"UserMessage"}"# };

/// What a message of calls says beside them.
const THOUGHT: Frame = Frame { before: r#""thought":"#, after: "" };

impl Format for AutoGen {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let first = document.sample(1).into_iter().next()?;
        let is_record = ["mode", "messages", "response"].iter().all(|key| first.has(key));
        is_record.then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let records = values(document)?;
        let chosen = request.choose(records.len(), document.start())?;
        let record = records.get(chosen).and_then(|record| record.object().ok().flatten());
        let found = record.and_then(|record| Found::under(&record, "messages"));
        let found = found.ok_or_else(|| lacks(NAME, "messages", document))?;
        let chat = read_list(NAME, &found, document, request, &mut Messages)?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))).of(records.len()))
    }
}

/// Reads the messages.
#[derive(Debug)]
struct Messages;

impl Records for Messages {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let role = match message.string("type").as_deref() {
            Some("SystemMessage") => Role::System,
            Some("UserMessage") => Role::User,
            Some("AssistantMessage") => Role::Assistant,
            Some("FunctionExecutionResultMessage") => return results(chat, message, unit),
            _ => return Err(RecordFault::Role.into()),
        };
        let mut draft = match message.get("content").and_then(Found::at) {
            Some(found) if role == Role::Assistant => calls(chat, message, &found, unit),
            Some(found) => listed(chat, role, &found, unit),
            None => chat.draft(role, message, unit),
        };
        if role == Role::Assistant {
            draft.prepend(thought(chat, message, unit));
        }
        Ok(chat.builder.push(draft)?)
    }
}

/// Texts and images.
fn listed<'a>(chat: &mut Chat<'_>, role: Role, found: &Found<'a>, unit: Unit) -> Draft<'a> {
    let spans = found.messages.iter().map(Node::span).collect();
    let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
    let mut draft = Draft::new(role, unit).adding(Adding::Element(list, Frame::BARE));
    for (index, node) in found.messages.iter().enumerate() {
        let unit = list.unit(index);
        match node.string() {
            Some(text) => draft.add(PartView::Text(text), Place::text(unit, node.span())),
            None => draft.add(PartView::Media(image(*node)), Place::media(unit)),
        }
    }
    draft
}

fn image(node: Node<'_>) -> Media<'_> {
    let image = Media::new(MediaKind::Image);
    match node.object().ok().flatten().and_then(|object| object.string("data")) {
        Some(data) => image.with_base64_data(data),
        None => image,
    }
}

/// A message whose content is calls: what it says beside them is its thought.
fn calls<'a>(chat: &mut Chat<'_>, message: &Object<'a>, found: &Found<'a>, unit: Unit) -> Draft<'a> {
    let adding = match message.get("thought") {
        Some(thought) if thought.is_null() => Adding::Value(thought.span(), Frame::BARE),
        Some(_) | None => Adding::Element(members(chat, message, unit), THOUGHT),
    };
    let mut draft = Draft::new(Role::Assistant, unit).adding(adding);
    for node in &found.messages {
        if let Some((part, place)) = chat.call(*node, unit) {
            draft.add(part, place);
        }
    }
    draft
}

/// The members of a message, for those that may go.
fn members(chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> List {
    let spans = message.members().iter().map(Member::span).collect();
    chat.builder.list_in(unit, Container::Array(message.span()), spans, None)
}

fn thought<'a>(chat: &mut Chat<'_>, message: &Object<'a>, unit: Unit) -> Draft<'a> {
    let mut draft = Draft::new(Role::Assistant, unit);
    let own = message.members().iter().rposition(|member| member.key.is_string("thought"));
    let value = message.get("thought").and_then(|value| Some((value.span(), value.string()?)));
    if let Some((own, (span, text))) = own.zip(value) {
        let unit = members(chat, message, unit).unit(own);
        draft.add(PartView::Reasoning(text), Place::reasoning(unit, span));
    }
    draft
}

/// All results of one message; each goes on its own.
fn results(chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
    let found = Found::under(message, "content").ok_or(RecordFault::Field("content"))?;
    let spans = found.messages.iter().map(Node::span).collect();
    let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
    let mut draft = Draft::new(Role::Tool, unit);
    for (index, node) in found.messages.iter().enumerate() {
        let result = node.object().ok().flatten().ok_or(RecordFault::Field("content"))?;
        let name = result.owned("name");
        let id = chat.ids.result(result.string("call_id"), name.as_deref());
        let (parts, place) = result_content(result.get("content"), list.unit(index));
        let failed = result.get("is_error").is_some_and(|error| error.is_true());
        let result = ResultView::with_parts(id, parts).with_name(name).with_error(failed);
        draft.add(PartView::ToolResult(result), place);
    }
    Ok(chat.builder.push(draft)?)
}
