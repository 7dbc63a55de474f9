//! Requests to turns.

use alloc::vec::Vec;

use cutctx_messages::{MessageView, PartView};
use cutctx_types::{Role, Transcript};

use super::Contents;
use super::links::Links;
use super::parts::{self, Response, call_of, is_thought, response_of, signature};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, List, Place, Unit};
use crate::provider::active_turn::{Outline, hold_reasoning, pin};
use crate::raw::{Member, Node, Object, Span};
use crate::request::ReadRequest;
use crate::shapes::array_in;

/// The format's name in errors.
const NAME: &str = "gemini-contents";

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let (array, contents) = list(document)?;
    let mut builder = LayoutBuilder::new(NAME, request).joining_neighbours();
    let records = builder.list(Container::Array(array), contents.iter().map(Node::span).collect());
    push_system(document, &mut builder)?;
    let asked = last_asked(&contents);
    let mut reader = Reader { builder, links: Links::default() };
    let mut outlines = Vec::with_capacity(contents.len());
    for (index, node) in contents.iter().enumerate() {
        let current = asked.is_none_or(|asked| index > asked);
        let mut draft = reader
            .draft(*node, records.unit(index), current)
            .map_err(|fault| FormatError::record(NAME, fault, node.start(), index, document.text()))?;
        draft.message.pinned = index == 0;
        outlines.push(Outline::of(&draft.message, reader.builder.turn_count()));
        reader.builder.push(draft)?;
    }
    let Reader { builder, .. } = reader;
    let (mut mapped, mut layout) = builder.finish();
    hold_reasoning(&mut layout, &mut mapped.turns);
    pin(&outlines, &mut mapped.turns);
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Contents)))
}

/// The list of contents: a member of the request, or the whole document.
fn list<'a>(document: &Document<'a>) -> Result<(Span, Vec<Node<'a>>), FormatError> {
    let found = match document.shape() {
        Shape::Object(request) => {
            request.get("contents").and_then(|contents| Some((contents.span(), document.elements(contents)?)))
        }
        Shape::Array(span, elements) => Some((*span, elements.clone())),
        Shape::Lines | Shape::Glued(..) => None,
    };
    found.ok_or_else(|| FormatError::Unrecognized { at: document.start(), looks_like: None })
}

/// The system instruction is a turn that no edit reaches.
fn push_system(document: &Document<'_>, builder: &mut LayoutBuilder<'_>) -> Result<(), FormatError> {
    let Shape::Object(request) = document.shape() else { return Ok(()) };
    let keys = ["systemInstruction", "system_instruction"];
    let Some(instruction) = keys.iter().find_map(|key| request.get(key)) else { return Ok(()) };
    let mut texts = Vec::new();
    if let Some(text) = instruction.string() {
        texts.push(PartView::Text(text));
    } else if let Ok(Some(content)) = instruction.object() {
        let parts = array_in(&content, "parts").unwrap_or_default();
        let said = parts.iter().filter_map(|part| part.object().ok()??.string("text"));
        texts.extend(said.map(PartView::Text));
    }
    if texts.is_empty() {
        return Ok(());
    }
    let message = MessageView::new(Role::System, texts).with_id("system");
    Ok(builder.push(Draft::fixed_at(message, instruction.span()))?)
}

/// The last content in which somebody says or shows something to the model.
fn last_asked(contents: &[Node<'_>]) -> Option<usize> {
    contents.iter().rposition(|content| {
        let Ok(Some(content)) = content.object() else { return false };
        let parts = array_in(&content, "parts").unwrap_or_default();
        let says =
            |part: &Node<'_>| part.object().ok().flatten().is_some_and(|part| response_of(&part).is_none());
        !content.get("role").is_some_and(|role| role.is_string("model")) && parts.iter().any(says)
    })
}

/// Reads contents.
struct Reader<'b> {
    builder: LayoutBuilder<'b>,
    links: Links,
}

/// A part of a list and what is known of its content.
#[derive(Clone, Copy)]
struct Seat {
    unit: Unit,
    /// Whether its signature, and what it signs, must stay.
    current: bool,
}

impl Reader<'_> {
    fn draft<'a>(&mut self, node: Node<'a>, record: Unit, current: bool) -> Result<Draft<'a>, RecordFault> {
        let content = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
        let role = match content.string("role").as_deref() {
            Some("model") => Role::Assistant,
            Some("user" | "function" | "tool") | None => Role::User,
            Some(_) => return Err(RecordFault::Role),
        };
        let mut draft = Draft::new(role, record);
        let Some(list) = content.get("parts").filter(|parts| !parts.is_null()) else { return Ok(draft) };
        let Ok(Some(nodes)) = list.array() else { return Err(RecordFault::Field("parts")) };
        let spans = nodes.iter().map(Node::span).collect();
        let units = self.builder.list_in(record, Container::Array(list.span()), spans, None);
        draft = draft.adding(Adding::Element(units, Frame::TEXT_MEMBER));
        self.parts(&nodes, units, current, &mut draft)?;
        if role == Role::User {
            draft.message.origin = origin_of_message(&draft.message);
        }
        Ok(draft)
    }

    fn parts<'a>(
        &mut self,
        nodes: &[Node<'a>],
        units: List,
        current: bool,
        draft: &mut Draft<'a>,
    ) -> Result<(), RecordFault> {
        for (index, node) in nodes.iter().enumerate() {
            let part = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
            self.part(&part, Seat { unit: units.unit(index), current }, draft)?;
        }
        Ok(())
    }

    fn part<'a>(&mut self, part: &Object<'a>, seat: Seat, draft: &mut Draft<'a>) -> Result<(), RecordFault> {
        if let Some(response) = response_of(part) {
            let id = self.links.response(response.string("id"), response.string("name").as_deref());
            let Response { view, mut place, media } = parts::response(&response, id, seat.unit);
            if let Some((list, elements, first)) = media {
                let list = self.builder.list_in(seat.unit, Container::Array(list), elements, None);
                place = place.with_media(list, 0, first);
            }
            draft.add(PartView::ToolResult(view), place);
            return Ok(());
        }
        let signed = signature(part).filter(|_| !is_thought(part));
        if let Some((member, hidden_bytes)) = signed {
            let spans = part.members().iter().map(Member::span).collect();
            let members = self.builder.list_in(seat.unit, Container::Array(part.span()), spans, None);
            let reasoning = PartView::OpaqueReasoning { text: "".into(), hidden_bytes };
            draft.add(reasoning, Place::opaque(members.unit(member)));
        }
        let (view, place) = match call_of(part) {
            Some(call) => {
                let id = self.links.call(call.string("id"), &call.string("name").unwrap_or_default());
                parts::call(&call, id, seat.unit, seat.current && signed.is_some())
            }
            None => parts::other(part, seat.unit)?,
        };
        draft.add(view, place);
        Ok(())
    }
}
