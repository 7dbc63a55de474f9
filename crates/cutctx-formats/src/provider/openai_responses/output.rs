//! The answers to calls.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use cutctx_messages::{PartView, ResultView};
use cutctx_types::Role;

use super::content::{INPUT, as_text, block, read_part};
use super::screenshot;
use crate::layout::{Adding, Draft, Frame, Place, Unit};
use crate::raw::{Kind, Node, Object, Span};

/// The kind of an answer that is a picture.
pub(super) const SCREENSHOT: &str = "computer_call_output";

/// An output for an answer that has none.
const NEW_OUTPUT: Frame = Frame { before: r#","output":"#, after: "" };

/// A shell's output that is one text.
const SHELL: Frame =
    Frame { before: r#"[{"stdout":"#, after: r#","stderr":"","outcome":{"type":"exit","exit_code":0}}]"# };

/// The draft of an answer.
pub(super) fn output_draft<'a>(item: &Object<'a>, node: Node<'a>, unit: Unit) -> Draft<'a> {
    let mut draft = Draft::new(Role::Tool, unit);
    let kind = item.string("type").unwrap_or_default();
    let id = item.string("call_id").or_else(|| item.string("approval_request_id")).unwrap_or_default();
    draft.message.pinned = matches!(kind.as_ref(), "tool_search_output" | "mcp_approval_response");
    let (parts, place) = if draft.message.pinned {
        let tools = item.get("tools").unwrap_or(node);
        (vec![PartView::Media(block(kind, tools))], Place::silent_result(unit))
    } else {
        said(item, &kind, unit)
    };
    if place_is_missing(item) {
        let end = Span::at(item.span().end.saturating_sub(1));
        draft = draft.adding(Adding::Value(end, NEW_OUTPUT));
    }
    let failed =
        item.get("status").is_some_and(|status| status.is_string("failed")) || reports_failure(&parts);
    let result = ResultView::with_parts(id, parts).with_name(item.owned("name")).with_error(failed);
    draft.add(PartView::ToolResult(result), place);
    draft
}

/// Whether an answer has no member that says it.
fn place_is_missing(item: &Object<'_>) -> bool {
    !item.has("output") && !item.has("result")
}

/// What an answer is made of, and where it stands.
fn said<'a>(item: &Object<'a>, kind: &str, unit: Unit) -> (Vec<PartView<'a>>, Place) {
    let Some(value) = item.get("output").or_else(|| item.get("result")) else {
        return (Vec::new(), Place::silent_result(unit));
    };
    if kind == SCREENSHOT {
        return (vec![screen(value, unit)], Place::silent_result(unit));
    }
    if value.is_null() {
        return (Vec::new(), Place::result(unit, value.span(), Frame::BARE));
    }
    if let Some(streams) = Some(value).filter(|_| kind == "shell_call_output").and_then(streams) {
        return (vec![PartView::Text(streams)], Place::result(unit, value.span(), SHELL));
    }
    let place = Place::result(unit, value.span(), Frame::BARE);
    match value.kind() {
        Kind::Array => (parts_of(value, unit), place.made_of(value.span(), INPUT)),
        Kind::Object => (vec![PartView::Text(text_in(value))], place),
        Kind::String | Kind::Number | Kind::Bool | Kind::Null => {
            (vec![PartView::Text(as_text(value))], place)
        }
    }
}

/// What a computer call is answered with: a picture, or what a masked one says.
fn screen(value: Node<'_>, unit: Unit) -> PartView<'_> {
    if let Some(text) = screenshot::text_of(value) {
        return PartView::Text(Cow::Owned(text));
    }
    read_part(value, unit).map_or_else(|_| PartView::Media(block("output", value)), |(part, _)| part)
}

/// The parts of a list.
fn parts_of(value: Node<'_>, unit: Unit) -> Vec<PartView<'_>> {
    let parts = value.array().ok().flatten().unwrap_or_default();
    let read =
        |part| read_part(part, unit).map_or_else(|_| PartView::Media(block("part", part)), |read| read.0);
    parts.into_iter().map(read).collect()
}

/// What an object says: its own text, or all of it.
fn text_in(value: Node<'_>) -> Cow<'_, str> {
    let own =
        || value.object().ok()?.and_then(|value| value.string("text").or_else(|| value.string("content")));
    own().unwrap_or_else(|| as_text(value))
}

/// What a shell wrote, command by command.
fn streams(value: Node<'_>) -> Option<Cow<'_, str>> {
    let commands = value.array().ok().flatten()?;
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    for command in commands {
        let command = command.object().ok().flatten()?;
        texts.extend(["stdout", "stderr"].iter().filter_map(|key| command.string(key)));
    }
    texts.retain(|text| !text.is_empty());
    if texts.len() == 1 { texts.pop() } else { Some(Cow::Owned(texts.concat())) }
}

/// How much of a text's beginning or end may say how a command ended.
const EDGE: usize = 160;

/// Whether an answer says of itself that a command failed: by an exit code in the frame that a shell tool puts around
/// its output.
fn reports_failure(parts: &[PartView<'_>]) -> bool {
    let Some(PartView::Text(text)) = parts.first() else { return false };
    let code = if text.starts_with(r#"{"output":"#) {
        number_after(tail(text, EDGE), r#""exit_code":"#)
    } else {
        let head = head(text, EDGE);
        ["Process exited with code ", "Exit code: "].iter().find_map(|words| number_after(head, words))
    };
    code.is_some_and(|code| code != "0")
}

/// The digits after some words.
fn number_after(text: &str, words: &str) -> Option<String> {
    let (_, rest) = text.split_once(words)?;
    let digits: String =
        rest.trim_start().chars().take_while(|digit| digit.is_ascii_digit() || *digit == '-').collect();
    (!digits.is_empty()).then_some(digits)
}

/// The beginning of a text, so many bytes of it or a little less.
fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|place| text.is_char_boundary(*place));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// The end of a text, so many bytes of it or a little less.
pub(crate) fn tail(text: &str, bytes: usize) -> &str {
    let start = text.len().saturating_sub(bytes);
    let start = (start..=text.len()).find(|place| text.is_char_boundary(*place));
    text.get(start.unwrap_or(0)..).unwrap_or_default()
}
