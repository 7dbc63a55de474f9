//! Traces of Happy: an array of messages between its app and the agent, most of them lines of Claude Code.
//!
//! # What is context
//!
//! Messages of the role `user` with a text, and of the role `agent` whose `output` is a user's or an assistant's line of
//! Claude Code. What a person typed into the app comes as the app's message, and again as a line of the agent without
//! a result: only the app's counts where both say the same one after the other. Side chains and other outputs are no
//! turns.
//!
//! # What is written
//!
//! Messages go and blocks change. A summary is a message of the user.

use alloc::borrow::Cow;
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
use crate::shapes::{Blocks, MadeIds, Stamps, object_in, short};
use crate::view::View;

/// The format of Happy's traces.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct HappyTrace;

/// The format's name.
const NAME: &str = "happy-trace";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a trace of Happy, an app for Claude Code",
    told_by: "an array of objects with `seq`, `localId` and `content`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// How many messages are looked at.
const SAMPLE: usize = 4;

impl Format for HappyTrace {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let is_message =
            |message: &Object<'_>| ["seq", "localId", "content"].iter().all(|key| message.has(key));
        let array = matches!(document.shape(), Shape::Array(..));
        (array && document.sample(SAMPLE).iter().any(is_message)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Shape::Array(array, elements) = document.shape() else {
            return Err(FormatError::Unrecognized { at: document.start(), looks_like: None });
        };
        let mut builder = LayoutBuilder::new(NAME, request);
        let list = builder.list(Container::Array(*array), elements.iter().map(Node::span).collect());
        let mut reader = Reader { builder, ids: MadeIds::default(), typed: None };
        for (index, element) in elements.iter().enumerate() {
            if let Some(message) = element.object().ok().flatten() {
                reader.message(&message, list.unit(index))?;
            }
        }
        let (mapped, layout) = reader.builder.finish();
        let objects = elements.iter().map(|element| element.object().ok().flatten());
        let stamps = Stamps::new(&objects.collect::<Vec<_>>(), ("id", "createdAt"), document.text());
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Messages { stamps })))
    }
}

struct Reader<'a, 'r> {
    builder: LayoutBuilder<'r>,
    ids: MadeIds,
    /// What the person typed last, as long as nothing else was said.
    typed: Option<Cow<'a, str>>,
}

impl<'a> Reader<'a, '_> {
    fn message(&mut self, message: &Object<'a>, unit: Unit) -> Result<(), TurnError> {
        let Some(outer) = object_in(message, "content") else { return Ok(()) };
        let Some(inner) = object_in(&outer, "content") else { return Ok(()) };
        match outer.string("role").as_deref() {
            Some("user") => {
                let Some(text) = inner.get("text") else { return Ok(()) };
                self.typed = text.string();
                self.push(Role::User, Some(text), unit)
            }
            Some("agent") => match object_in(&inner, "data") {
                Some(data) => self.output(&data, unit),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn output(&mut self, line: &Object<'a>, unit: Unit) -> Result<(), TurnError> {
        if line.get("isSidechain").is_some_and(|flag| flag.is_true()) {
            return Ok(());
        }
        let role = match line.string("type").as_deref() {
            Some("assistant") => Role::Assistant,
            Some("user") => Role::User,
            _ => return Ok(()),
        };
        let content = object_in(line, "message").and_then(|message| message.get("content"));
        if role == Role::User && self.repeats(content) {
            return Ok(());
        }
        self.typed = None;
        self.push(role, content, unit)
    }

    /// Whether a line says again what the person typed.
    fn repeats(&self, content: Option<Node<'a>>) -> bool {
        let Some(content) = content else { return false };
        let only = || match content.array().ok()??.as_slice() {
            [block] => block.object().ok()??.string("text"),
            _ => None,
        };
        self.typed.is_some() && content.string().or_else(only) == self.typed
    }

    fn push(&mut self, role: Role, content: Option<Node<'a>>, unit: Unit) -> Result<(), TurnError> {
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = blocks.draft(role, content, unit);
        draft.message.origin = origin_of_message(&draft.message);
        self.builder.push(draft)
    }
}

/// What is needed to write a trace back.
#[derive(Debug)]
struct Messages {
    stamps: Stamps,
}

impl Spelling for Messages {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let id = self.stamps.id(group, short, view.text());
        let time = self.stamps.time(before, view.text()).unwrap_or("0");
        let said = Frame::TEXT_BLOCK.of(text);
        [
            r#"{"id":"#,
            &id,
            r#","seq":0,"localId":null,"content":{"role":"user","content":"#,
            &said,
            r#"},"createdAt":"#,
            time,
            "}",
        ]
        .concat()
    }
}
