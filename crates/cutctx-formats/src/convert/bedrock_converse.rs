//! Bedrock Converse messages.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, MediaSource};

use super::content::{Blocks, messages, texts};
use super::loss::{LossKind, Losses};
use super::neutral::{Block, Neutral, Outcome};
use crate::raw::quoted;

/// What the result of a call says that gave nothing: blank texts are refused here.
const NO_OUTPUT: &str = "(no output)";

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let messages = messages::<Bedrock>(&neutral.turns, losses);
    let system = texts::<Bedrock>(&neutral.system);
    let mut before = String::new();
    if !system.is_empty() {
        before.extend([r#""system":["#, &system, "],"]);
    }
    before.push_str(&tools(neutral, losses));
    ["{", &before, r#""messages":["#, &messages, "]}"].concat()
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

struct Bedrock;

impl Blocks for Bedrock {
    const MODEL: &'static str = "assistant";
    const KEY: &'static str = "content";

    fn text(text: &str) -> String {
        [r#"{"text":"#, &quoted(text), "}"].concat()
    }

    fn call(id: &str, name: &str, json: &str) -> String {
        let head = [r#"{"toolUse":{"toolUseId":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
        [&head, r#","input":"#, json, "}}"].concat()
    }

    fn result(outcome: &Outcome, media: Vec<String>, message: usize, losses: &mut Losses) -> String {
        let text = match (outcome.text.trim().is_empty(), media.is_empty()) {
            (true, true) => {
                losses.note(LossKind::FilledResult, message);
                Some(Self::text(NO_OUTPUT))
            }
            (true, false) => None,
            (false, _) => Some(Self::text(&outcome.text)),
        };
        let content = text.into_iter().chain(media).collect::<Vec<_>>().join(",");
        let head =
            [r#"{"toolResult":{"toolUseId":"#, &quoted(&outcome.id), r#","content":["#, &content].concat();
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
}
