//! Gemini contents.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaSource};

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Neutral, Outcome, Side, Turn};
use crate::raw::quoted;

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let contents = neutral.turns.iter().filter_map(|turn| content(turn, losses));
    let contents: Vec<String> = contents.collect();
    let system: Vec<String> = neutral.system.iter().map(|text| text_part(text)).collect();
    let system = if system.is_empty() {
        String::new()
    } else {
        [r#""systemInstruction":{"parts":["#, &system.join(","), "]},"].concat()
    };
    ["{", &system, r#""contents":["#, &contents.join(","), "]}"].concat()
}

fn content(turn: &Turn, losses: &mut Losses) -> Option<String> {
    let role = if turn.side == Side::Model { "model" } else { "user" };
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for block in &turn.blocks {
        match block {
            Block::Text(text) => others.push(text_part(text)),
            Block::Call { id, name, json } => {
                let head = [r#"{"functionCall":{"id":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
                others.push([&head, r#","args":"#, json, "}}"].concat());
            }
            Block::Result(outcome) => results.push(response(outcome, turn.message, losses)),
            Block::Media(media) => match medium(media) {
                Some(part) => others.push(part),
                None => losses.note(LossKind::Media, turn.message),
            },
        }
    }
    results.append(&mut others);
    let parts = results.join(",");
    (!parts.is_empty()).then(|| [r#"{"role":""#, role, r#"","parts":["#, &parts, "]}"].concat())
}

fn text_part(text: &str) -> String {
    [r#"{"text":"#, &quoted(text), "}"].concat()
}

/// What a function responds is an object: its output, or its error.
fn response(outcome: &Outcome, message: usize, losses: &mut Losses) -> String {
    outcome.media.iter().for_each(|_| losses.note(LossKind::Media, message));
    let key = if outcome.is_error { "error" } else { "output" };
    let head = [r#"{"functionResponse":{"id":"#, &quoted(&outcome.id), r#","name":"#].concat();
    let response = [r#"{""#, key, r#"":"#, &quoted(&outcome.text), "}"].concat();
    [&head, &quoted(&outcome.name), r#","response":"#, &response, "}}"].concat()
}

/// Anything that has a media type, as data or by a link.
fn medium(media: &Media<'_>) -> Option<String> {
    let label = quoted(media.label.as_deref().filter(|label| label.contains('/'))?);
    match &media.source {
        MediaSource::Base64(data) => {
            let head = [r#"{"inlineData":{"mimeType":"#, &label].concat();
            Some([&head, r#","data":"#, &quoted(data), "}}"].concat())
        }
        MediaSource::Url(url) => {
            let head = [r#"{"fileData":{"mimeType":"#, &label].concat();
            Some([&head, r#","fileUri":"#, &quoted(url), "}}"].concat())
        }
        MediaSource::Elsewhere | MediaSource::File(_) | _ => None,
    }
}
