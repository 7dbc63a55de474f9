//! Traces of IronClaw.
//!
//! # What is context
//!
//! The `steps`, by the type of their `response`: what the person put in, what the model said, what it called. A result
//! is what is put in after calls, without an id: it answers the oldest open call of the tool that it names, or of any
//! where it names none that is open.
//!
//! # What is ballast
//!
//! `http_exchanges`, the hints at requests, and the numbers.
//!
//! # What is written
//!
//! Steps go, contents and arguments change. A summary is a text of the model.

use alloc::string::String;

use cutctx_messages::Origin;
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Frame, Unit};
use crate::raw::Object;
use crate::request::ReadRequest;
use crate::shapes::object_in;

/// The format of IronClaw's traces.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct IronClaw;

/// The format's name.
const NAME: &str = "ironclaw";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a trace of IronClaw",
    told_by: "`model_name` beside `steps`",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

/// A text of the model.
const SUMMARY: Frame = Frame { before: r#"{"response":{"type":"text","content":"#, after: "}}" };

impl Format for IronClaw {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        let first = Found::under(object, "steps")?.objects().next()?;
        (object.has("model_name") && first.has("response")).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let found = match document.shape() {
            Shape::Object(object) => Found::under(object, "steps"),
            Shape::Array(..) | Shape::Lines | Shape::Glued(..) => None,
        };
        let found = found.ok_or_else(|| lacks(NAME, "steps", document))?;
        let chat = read_list(NAME, &found, document, request, &mut Steps::default())?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))))
    }
}

/// The tool that an input says it is from.
fn tool_of(said: &str) -> Option<&str> {
    let (tool, _) = said.strip_prefix("[Tool `")?.split_once('`')?;
    Some(tool)
}

/// Reads the steps.
#[derive(Debug, Default)]
struct Steps {
    /// How many calls wait for what is put in.
    open: usize,
}

impl Records for Steps {
    fn record(&mut self, chat: &mut Chat<'_>, step: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let response = object_in(step, "response").ok_or(RecordFault::Field("response"))?;
        match response.string("type").as_deref() {
            Some("user_input") if self.open > 0 => {
                self.open = self.open.saturating_sub(1);
                let tool = response.string("content").and_then(|said| tool_of(&said).map(String::from));
                chat.answer_of(tool.as_deref(), response.get("content"), unit)
            }
            Some("user_input") => chat.say(Role::User, &response, Origin::Person, unit),
            Some("text" | "tool_calls") => {
                let mut draft = chat.draft(Role::Assistant, &response, unit);
                chat.forget_calls();
                self.open = chat.calls(&response, unit, &mut draft);
                Ok(chat.builder.push(draft)?)
            }
            _ => Ok(()),
        }
    }
}
