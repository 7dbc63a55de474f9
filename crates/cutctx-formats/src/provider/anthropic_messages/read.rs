//! Requests to turns.

use cutctx_messages::MessageView;
use cutctx_types::{Role, Transcript, TranscriptTurn};

use super::MessagesLens;
use crate::document::Document;
use crate::error::{FormatError, Place, RecordFault};
use crate::format::Reading;
use crate::outcome::SlotKind;
use crate::provider::blocks::{Content, read_content};
use crate::provider::conversation::{Conversation, ConversationBuilder, ReadMessage};
use crate::provider::message_list::require_list;
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let list = require_list(document)?;
    let mut builder = ConversationBuilder::new(list.container, request);
    let outside = push_system(list.request.as_ref(), document, &mut builder)?;
    for (index, (record, node)) in list.messages.iter().enumerate() {
        let message = read_message(*record, *node, index == 0)
            .map_err(|fault| record_error(fault, *node, index, document))?;
        builder.push(&message)?;
    }
    let (mapped, conversation) = builder.finish();
    let mut turns = mapped.turns;
    let loop_start = last_person(&conversation, &turns);
    pin_current_request(&conversation, loop_start, &mut turns);
    let lens = MessagesLens { conversation, outside, loop_start };
    Ok(Reading::new(Transcript::new(turns)?, lens))
}

fn record_error(fault: RecordFault, node: Node<'_>, record: usize, document: &Document<'_>) -> FormatError {
    let at = Place::of(node.start(), document.text());
    FormatError::Record { format: "anthropic-messages", at, record, fault }
}

/// The system prompt outside the messages is a turn that no edit reaches. Returns how many turns it is.
fn push_system(
    request: Option<&Object<'_>>,
    document: &Document<'_>,
    builder: &mut ConversationBuilder<'_>,
) -> Result<usize, FormatError> {
    let system = request.and_then(|request| request.get("system")).filter(|system| !system.is_null());
    let Some(system) = system else { return Ok(0) };
    let content =
        read_content(system, Role::System).map_err(|fault| record_error(fault, system, 0, document))?;
    builder.push_outside(&MessageView::new(Role::System, content.parts).with_id("system"))?;
    Ok(1)
}

/// The first message is pinned whatever it holds: a conversation must start with one of the user's.
fn read_message(record: Span, node: Node<'_>, first: bool) -> Result<ReadMessage<'_>, RecordFault> {
    let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let role = role_of(&message)?;
    let content = message.get("content").ok_or(RecordFault::Field("content"))?;
    let Content { parts, places, has_compaction } = read_content(content, role)?;
    let content = MessageView::new(role, parts).with_pinned(has_compaction || first);
    Ok(ReadMessage { record, message: node.span(), content, places })
}

fn role_of(message: &Object<'_>) -> Result<Role, RecordFault> {
    match message.string("role").as_deref() {
        Some("user") => Ok(Role::User),
        Some("assistant") => Ok(Role::Assistant),
        Some("system") => Ok(Role::System),
        _ => Err(RecordFault::Role),
    }
}

/// The last message in which a person speaks.
fn last_person(conversation: &Conversation, turns: &[TranscriptTurn]) -> Option<usize> {
    let turn = turns.iter().rposition(|turn| turn.role() == Role::User)?;
    conversation.message_of(turn)
}

/// Where signed reasoning occurs, the request that the model is working on stays: without it, an earlier turn, whose
/// reasoning may be gone, would become part of the one that is still going on.
fn pin_current_request(conversation: &Conversation, loop_start: Option<usize>, turns: &mut [TranscriptTurn]) {
    let entries = conversation.entries();
    let signed = entries
        .iter()
        .any(|entry| conversation.slots_of(entry).iter().any(|slot| slot.kind == SlotKind::Opaque));
    let person = loop_start.filter(|_| signed).and_then(|index| entries.get(index));
    for turn in person.and_then(|entry| turns.get_mut(entry.turns.clone())).into_iter().flatten() {
        if turn.role() == Role::User {
            *turn = turn.clone().with_pinned(true);
        }
    }
}
