//! Chat files: messages in a list or on lines.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{CallState, PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::NAME;
use super::lines::{Conversation, Message, conversation};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Container, Draft, Edited, Frame, LayoutBuilder, Place, Spelling, Unit};
use crate::note::NoteKind;
use crate::raw::{Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::{
    MadeIds, Parts, Records, Said, Stamps, array_in, call_at, medium_of, object_in, records, said_by, uuid,
};
use crate::usage::Usage;
use crate::view::View;

/// The keys of a message's id and time.
const STAMPS: (&str, &str) = ("id", "timestamp");

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let Records { places, objects } = records(document)?;
    let builder = LayoutBuilder::new(NAME, request);
    let mut chat = Chat { builder, ids: MadeIds::default() };
    let text = document.text();
    let (stamps, older) = match conversation(&objects) {
        Conversation::Listed(list) => (chat.listed(list, text)?, Vec::new()),
        Conversation::Lines(messages) => {
            let said = messages.iter().map(|message| objects.get(message.record).cloned());
            let stamps = Stamps::new(&said.collect::<Vec<_>>(), STAMPS, text);
            (stamps, chat.lines(&messages, &places, &objects)?)
        }
    };
    let spelling = Chats { stamps, older };
    let (mapped, layout) = chat.builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(spelling)))
}

struct Chat<'r> {
    builder: LayoutBuilder<'r>,
    ids: MadeIds,
}

impl Chat<'_> {
    fn listed(&mut self, list: Node<'_>, text: &str) -> Result<Stamps, TurnError> {
        let messages = list.array().ok().flatten().unwrap_or_default();
        let spans = messages.iter().map(Node::span).collect();
        let records = self.builder.list(Container::Array(list.span()), spans);
        let objects: Vec<_> = messages.into_iter().map(|node| node.object().ok().flatten()).collect();
        for (index, message) in objects.iter().enumerate() {
            if let Some(message) = message {
                self.message(message, records.unit(index))?;
            }
        }
        Ok(Stamps::new(&objects, STAMPS, text))
    }

    /// Messages in their order; the list of records is in that order, too. Gives the older lines of each.
    fn lines(
        &mut self,
        messages: &[Message],
        places: &[Span],
        objects: &[Object<'_>],
    ) -> Result<Vec<Vec<Span>>, TurnError> {
        let place = |record: &usize| places.get(*record).copied().unwrap_or_default();
        let spans = messages.iter().map(|message| place(&message.record)).collect();
        let records = self.builder.list(Container::Lines, spans);
        for (index, message) in messages.iter().enumerate() {
            if let Some(object) = objects.get(message.record) {
                self.message(object, records.unit(index))?;
            }
        }
        Ok(messages.iter().map(|message| message.older.iter().map(place).collect()).collect())
    }

    fn message(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        match message.string("type").as_deref() {
            Some("user") => self.user(message, unit),
            Some("gemini") => self.model(message, unit),
            _ => Ok(()),
        }
    }

    fn content<'a>(&mut self, message: &Object<'a>, unit: Unit, role: Role) -> Draft<'a> {
        let mut parts = Parts { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = parts.draft(role, message.get("content"), unit, Some(r#""""#));
        if let Some(id) = message.string("id").filter(|id| !id.is_empty()) {
            draft.message = draft.message.with_id(id.as_ref());
        }
        draft
    }

    fn user(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let mut draft = self.content(message, unit, Role::User);
        let said: Vec<&str> = draft.message.parts.iter().filter_map(text_of).collect();
        if is_command(&said.concat()) {
            return Ok(());
        }
        draft.message.origin = origin_of_message(&draft.message);
        self.builder.push(draft)
    }

    /// What the model said and called, and then the results. A call that its content holds already is not said again.
    fn model(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let mut draft = self.content(message, unit, Role::Assistant);
        let calls = array_in(message, "toolCalls").unwrap_or_default();
        let list = message.get("toolCalls").map(|calls| calls.span()).unwrap_or_default();
        let spans = calls.iter().map(Node::span).collect();
        let list = self.builder.list_in(unit, Container::Array(list), spans, None);
        let mut said: BTreeMap<String, usize> = BTreeMap::new();
        for part in &draft.message.parts {
            if let PartView::ToolCall(call) = part {
                let count = said.entry(call.call_id.clone().into_owned()).or_default();
                *count = count.saturating_add(1);
            }
        }
        let mut answers = Vec::new();
        for (index, node) in calls.into_iter().enumerate() {
            let Some(call) = node.object().ok().flatten() else { continue };
            let name = call.string("name").unwrap_or_default();
            let id = self.ids.call(call.string("id"), &name);
            answers.push((call.clone(), id.clone(), list.unit(index)));
            if let Some(count) = said.get_mut(id.as_ref()).filter(|count| **count > 0) {
                *count = count.saturating_sub(1);
                continue;
            }
            let (mut part, place) = call_at(id, name, call.get("args"), list.unit(index));
            if let (PartView::ToolCall(made), true) = (&mut part, is_status(&call, "cancelled")) {
                made.state = Some(CallState::Aborted);
            }
            draft.add(part, place);
        }
        if draft.message.parts.is_empty() {
            return Ok(());
        }
        draft.cost(object_in(message, "tokens").and_then(|tokens| Usage::of_gemini_cli(&tokens)));
        self.builder.push(draft)?;
        self.results(answers, unit)
    }

    fn results(
        &mut self,
        answers: Vec<(Object<'_>, Cow<'_, str>, Unit)>,
        record: Unit,
    ) -> Result<(), TurnError> {
        let mut draft = Draft::new(Role::Tool, record);
        for (call, id, unit) in answers {
            let Some(held) = call.get("result").filter(|held| !held.is_null()) else { continue };
            let (parts, place) = self.result(held, unit);
            let failed = ["error", "cancelled"].iter().any(|status| is_status(&call, status));
            let result = ResultView::with_parts(id, parts).with_name(call.owned("name")).with_error(failed);
            draft.add(PartView::ToolResult(result), place);
        }
        if draft.message.parts.is_empty() { Ok(()) } else { self.builder.push(draft) }
    }

    /// A text, a response, or a list of a response and media.
    fn result<'a>(&mut self, held: Node<'a>, unit: Unit) -> (Vec<PartView<'a>>, Place) {
        if let Some(text) = held.string() {
            return (alloc::vec![PartView::Text(text)], Place::result(unit, held.span(), Frame::BARE));
        }
        let elements = held.array().ok().flatten().unwrap_or_else(|| alloc::vec![held]);
        let first = elements.first().and_then(|first| first.object().ok().flatten());
        let response = first.and_then(|first| object_in(&first, "functionResponse"));
        let Some(response) = response else {
            let place =
                Place::result(unit, held.span(), Frame::BARE).made_of(held.span(), Frame::TEXT_MEMBER);
            return (elements.into_iter().map(medium).collect(), place);
        };
        if elements.len() == 1 {
            let mut parts = Parts { builder: &mut self.builder, ids: &mut self.ids };
            let (part, place) = parts.response(&response, Cow::Borrowed(""), unit);
            let PartView::ToolResult(result) = part else { return (Vec::new(), place) };
            return (result.parts, place);
        }
        let Said { text, place: (span, frame), .. } = said_by(&response);
        let mut parts: Vec<PartView<'a>> = text.into_iter().map(PartView::Text).collect();
        let spans = elements.iter().map(Node::span).collect();
        let list = self.builder.list_in(unit, Container::Array(held.span()), spans, None);
        let place = Place::result(unit, span, frame).with_media(list, 1, parts.len());
        parts.extend(elements.into_iter().skip(1).map(medium));
        (parts, place)
    }
}

fn medium(node: Node<'_>) -> PartView<'_> {
    PartView::Media(medium_of(node))
}

fn is_status(call: &Object<'_>, status: &str) -> bool {
    call.get("status").is_some_and(|found| found.is_string(status))
}

fn text_of<'p>(part: &'p PartView<'_>) -> Option<&'p str> {
    if let PartView::Text(text) = part { Some(text) } else { None }
}

/// Whether the tool takes a text for a local command and does not send it.
fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(['/', '?'])
}

/// What is needed to write a chat back.
#[derive(Debug)]
struct Chats {
    stamps: Stamps,
    /// For each message on lines: its older lines.
    older: Vec<Vec<Span>>,
}

impl Spelling for Chats {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let id = self.stamps.id(group, uuid, view.text());
        let (kind, more) =
            if is_command(text) { ("gemini", r#","thoughts":[],"model":"summary""#) } else { ("user", "") };
        let time = self.stamps.time(before, view.text());
        let time = time.map(|time| [r#","timestamp":"#, time].concat()).unwrap_or_default();
        [r#"{"id":"#, &id, &time, r#","type":""#, kind, r#"","content":"#, &quoted(text), more, "}"].concat()
    }

    fn finish(&self, edited: &mut Edited, _view: &View<'_>) -> Result<(), FormatError> {
        self.remove_older(edited);
        Ok(())
    }
}

impl Chats {
    /// The older lines of a message go with it. What is new before a message goes before the oldest one of them.
    fn remove_older(&self, edited: &mut Edited) {
        for (index, older) in self.older.iter().enumerate() {
            if edited.gone.get(index) == Some(&true) {
                for line in older {
                    edited.splices.note(NoteKind::RecordsRemoved, line.start);
                    edited.splices.remove(*line);
                }
            }
        }
        let is_moved = |(before, _): &(usize, String)| self.first_line(*before).is_some();
        let added = core::mem::take(&mut edited.added);
        let (moved, stays): (Vec<_>, Vec<_>) = added.into_iter().partition(is_moved);
        edited.added = stays;
        for (before, record) in moved {
            if let Some(line) = self.first_line(before) {
                edited.splices.insert(line.start, record + "\n");
            }
        }
    }

    /// The oldest line of a message that has older ones.
    fn first_line(&self, message: usize) -> Option<Span> {
        self.older.get(message)?.first().copied()
    }
}
