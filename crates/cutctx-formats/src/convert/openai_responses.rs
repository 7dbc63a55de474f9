//! Responses items.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Detail, Media, MediaKind, MediaSource};

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Neutral, Outcome, Side, Turn};
use crate::raw::quoted;

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let mut items: Vec<String> = neutral.system.iter().map(|text| said("system", &quoted(text))).collect();
    for turn in &neutral.turns {
        turn_items(turn, &mut items, losses);
    }
    [r#"{"input":["#, &items.join(","), "]}"].concat()
}

fn turn_items(turn: &Turn, items: &mut Vec<String>, losses: &mut Losses) {
    let mut parts = Vec::new();
    for block in &turn.blocks {
        match block {
            Block::Text(text) if turn.side == Side::Model => items.push(models_text(text)),
            Block::Text(text) if turn.side == Side::System => items.push(said("system", &quoted(text))),
            Block::Text(text) => parts.push(input_text(text)),
            Block::Call { id, name, json } => items.push(call(id, name, json)),
            Block::Result(result) => items.push(output(result, turn.message, losses)),
            Block::Media(media) => match medium(media) {
                Some(part) => parts.push(part),
                None => losses.note(LossKind::Media, turn.message),
            },
        }
    }
    if !parts.is_empty() {
        items.push(said("user", &["[", &parts.join(","), "]"].concat()));
    }
}

fn input_text(text: &str) -> String {
    [r#"{"type":"input_text","text":"#, &quoted(text), "}"].concat()
}

fn said(role: &str, content: &str) -> String {
    [r#"{"type":"message","role":""#, role, r#"","content":"#, content, "}"].concat()
}

fn models_text(text: &str) -> String {
    said(
        "assistant",
        &[r#"[{"type":"output_text","text":"#, &quoted(text), r#","annotations":[]}]"#].concat(),
    )
}

fn call(id: &str, name: &str, json: &str) -> String {
    let head = [r#"{"type":"function_call","call_id":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
    [&head, r#","arguments":"#, &quoted(json), "}"].concat()
}

fn output(result: &Outcome, message: usize, losses: &mut Losses) -> String {
    if result.is_error {
        losses.note(LossKind::ErrorMark, message);
    }
    let media: Vec<String> = result.media.iter().filter_map(medium).collect();
    (media.len()..result.media.len()).for_each(|_| losses.note(LossKind::Media, message));
    let said = if media.is_empty() {
        quoted(&result.text)
    } else {
        let text = (!result.text.trim().is_empty()).then(|| input_text(&result.text));
        ["[", &text.into_iter().chain(media).collect::<Vec<_>>().join(","), "]"].concat()
    };
    let head = [r#"{"type":"function_call_output","call_id":"#, &quoted(&result.id)].concat();
    [&head, r#","output":"#, &said, "}"].concat()
}

fn medium(media: &Media<'_>) -> Option<String> {
    let url = match (&media.source, media.kind) {
        (MediaSource::Url(url), MediaKind::Image) => String::from(url.as_ref()),
        (MediaSource::Base64(data), MediaKind::Image) => data_link(media, data),
        _ => return None,
    };
    Some([r#"{"type":"input_image","image_url":"#, &quoted(&url), detail(media), "}"].concat())
}

/// The member that tells how closely an image is to be looked at, where that is told.
pub(super) const fn detail(media: &Media<'_>) -> &'static str {
    match media.detail {
        Detail::Low => r#","detail":"low""#,
        Detail::High => r#","detail":"high""#,
        Detail::Automatic | _ => "",
    }
}

/// Data as a link.
pub(super) fn data_link(media: &Media<'_>, data: &str) -> String {
    let label = media.label.as_deref().unwrap_or("image/png");
    ["data:", label, ";base64,", data].concat()
}
