//! Event logs of OpenHands, and the outputs of its evaluations, which hold one in each record.
//!
//! # What is context
//!
//! Messages, and the agent's actions with the observations that they cause. An action is a call; what the agent says
//! with it is its `thought`, and its arguments are those of the model's own response, where the event has one, or the
//! command or code of the action. `cause` links an observation to its action; where there is none, observations answer
//! in order. Calls of one response are one message, wherever they stand.
//!
//! The events that `condensation` events forget are no context any more. The summary of the last of them is a turn in
//! its place; such an event stays in the file whatever becomes of what it says.
//!
//! # What is ballast
//!
//! States of the agent, empty observations, what is recalled, and `message`, which tells an event to people. Of a
//! browser's observation only its `content` counts, not the page in its `extras`.
//!
//! # What is written
//!
//! Events go and texts change, also in the copies of the model's response that actions hold, for OpenHands reads both.
//! The copies in observations and the fields of an action by which it is run again stay as they are. A summary is a
//! message of the person.

mod copies;
mod event;
mod read;
mod write;

use alloc::vec::Vec;

use self::event::{is_event, is_logged};
use self::read::Reader;
use super::chat::{Found, lacks, values};
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::Container;
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;

/// The format of OpenHands' event logs.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct OpenHands;

/// The format's name.
const NAME: &str = "openhands";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "an event log of OpenHands, or the output of an evaluation with one in each record",
    told_by: "events with a `source` and an `action` or `observation`; `history` of such events",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// How many records are looked at.
const SAMPLE: usize = 24;

impl Format for OpenHands {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let records = document.sample(SAMPLE);
        let is_log = !matches!(document.shape(), Shape::Object(_)) && records.iter().any(is_logged);
        (is_log || records.first().is_some_and(is_output)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        if !document.sample(1).first().is_some_and(|record| record.has("history")) {
            let log = log(document)?;
            return Reader::read(&log, document, request);
        }
        let outputs = values(document)?;
        let chosen = request.choose(outputs.len(), document.start())?;
        let output = outputs.get(chosen).and_then(|output| output.object().ok().flatten());
        let found = output.and_then(|output| Found::under(&output, "history"));
        let found = found.ok_or_else(|| lacks(NAME, "history", document))?;
        let events = found.messages.iter().map(|node| (node.span(), *node)).collect();
        let log = Log { container: Container::Array(found.list), events };
        Ok(Reader::read(&log, document, request)?.of(outputs.len()))
    }
}

/// The events of a session, each with the stretch of the file that goes when it goes.
struct Log<'a> {
    container: Container,
    events: Vec<(Span, Node<'a>)>,
}

fn log<'a>(document: &Document<'a>) -> Result<Log<'a>, FormatError> {
    match document.shape() {
        Shape::Array(span, elements) => {
            let events = elements.iter().map(|node| (node.span(), *node)).collect();
            Ok(Log { container: Container::Array(*span), events })
        }
        Shape::Lines => {
            let lines = document.lines().filter(|line| !line.is_filler());
            let events = lines.map(|line| Ok((line.span, line.value()?)));
            let events = events.collect::<Result<_, _>>();
            let events = events.map_err(|error| FormatError::syntax(error, document.text()))?;
            Ok(Log { container: Container::Lines, events })
        }
        Shape::Object(_) | Shape::Glued(..) => Err(lacks(NAME, "history", document)),
    }
}

/// Whether a record is the output of an evaluation.
fn is_output(record: &Object<'_>) -> bool {
    let Some(history) = Found::under(record, "history") else { return false };
    match history.messages.first() {
        None => record.has("git_patch") || record.has("instance_id"),
        Some(first) => {
            let pair = Found::at(*first);
            let event = pair.map_or_else(|| first.object().ok().flatten(), |pair| pair.objects().next());
            event.as_ref().is_some_and(is_event)
        }
    }
}
