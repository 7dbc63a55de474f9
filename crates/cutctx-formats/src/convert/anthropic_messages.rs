//! Anthropic messages.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Media, MediaKind, MediaSource};

use super::content::{Blocks, messages, texts};
use super::loss::Losses;
use super::neutral::{Neutral, Outcome};
use crate::raw::quoted;

pub(super) fn write(neutral: &Neutral, losses: &mut Losses) -> String {
    let system = texts::<Anthropic>(&neutral.system);
    let system = if system.is_empty() { system } else { [r#""system":["#, &system, "],"].concat() };
    ["{", &system, r#""messages":["#, &messages::<Anthropic>(&neutral.turns, losses), "]}"].concat()
}

struct Anthropic;

impl Blocks for Anthropic {
    const MODEL: &'static str = "assistant";
    const KEY: &'static str = "content";

    fn text(text: &str) -> String {
        [r#"{"type":"text","text":"#, &quoted(text), "}"].concat()
    }

    fn call(id: &str, name: &str, json: &str) -> String {
        let head = [r#"{"type":"tool_use","id":"#, &quoted(id), r#","name":"#, &quoted(name)].concat();
        [&head, r#","input":"#, json, "}"].concat()
    }

    fn result(outcome: &Outcome, media: Vec<String>, _message: usize, _losses: &mut Losses) -> String {
        let content = if media.is_empty() {
            quoted(&outcome.text)
        } else {
            let text = (!outcome.text.trim().is_empty()).then(|| Self::text(&outcome.text));
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
}
