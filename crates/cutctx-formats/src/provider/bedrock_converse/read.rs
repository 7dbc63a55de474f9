//! Requests to turns.

use alloc::vec::Vec;

use cutctx_messages::MessageView;
use cutctx_types::{Role, Transcript};

use super::Converse;
use super::blocks::{self, CACHE_POINT};
use super::cache_points::Marked;
use crate::document::Document;
use crate::error::{FormatError, RecordFault};
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Unit};
use crate::provider::active_turn::{Outline, hold_reasoning, pin};
use crate::provider::message_list::require_list;
use crate::raw::{Node, Object};
use crate::request::ReadRequest;

/// The format's name in errors.
const NAME: &str = "bedrock-converse";

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let list = require_list(document)?;
    let mut builder = LayoutBuilder::new(NAME, request).joining_neighbours();
    let records = builder.list(list.container, list.messages.iter().map(|(record, _)| *record).collect());
    push_system(list.request.as_ref(), document, &mut builder)?;
    let mut outlines = Vec::with_capacity(list.messages.len());
    let mut marked = Vec::with_capacity(list.messages.len());
    for (index, (_, node)) in list.messages.iter().enumerate() {
        let (mut draft, marks) = draft(*node, records.unit(index), index, &mut builder)
            .map_err(|fault| FormatError::record(NAME, fault, node.start(), index, document.text()))?;
        draft.message.pinned = index == 0;
        outlines.push(Outline::of(&draft.message, builder.turn_count()));
        marked.push(marks);
        builder.push(draft)?;
    }
    let (mut mapped, mut layout) = builder.finish();
    hold_reasoning(&mut layout, &mut mapped.turns);
    pin(&outlines, &mut mapped.turns);
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Converse { marked })))
}

/// The system prompt outside the messages is a turn that no edit reaches.
fn push_system(
    request: Option<&Object<'_>>,
    document: &Document<'_>,
    builder: &mut LayoutBuilder<'_>,
) -> Result<(), FormatError> {
    let Some(system) = request.and_then(|request| request.get("system")) else { return Ok(()) };
    let blocks = system.objects().ok().flatten().unwrap_or_default();
    let blocks = blocks.iter().flatten().filter(|block| !block.has(CACHE_POINT));
    let parts: Vec<_> = blocks
        .map(|block| blocks::part(block))
        .collect::<Result<_, _>>()
        .map_err(|fault| FormatError::record(NAME, fault, system.start(), 0, document.text()))?;
    if parts.is_empty() {
        return Ok(());
    }
    let message = MessageView::new(Role::System, parts).with_id("system");
    Ok(builder.push(Draft::fixed_at(message, system.span()))?)
}

/// The draft of a message, and where cache points stand in it.
fn draft<'a>(
    node: Node<'a>,
    record: Unit,
    index: usize,
    builder: &mut LayoutBuilder<'_>,
) -> Result<(Draft<'a>, Marked), RecordFault> {
    let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let role = match message.string("role").as_deref() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Err(RecordFault::Role),
    };
    let content = message.get("content").ok_or(RecordFault::Field("content"))?;
    let Ok(Some(blocks)) = content.objects() else { return Err(RecordFault::Field("content")) };
    let blocks: Vec<Object<'a>> =
        blocks.into_iter().collect::<Option<_>>().ok_or(RecordFault::NotAnObject)?;
    let spans = blocks.iter().map(Object::span).collect();
    let list = builder.list_in(record, Container::Array(content.span()), spans, None);
    let mut draft = Draft::new(role, record).adding(Adding::Element(list, Frame::TEXT_MEMBER));
    let mut marks = Marked::new(index, content.span(), list, blocks.len());
    for (at, block) in blocks.iter().enumerate() {
        if block.has(CACHE_POINT) {
            marks.points.push((at, block.span()));
        } else {
            draft.add(blocks::part(block)?, blocks::place(block, list.unit(at)));
        }
    }
    if role == Role::User {
        draft.message.origin = origin_of_message(&draft.message);
    }
    Ok((draft, marks))
}
