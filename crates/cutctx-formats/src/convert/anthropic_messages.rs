//! Anthropic messages.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, MediaSource};

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Neutral, Outcome, Side, Turn};
use crate::raw::quoted;

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let messages = neutral.turns.iter().filter_map(|turn| message(turn, losses));
    let messages: Vec<String> = messages.collect();
    let system: Vec<String> = neutral.system.iter().map(|text| text_block(text)).collect();
    let system =
        if system.is_empty() { String::new() } else { [r#""system":["#, &system.join(","), "],"].concat() };
    ["{", &system, r#""messages":["#, &messages.join(","), "]}"].concat()
}

/// Results come first.
fn message(turn: &Turn, losses: &mut Losses) -> Option<String> {
    let role = if turn.side == Side::Model { "assistant" } else { "user" };
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for block in &turn.blocks {
        match block {
            Block::Text(text) => others.push(text_block(text)),
            Block::Call { id, name, json } => {
                let head =
                    [r#"{"type":"tool_use","id":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
                others.push([&head, r#","input":"#, json, "}"].concat());
            }
            Block::Result(outcome) => results.push(result(outcome, turn.message, losses)),
            Block::Media(media) => match medium(media) {
                Some(block) => others.push(block),
                None => losses.note(LossKind::Media, turn.message),
            },
        }
    }
    results.append(&mut others);
    let content = results.join(",");
    (!content.is_empty()).then(|| [r#"{"role":""#, role, r#"","content":["#, &content, "]}"].concat())
}

fn text_block(text: &str) -> String {
    [r#"{"type":"text","text":"#, &quoted(text), "}"].concat()
}

fn result(outcome: &Outcome, message: usize, losses: &mut Losses) -> String {
    let media: Vec<String> = outcome.media.iter().filter_map(medium).collect();
    (media.len()..outcome.media.len()).for_each(|_| losses.note(LossKind::Media, message));
    let content = if media.is_empty() {
        quoted(&outcome.text)
    } else {
        let text = (!outcome.text.trim().is_empty()).then(|| text_block(&outcome.text));
        ["[", &text.into_iter().chain(media).collect::<Vec<_>>().join(","), "]"].concat()
    };
    let head = [r#"{"type":"tool_result","tool_use_id":"#, &quoted(&outcome.id)].concat();
    let error = if outcome.is_error { r#","is_error":true"# } else { "" };
    [&head, r#","content":"#, &content, error, "}"].concat()
}

/// Images and documents, by a link or as data.
fn medium(media: &Media<'_>) -> Option<String> {
    let kind = match media.kind {
        MediaKind::Image => "image",
        MediaKind::Document => "document",
        MediaKind::Audio | MediaKind::Other | _ => return None,
    };
    let otherwise = if media.kind == MediaKind::Image { "image/png" } else { "application/pdf" };
    let label = media.label.as_deref().filter(|label| label.contains('/')).unwrap_or(otherwise);
    let source = match &media.source {
        MediaSource::Url(url) => [r#"{"type":"url","url":"#, &quoted(url), "}"].concat(),
        MediaSource::Base64(data) => {
            let head = [r#"{"type":"base64","media_type":"#, &quoted(label)].concat();
            [&head, r#","data":"#, &quoted(data), "}"].concat()
        }
        MediaSource::Elsewhere | MediaSource::File(_) | _ => return None,
    };
    Some([r#"{"type":""#, kind, r#"","source":"#, &source, "}"].concat())
}
