//! Checkpoints: a history of Gemini contents.

use alloc::string::String;

use cutctx_types::{Role, Transcript};

use super::NAME;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Container, LayoutBuilder, Spelling};
use crate::raw::{Node, quoted};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, Parts};
use crate::view::View;

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let sample = document.sample(1);
    let history = sample.first().and_then(|chat| chat.get("history"));
    let contents = history.and_then(|history| history.array().ok()?).unwrap_or_default();
    let place = history.map(|history| history.span()).unwrap_or_default();
    let mut builder = LayoutBuilder::new(NAME, request);
    let list = builder.list(Container::Array(place), contents.iter().map(Node::span).collect());
    let mut ids = MadeIds::default();
    for (index, node) in contents.into_iter().enumerate() {
        let Some(content) = node.object().ok().flatten() else { continue };
        let role = match content.string("role").as_deref() {
            Some("model" | "gemini" | "assistant") => Role::Assistant,
            Some("user" | "function" | "tool") => Role::User,
            _ => continue,
        };
        let mut parts = Parts { builder: &mut builder, ids: &mut ids };
        let mut draft = parts.draft(role, content.get("parts"), list.unit(index), None);
        draft.message.origin = origin_of_message(&draft.message);
        builder.push(draft)?;
    }
    let (mapped, layout) = builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Contents)))
}

/// How a content is spelled.
#[derive(Debug)]
struct Contents;

impl Spelling for Contents {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"user","parts":[{"text":"#, &quoted(text), "}]}"].concat()
    }
}
