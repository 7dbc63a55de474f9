//! Chat completions messages.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, MediaSource};

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Neutral, Side, Turn};
use crate::raw::quoted;

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let mut messages: Vec<String> = neutral.system.iter().map(|text| said("system", &quoted(text))).collect();
    let mut moved = Vec::new();
    for turn in &neutral.turns {
        let is_result = |block: &Block| matches!(block, Block::Result(_));
        if !turn.blocks.iter().all(is_result) {
            messages.extend(shown(&mut moved));
        }
        match turn.side {
            Side::Model => messages.extend(models(turn)),
            Side::User => users(turn, &mut messages, &mut moved, losses),
            Side::System => messages.extend(texts(turn).map(|text| said("system", &quoted(text)))),
        }
    }
    messages.extend(shown(&mut moved));
    [r#"{"messages":["#, &messages.join(","), "]}"].concat()
}

/// The media of results, which are texts here, in a message behind them.
fn shown(moved: &mut Vec<String>) -> Option<String> {
    (!moved.is_empty()).then(|| said("user", &list(core::mem::take(moved).into_iter())))
}

fn said(role: &str, content: &str) -> String {
    [r#"{"role":""#, role, r#"","content":"#, content, "}"].concat()
}

fn texts(turn: &Turn) -> impl Iterator<Item = &str> {
    turn.blocks
        .iter()
        .filter_map(|block| if let Block::Text(text) = block { Some(text.as_str()) } else { None })
}

/// One text is a string, several are a list.
fn models(turn: &Turn) -> Option<String> {
    let texts: Vec<&str> = texts(turn).collect();
    let calls: Vec<String> = turn.blocks.iter().filter_map(call).collect();
    let content = match texts.as_slice() {
        [] if calls.is_empty() => return None,
        [] => String::from("null"),
        [text] => quoted(text),
        several => list(several.iter().map(|text| text_part(text))),
    };
    if calls.is_empty() {
        return Some(said("assistant", &content));
    }
    let head = [r#"{"role":"assistant","content":"#, &content].concat();
    Some([&head, r#","tool_calls":["#, &calls.join(","), "]}"].concat())
}

fn call(block: &Block) -> Option<String> {
    let Block::Call { id, name, json } = block else { return None };
    let function = [r#"{"name":"#, &quoted(name), r#","arguments":"#, &quoted(json), "}"].concat();
    Some([r#"{"id":"#, &quoted(id), r#","type":"function","function":"#, &function, "}"].concat())
}

/// Results are messages, before what else is said.
fn users(turn: &Turn, messages: &mut Vec<String>, moved: &mut Vec<String>, losses: &mut Losses) {
    let mut parts = Vec::new();
    for block in &turn.blocks {
        match block {
            Block::Text(text) => parts.push(text_part(text)),
            Block::Media(media) => match medium(media) {
                Some(part) => parts.push(part),
                None => losses.note(LossKind::Media, turn.message),
            },
            Block::Result(result) => {
                for media in &result.media {
                    let part = medium(media);
                    let kind = if part.is_some() { LossKind::MovedMedia } else { LossKind::Media };
                    losses.note(kind, turn.message);
                    moved.extend(part);
                }
                if result.is_error {
                    losses.note(LossKind::ErrorMark, turn.message);
                }
                let head = [r#"{"role":"tool","tool_call_id":"#, &quoted(&result.id)].concat();
                messages.push([&head, r#","content":"#, &quoted(&result.text), "}"].concat());
            }
            Block::Call { .. } => {}
        }
    }
    match (parts.len(), turn.blocks.as_slice()) {
        (0, _) => {}
        (1, [Block::Text(text)]) => messages.push(said("user", &quoted(text))),
        _ => messages.push(said("user", &list(parts.into_iter()))),
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    ["[", &parts.collect::<Vec<_>>().join(","), "]"].concat()
}

fn text_part(text: &str) -> String {
    [r#"{"type":"text","text":"#, &quoted(text), "}"].concat()
}

/// Images by a link or as data.
fn medium(media: &Media<'_>) -> Option<String> {
    let url = match (&media.source, media.kind) {
        (MediaSource::Url(url), MediaKind::Image) => String::from(url.as_ref()),
        (MediaSource::Base64(data), MediaKind::Image) => super::openai_responses::data_link(media, data),
        _ => return None,
    };
    let detail = super::openai_responses::detail(media);
    Some([r#"{"type":"image_url","image_url":{"url":"#, &quoted(&url), detail, "}}"].concat())
}
