//! Bedrock Converse messages.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, MediaSource};

use super::loss::{LossKind, Losses};
use super::neutral::{Block, Neutral, Outcome, Side, Turn};
use crate::raw::quoted;

/// What the result of a call says that gave nothing: blank texts are refused here.
const NO_OUTPUT: &str = "(no output)";

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let messages = neutral.turns.iter().filter_map(|turn| message(turn, losses));
    let messages: Vec<String> = messages.collect();
    let system: Vec<String> = neutral.system.iter().map(|text| text_block(text)).collect();
    let mut before = String::new();
    if !system.is_empty() {
        before.extend([r#""system":["#, &system.join(","), "],"]);
    }
    before.push_str(&tools(neutral, losses));
    ["{", &before, r#""messages":["#, &messages.join(","), "]}"].concat()
}

/// A request with calls must define their tools.
fn tools(neutral: &Neutral, losses: &mut Losses) -> String {
    let blocks = neutral.turns.iter().flat_map(|turn| &turn.blocks);
    let names =
        blocks.filter_map(|block| if let Block::Call { name, .. } = block { Some(name) } else { None });
    let names: BTreeSet<&String> = names.collect();
    if names.is_empty() {
        return String::new();
    }
    for _ in &names {
        losses.note_of_document(LossKind::ToolDefinitions);
    }
    let tool = |name: &&String| {
        let schema = r#","inputSchema":{"json":{"type":"object"}}}}"#;
        [r#"{"toolSpec":{"name":"#, &quoted(name), schema].concat()
    };
    let tools: Vec<String> = names.iter().map(tool).collect();
    [r#""toolConfig":{"tools":["#, &tools.join(","), "]},"].concat()
}

fn message(turn: &Turn, losses: &mut Losses) -> Option<String> {
    let role = if turn.side == Side::Model { "assistant" } else { "user" };
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for block in &turn.blocks {
        match block {
            Block::Text(text) => others.push(text_block(text)),
            Block::Call { id, name, json } => {
                let head =
                    [r#"{"toolUse":{"toolUseId":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
                others.push([&head, r#","input":"#, json, "}}"].concat());
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
    [r#"{"text":"#, &quoted(text), "}"].concat()
}

fn result(outcome: &Outcome, message: usize, losses: &mut Losses) -> String {
    let media: Vec<String> = outcome.media.iter().filter_map(medium).collect();
    (media.len()..outcome.media.len()).for_each(|_| losses.note(LossKind::Media, message));
    let is_blank = outcome.text.trim().is_empty();
    let text = match (is_blank, media.is_empty()) {
        (true, true) => {
            losses.note(LossKind::FilledResult, message);
            Some(text_block(NO_OUTPUT))
        }
        (true, false) => None,
        (false, _) => Some(text_block(&outcome.text)),
    };
    let content = text.into_iter().chain(media).collect::<Vec<_>>().join(",");
    let head = [r#"{"toolResult":{"toolUseId":"#, &quoted(&outcome.id), r#","content":["#, &content].concat();
    let status = if outcome.is_error { r#","status":"error""# } else { "" };
    [&head, "]", status, "}}"].concat()
}

/// Images as data, in the formats that are taken.
fn medium(media: &Media<'_>) -> Option<String> {
    let (MediaSource::Base64(data), MediaKind::Image) = (&media.source, media.kind) else { return None };
    let format = match media.label.as_deref()? {
        "image/png" => "png",
        "image/jpeg" | "image/jpg" => "jpeg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        _ => return None,
    };
    let head = [r#"{"image":{"format":""#, format, r#"","source":{"bytes":"#].concat();
    Some([&head, &quoted(data), "}}}"].concat())
}
