//! Transcripts of Cursor's agent: JSON Lines of `{role, message: {content: […]}}`.
//!
//! # What is context
//!
//! Every line, from top to bottom. Calls and results have no ids: a result answers the oldest open call of its tool.
//! Exports of older versions lack the calls; what is left of them is texts of the model one after the other.
//!
//! # What is written
//!
//! Lines go and blocks change. A summary is a line of the user.

use alloc::string::String;

use cutctx_types::{Role, Transcript};

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of_message;
use crate::layout::{Container, Frame, LayoutBuilder, Spelling};
use crate::raw::Object;
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, Records, object_in, records};
use crate::view::View;

/// The format of Cursor's transcripts.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Cursor;

/// The format's name.
const NAME: &str = "cursor";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a transcript of Cursor's agent",
    told_by: "lines with a `role` beside a `message` that has `content`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 4;

impl Format for Cursor {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let lines = matches!(document.shape(), Shape::Lines | Shape::Object(_));
        (lines && document.sample(SAMPLE).iter().any(is_line)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Records { places, objects } = records(document)?;
        let mut builder = LayoutBuilder::new(NAME, request);
        let list = builder.list(Container::Lines, places);
        let mut ids = MadeIds::default();
        for (index, line) in objects.iter().enumerate() {
            let role = match line.string("role").as_deref() {
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                Some("system") => Role::System,
                _ => continue,
            };
            let content = object_in(line, "message").and_then(|message| message.get("content"));
            let mut blocks = Blocks { builder: &mut builder, ids: &mut ids };
            let mut draft = blocks.draft(role, content, list.unit(index));
            draft.message.origin = origin_of_message(&draft.message);
            builder.push(draft)?;
        }
        let (mapped, layout) = builder.finish();
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Lines)))
    }
}

fn is_line(line: &Object<'_>) -> bool {
    line.string("role").is_some()
        && !line.has("type")
        && object_in(line, "message").is_some_and(|message| message.has("content"))
}

/// How a line is spelled.
#[derive(Debug)]
struct Lines;

impl Spelling for Lines {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        let said = Frame::TEXT_BLOCK.of(text);
        [r#"{"role":"user","message":{"content":["#, &said, "]}}"].concat()
    }
}
