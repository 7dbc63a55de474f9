//! A message as the fates of its turns have it.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{
    DurableText, FileAttachment, Message, MessageError, MessagePart, RoundMessage as _, TextPart,
    ThinkingPart, ToolResultPart,
};
use cutctx_types::{Action, CutTurn, PartKind, Role, TranscriptTurn, Trim};

use super::arguments;
use crate::project::{leaving_files_out, request_note};

/// What stands where nothing is left of a message.
const NOTHING_LEFT: &str = "…";

/// A turn of a message that is shown: what is done to it, and as the source has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn<'t> {
    pub(super) action: &'t Action,
    pub(super) source: &'t TranscriptTurn,
}

/// The message as it is shown. `turns` has its turns in order, each with its number among them; the others are gone.
pub(super) fn shown(message: &Message, turns: &[(usize, Turn<'_>)]) -> Result<Option<Message>, MessageError> {
    if message.role() == Role::Tool {
        return answers(message, turns);
    }
    let Some((_, turn)) = turns.first() else { return Ok(None) };
    let parts = match turn.action {
        Action::Keep => return Ok(Some(message.clone())),
        Action::Mask(stub) => masked(message, &stub.content)?,
        Action::Trim(trim) => trimmed(message, turn.source, trim)?,
        Action::Summarize { .. } | Action::Drop => return Ok(None),
    };
    let parts = if parts.is_empty() { alloc::vec![said(NOTHING_LEFT)?] } else { parts };
    Ok(Some(Message::from_pieces(message.role(), parts)))
}

/// A message of results: each is a turn of its own.
fn answers(message: &Message, turns: &[(usize, Turn<'_>)]) -> Result<Option<Message>, MessageError> {
    if turns.iter().all(|(_, turn)| *turn.action == Action::Keep) && turns.len() >= turn_count(message) {
        return Ok(Some(message.clone()));
    }
    let (mut parts, mut results) = (Vec::with_capacity(message.content().len()), 0_usize);
    let others = usize::from(message.content().iter().any(|part| !is_result(part)));
    let first_other = message.content().iter().position(|part| !is_result(part));
    for (part, at) in message.content().iter().zip(0_usize..) {
        let MessagePart::ToolResult(result) = part else {
            parts.push(part.clone());
            continue;
        };
        // What is no result of a message became one turn, in the place of the first such part.
        let before = if first_other.is_some_and(|first| first < at) { others } else { 0 };
        let place = results.saturating_add(before);
        results = results.saturating_add(1);
        let turn =
            turns.binary_search_by_key(&place, |(number, _)| *number).ok().and_then(|at| turns.get(at));
        if let Some((_, turn)) = turn {
            parts.extend(answer(result, *turn)?.map(MessagePart::from));
        }
    }
    let is_answer = parts.iter().any(is_result);
    Ok(is_answer.then(|| Message::from_pieces(Role::Tool, parts)))
}

const fn is_result(part: &MessagePart) -> bool {
    matches!(part, MessagePart::ToolResult(_))
}

/// How many turns a message of results became.
fn turn_count(message: &Message) -> usize {
    let results = message.content().iter().filter(|part| is_result(part)).count();
    results.saturating_add(usize::from(results < message.content().len()))
}

fn answer(result: &ToolResultPart, turn: Turn<'_>) -> Result<Option<ToolResultPart>, MessageError> {
    match turn.action {
        Action::Keep => Ok(Some(result.clone())),
        Action::Mask(stub) => {
            let (mut shown, _) = leaving_files_out(result, |_| false)?;
            shown.content = durable(&stub.content);
            Ok(Some(shown))
        }
        Action::Trim(trim) => trimmed_answer(result, turn.source, trim).map(Some),
        Action::Summarize { .. } | Action::Drop => Ok(None),
    }
}

/// A result's first part is its text, the others are its files.
fn trimmed_answer(
    result: &ToolResultPart,
    source: &TranscriptTurn,
    trim: &Trim,
) -> Result<ToolResultPart, MessageError> {
    let cut = trim.cut(source);
    let keeps = |file: usize| trim.kept.iter().any(|kept| kept.part == file.saturating_add(1));
    let (mut shown, note) = leaving_files_out(result, keeps)?;
    let mut text = String::new();
    let mut start = 0;
    for part in &cut.parts {
        if part.kind != PartKind::Media {
            text.push_str(cut.content.get(start..part.end).unwrap_or_default());
        }
        start = part.end;
    }
    if cut.parts.is_empty() {
        text.push_str(&cut.content);
    }
    if let Some(note) = note {
        text.push_str(if text.is_empty() { "" } else { "\n\n" });
        text.push_str(&note);
    }
    shown.content = durable(&text);
    Ok(shown)
}

/// A stub in place of what a message says. Calls stay, emptied: their results stay, too.
fn masked(message: &Message, stub: &str) -> Result<Vec<MessagePart>, MessageError> {
    let calls = message.content().iter().filter_map(emptied);
    Ok(core::iter::once(said(stub)?).chain(calls).collect())
}

fn emptied(part: &MessagePart) -> Option<MessagePart> {
    let MessagePart::ToolCall(call) = part else { return None };
    let mut call = call.clone();
    call.arguments = cutctx_messages::DurableObject::empty();
    Some(call.into())
}

/// What a trim leaves of a message whose parts became the parts of one turn.
fn trimmed(
    message: &Message,
    source: &TranscriptTurn,
    trim: &Trim,
) -> Result<Vec<MessagePart>, MessageError> {
    let cut = trim.cut(source);
    let mut parts = Vec::with_capacity(message.content().len());
    let mut files: Vec<FileAttachment> = Vec::new();
    for (part, at) in message.content().iter().zip(0_usize..) {
        let is_kept = trim.kept.binary_search_by_key(&at, |kept| kept.part).is_ok();
        if let (MessagePart::File(file), false) = (part, is_kept) {
            files.push(file.attachment.clone());
        } else {
            parts.extend(trimmed_part(part, is_kept.then(|| left(&cut, at)).flatten(), source, at));
        }
    }
    if !files.is_empty() {
        parts.push(said(&request_note(&files))?);
    }
    Ok(parts)
}

/// What is left of a part; `text` is what the turn still says of it.
fn trimmed_part(
    part: &MessagePart,
    text: Option<&str>,
    source: &TranscriptTurn,
    at: usize,
) -> Option<MessagePart> {
    let whole = text.is_some_and(|text| Some(text) == said_by(source, at));
    match (part, text) {
        (MessagePart::StructuredOutput(_), _) => Some(part.clone()),
        (MessagePart::ToolCall(_), Some(_)) if whole => Some(part.clone()),
        (MessagePart::ToolCall(call), text) => {
            let mut call = call.clone();
            call.arguments = text.map(arguments::left_of).unwrap_or_default();
            Some(call.into())
        }
        (_, None) => None,
        (MessagePart::Text(_), Some(text)) if !whole => said(text).ok(),
        (MessagePart::Thinking(thinking), Some(text)) if !whole && thinking.provider_state.is_none() => {
            ThinkingPart::new(text).ok().map(Into::into)
        }
        (_, Some(_)) => Some(part.clone()),
    }
}

/// What a turn says in one of its parts.
fn said_by(turn: &TranscriptTurn, part: usize) -> Option<&str> {
    let Some(end) = turn.parts().get(part).map(|part| part.end) else {
        return (turn.parts().is_empty() && part == 0).then(|| &**turn.content());
    };
    let start =
        part.checked_sub(1).and_then(|before| turn.parts().get(before)).map_or(0, |before| before.end);
    turn.content().get(start..end)
}

/// What a cut turn says of a part of the turn that it was cut from.
fn left(cut: &CutTurn, part: usize) -> Option<&str> {
    let place = cut.pieces.partition_point(|piece| piece.part < part);
    let into = cut.pieces.get(place).filter(|piece| piece.part == part)?.into;
    let Some(end) = cut.parts.get(into).map(|part| part.end) else { return Some(&cut.content) };
    let start = into.checked_sub(1).and_then(|before| cut.parts.get(before)).map_or(0, |before| before.end);
    cut.content.get(start..end)
}

/// A text that providers accept as one.
fn said(text: &str) -> Result<MessagePart, MessageError> {
    let text = TextPart::new(text).or_else(|_| TextPart::new(NOTHING_LEFT))?;
    Ok(text.into())
}

fn durable(text: &str) -> DurableText {
    DurableText::new(text).unwrap_or_else(|_| DurableText::empty())
}
