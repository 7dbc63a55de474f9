//! Requests to turns.

use alloc::vec::Vec;

use cutctx_messages::MessageView;
use cutctx_types::{Role, Transcript};

use super::Messages;
use super::cache_marks::CacheMarks;
use crate::document::Document;
use crate::error::{FormatError, RecordFault};
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Draft, LayoutBuilder, List, Unit};
use crate::provider::active_turn::{Outline, hold_reasoning, pin};
use crate::provider::blocks::{Drafted, draft_content, read_content};
use crate::provider::message_list::require_list;
use crate::raw::{Node, Object};
use crate::request::ReadRequest;

/// The format's name in errors.
const NAME: &str = "anthropic-messages";

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let list = require_list(document)?;
    let mut builder = LayoutBuilder::new(NAME, request);
    let records = builder.list(list.container, list.messages.iter().map(|(record, _)| *record).collect());
    push_system(list.request.as_ref(), document, &mut builder)?;
    let mut outlines = Vec::with_capacity(list.messages.len());
    let mut marks = CacheMarks::default();
    let is_marked = CacheMarks::are_in(document.text());
    for (index, (_, node)) in list.messages.iter().enumerate() {
        let Read { draft, content, blocks } = draft(*node, records.unit(index), index == 0, &mut builder)
            .map_err(|fault| FormatError::record(NAME, fault, node.start(), index, document.text()))?;
        outlines.push(Outline::of(&draft.message, builder.turn_count()));
        if is_marked {
            marks.add(content, records.unit(index), blocks, builder.turn_count());
        }
        builder.push(draft)?;
    }
    let (mut mapped, mut layout) = builder.finish();
    hold_reasoning(&mut layout, &mut mapped.turns);
    pin(&outlines, &mut mapped.turns);
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Messages { marks })))
}

/// The system prompt outside the messages is a turn that no edit reaches.
fn push_system(
    request: Option<&Object<'_>>,
    document: &Document<'_>,
    builder: &mut LayoutBuilder<'_>,
) -> Result<(), FormatError> {
    let system = request.and_then(|request| request.get("system")).filter(|system| !system.is_null());
    let Some(system) = system else { return Ok(()) };
    let content = read_content(system, Role::System)
        .map_err(|fault| FormatError::record(NAME, fault, system.start(), 0, document.text()))?;
    let message = MessageView::new(Role::System, content.parts).with_id("system");
    Ok(builder.push(Draft::fixed_at(message, system.span()))?)
}

/// A message, the value of its content, and the list of its blocks.
struct Read<'a> {
    draft: Draft<'a>,
    content: Node<'a>,
    blocks: Option<List>,
}

/// The first message is pinned whatever it holds: a conversation must start with one of the user's.
fn draft<'a>(
    node: Node<'a>,
    record: Unit,
    first: bool,
    builder: &mut LayoutBuilder<'_>,
) -> Result<Read<'a>, RecordFault> {
    let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let role = role_of(&message)?;
    let content = message.get("content").ok_or(RecordFault::Field("content"))?;
    let Drafted { mut draft, has_compaction, blocks } = draft_content(content, role, record, builder)?;
    draft.message.pinned = has_compaction || first;
    if has_compaction {
        builder.mark_at(node.span(), Some(record));
    }
    if role == Role::User {
        draft.message.origin = origin_of_message(&draft.message);
    }
    Ok(Read { draft, content, blocks })
}

fn role_of(message: &Object<'_>) -> Result<Role, RecordFault> {
    match message.string("role").as_deref() {
        Some("user") => Ok(Role::User),
        Some("assistant") => Ok(Role::Assistant),
        Some("system") => Ok(Role::System),
        _ => Err(RecordFault::Role),
    }
}
