//! Answers of ToolBench.
//!
//! # What is context
//!
//! The lists in `answer_generation.train_messages`. Each is a conversation of its own, with the old `function_call` and
//! results of the role `function` that name the tool and no call. Most lists begin as the one before them.
//!
//! # What is ballast
//!
//! The search tree, the candidates and the numbers: everything else.
//!
//! # What is written
//!
//! Messages of the chosen list go, contents and arguments change. A summary is a message of the model.

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list};
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Frame, Unit};
use crate::raw::Object;
use crate::request::ReadRequest;
use crate::shapes::object_in;

/// The format of ToolBench's answers.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct ToolBench;

/// The format's name.
const NAME: &str = "toolbench";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "an answer of ToolBench, a conversation for each list of training messages",
    told_by: "`answer_generation`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// A message of the model.
const SUMMARY: Frame = Frame { before: r#"{"role":"assistant","content":"#, after: "}" };

impl Format for ToolBench {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        object.has("answer_generation").then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Some(lists) = lists(document) else {
            let looks_like = Some("the ToolBench answer of a search that left no messages to train on");
            return Err(FormatError::Unrecognized { at: document.start(), looks_like });
        };
        let count = lists.messages.len();
        let chosen = request.choose(count, document.start())?;
        let found = lists.messages.get(chosen).and_then(|list| Found::at(*list));
        let found = found.ok_or_else(|| lacks(NAME, "train_messages", document))?;
        let chat = read_list(NAME, &found, document, request, &mut Messages)?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))).of(count))
    }
}

fn lists<'a>(document: &Document<'a>) -> Option<Found<'a>> {
    let Shape::Object(answer) = document.shape() else { return None };
    Found::under(&object_in(answer, "answer_generation")?, "train_messages")
}

/// Reads messages as a chat has them.
#[derive(Debug)]
struct Messages;

impl Records for Messages {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        chat.message(message, unit)
    }
}
