//! Sessions of Goose: its session files in JSON Lines, and its exports with a `conversation`.
//!
//! # What is context
//!
//! Messages with `content` blocks: `toolRequest` is a call, `toolResponse` a result. Messages whose metadata says that
//! the agent does not see them (`agentVisible`), as a compaction leaves them, are no turns; the first line of a session
//! file and the other fields of an export stay.
//!
//! # What is written
//!
//! Messages go and blocks change. A summary is a message of the user.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::{Role, Transcript, TurnError};

use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of_message;
use crate::layout::{Container, Frame, LayoutBuilder, Spelling, Unit};
use crate::raw::{Node, Object};
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, Records, Stamps, array_in, object_in, records, short};
use crate::view::View;

/// The format of Goose's sessions.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Goose;

/// The format's name.
const NAME: &str = "goose";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session file or an export of Goose",
    told_by: "`working_dir` beside `conversation`, or lines with `created` and blocks such as `toolRequest`",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 24;

impl Format for Goose {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let is_own = match document.shape() {
            Shape::Object(object) => object.has("working_dir") && array_in(object, "conversation").is_some(),
            Shape::Lines => {
                let lines = document.sample(SAMPLE);
                let header = |line: &Object<'_>| line.has("working_dir") && line.has("message_count");
                lines.iter().any(header) || lines.iter().any(is_message)
            }
            Shape::Array(..) | Shape::Glued(..) => false,
        };
        is_own.then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let mut builder = LayoutBuilder::new(NAME, request);
        let list = match document.shape() {
            Shape::Object(object) => object.get("conversation"),
            Shape::Lines | Shape::Array(..) | Shape::Glued(..) => None,
        };
        let (records, objects) = if let Some(list) = list {
            let nodes = list.array().ok().flatten().unwrap_or_default();
            let spans = nodes.iter().map(Node::span).collect();
            let objects: Vec<Object<'_>> =
                nodes.iter().map(|node| node.object().ok().flatten().unwrap_or_default()).collect();
            (builder.list(Container::Array(list.span()), spans), objects)
        } else {
            let Records { places, objects } = records(document)?;
            (builder.list(Container::Lines, places), objects)
        };
        let mut reader = Reader { builder, ids: MadeIds::default() };
        for (index, message) in objects.iter().enumerate() {
            reader.message(message, records.unit(index))?;
        }
        let (mapped, layout) = reader.builder.finish();
        let stamps = Stamps::new(
            &objects.into_iter().map(Some).collect::<Vec<_>>(),
            ("id", "created"),
            document.text(),
        );
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Messages { stamps })))
    }
}

/// A message with a block that only Goose has.
fn is_message(line: &Object<'_>) -> bool {
    let own = |kind: &str| matches!(kind, "toolRequest" | "toolResponse" | "frontendToolRequest");
    let blocks: Vec<Node<'_>> = array_in(line, "content").unwrap_or_default();
    line.has("role")
        && line.has("created")
        && blocks.iter().any(|block| {
            let kind = block.object().ok().flatten().and_then(|block| block.string("type"));
            kind.is_some_and(|kind| own(kind.as_ref()))
        })
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    ids: MadeIds,
}

impl Reader<'_> {
    fn message(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let role = match message.string("role").as_deref() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return Ok(()),
        };
        let visible = object_in(message, "metadata").and_then(|metadata| metadata.get("agentVisible"));
        if visible.is_some_and(|visible| visible.text() == "false") {
            return Ok(());
        }
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = blocks.draft(role, message.get("content"), unit);
        draft.message.origin = origin_of_message(&draft.message);
        self.builder.push(draft)
    }
}

/// How messages are spelled.
#[derive(Debug)]
struct Messages {
    stamps: Stamps,
}

impl Spelling for Messages {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let id = self.stamps.id(group, short, view.text());
        let time = self.stamps.time(before, view.text()).unwrap_or("0");
        let said = Frame::TEXT_BLOCK.of(text);
        let content = [r#","role":"user","created":"#, time, r#","content":["#, &said, "]"].concat();
        [r#"{"id":"#, &id, &content, r#","metadata":{"userVisible":false,"agentVisible":true}}"#].concat()
    }
}
