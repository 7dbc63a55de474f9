//! Messages as turns of two sides.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MessageView, PartView, ResultView};
use cutctx_types::Role;

use super::Target;
use super::loss::{LossKind, Losses};
use super::neutral::{Block, Outcome, Side, Turn};
use crate::repair::arguments;

/// What a first message says that takes the place of a lost one.
const BEGINNING: &str = "(The beginning of this conversation is missing.)";

/// The turns of normalised messages. Where the target joins neighbours, they are joined here. A new answer, which has no
/// origin, belongs to the message before it.
pub(super) fn taken_apart(
    messages: Vec<MessageView<'static>>,
    origins: &[usize],
    target: Target,
    losses: &mut Losses,
) -> Vec<Turn> {
    let first = origins.first().copied().unwrap_or_default();
    let mut turns: Vec<Turn> = Vec::new();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut places = Places { origins, next: 0, last: first };
    for message in messages {
        let index = places.of(&message);
        let side = side_of(message.role, target);
        let blocks: Vec<Block> =
            message.parts.into_iter().filter_map(|part| block(part, &mut names, index, losses)).collect();
        if blocks.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some(last) if target.joins() && last.side == side => last.blocks.extend(blocks),
            _ => turns.push(Turn { side, blocks, message: index }),
        }
    }
    turns
}

/// The message that each normalised one came from, as near as it can be told: normalising keeps the order.
struct Places<'o> {
    origins: &'o [usize],
    next: usize,
    last: usize,
}

impl Places<'_> {
    fn of(&mut self, message: &MessageView<'_>) -> usize {
        if message.role != Role::Tool
            && let Some(origin) = self.origins.get(self.next)
        {
            self.last = *origin;
        }
        self.next = self.next.saturating_add(1);
        self.last
    }
}

const fn side_of(role: Role, target: Target) -> Side {
    match role {
        Role::Assistant => Side::Model,
        Role::System if !target.joins() => Side::System,
        Role::System | Role::User | Role::Tool => Side::User,
    }
}

fn block(
    part: PartView<'static>,
    names: &mut BTreeMap<String, String>,
    message: usize,
    losses: &mut Losses,
) -> Option<Block> {
    Some(match part {
        PartView::Text(text) => Block::Text(text.into_owned()),
        PartView::ToolCall(call) => {
            let wrapped = arguments::as_object(&call.arguments);
            if wrapped.is_some() && !call.is_bare() {
                losses.note(LossKind::WrappedArguments, message);
            }
            let (id, name) = (call.call_id.into_owned(), call.name.into_owned());
            names.insert(id.clone(), name.clone());
            let json = wrapped.unwrap_or_else(|| call.arguments.trim().into());
            Block::Call { id, name, json }
        }
        PartView::ToolResult(result) => Block::Result(outcome(result, names)),
        PartView::Media(media) => Block::Media(media),
        PartView::Reasoning(_) | PartView::OpaqueReasoning { .. } | _ => return None,
    })
}

/// The texts of a result are one.
fn outcome(result: ResultView<'static>, names: &BTreeMap<String, String>) -> Outcome {
    let id = result.call_id.into_owned();
    let name = names.get(&id).cloned().or(result.name).unwrap_or_default();
    let (mut text, mut media): (String, Vec<Media<'static>>) = (String::new(), Vec::new());
    for part in result.parts {
        match part {
            PartView::Text(more) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&more);
            }
            PartView::Media(medium) => media.push(medium),
            PartView::Reasoning(_)
            | PartView::OpaqueReasoning { .. }
            | PartView::ToolCall(_)
            | PartView::ToolResult(_)
            | _ => {}
        }
    }
    Outcome { id, name, text, media, is_error: result.is_error }
}

/// The user speaks first.
pub(super) fn opened(turns: &mut Vec<Turn>, losses: &mut Losses) {
    if turns.first().is_some_and(|first| first.side == Side::Model) {
        let blocks = alloc::vec![Block::Text(String::from(BEGINNING))];
        turns.insert(0, Turn { side: Side::User, blocks, message: 0 });
        losses.note_of_document(LossKind::AddedOpening);
    }
}

/// What the model is to go on with does not end in white space.
pub(super) fn trimmed(turns: &mut [Turn], losses: &mut Losses) {
    let Some(last) = turns.last_mut().filter(|last| last.side == Side::Model) else { return };
    let message = last.message;
    if let Some(Block::Text(text)) = last.blocks.last_mut()
        && text.ends_with(char::is_whitespace)
    {
        text.truncate(text.trim_end().len());
        losses.note(LossKind::TrimmedText, message);
    }
}
