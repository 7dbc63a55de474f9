//! Evaluation logs of Inspect, and single samples of them.
//!
//! # What is context
//!
//! The `messages` of a sample; each sample is a conversation. A call names its tool in `function` and has an object of
//! arguments, a result may carry an `error`. Reasoning with a signature stays whole or goes.
//!
//! # What is ballast
//!
//! `events`, which tell every request and every message once more, `attachments`, the plan, scores and the sample's
//! `input` and `output`.
//!
//! # What is written
//!
//! Messages of the chosen sample go, contents and arguments change. A summary is a message of the person, as the task
//! before it.

use alloc::vec::Vec;

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list};
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Frame, Unit};
use crate::raw::{Node, Object};
use crate::request::ReadRequest;

/// The format of Inspect's logs.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Inspect;

/// The format's name.
const NAME: &str = "inspect";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "an evaluation log of Inspect, a conversation for each sample",
    told_by: "`eval` and `status`; in a single sample `epoch` and `target` beside `messages`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// A message of the person.
const SUMMARY: Frame = Frame { before: r#"{"content":"#, after: r#","role":"user"}"# };

impl Format for Inspect {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(log) = document.shape() else { return None };
        (is_log(log) || is_sample(log)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Shape::Object(log) = document.shape() else { return Err(lacks(NAME, "samples", document)) };
        let samples = if is_sample(log) { alloc::vec![log.clone()] } else { samples(log) };
        if samples.is_empty() {
            let looks_like = Some("the frame of an Inspect log, without its samples");
            return Err(FormatError::Unrecognized { at: document.start(), looks_like });
        }
        let chosen = request.choose(samples.len(), document.start())?;
        let found = samples.get(chosen).and_then(|sample| Found::under(sample, "messages"));
        let found = found.ok_or_else(|| lacks(NAME, "messages", document))?;
        let chat = read_list(NAME, &found, document, request, &mut Messages)?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))).of(samples.len()))
    }
}

fn is_log(log: &Object<'_>) -> bool {
    log.has("eval") && log.has("status")
}

fn is_sample(sample: &Object<'_>) -> bool {
    ["epoch", "target", "messages"].iter().all(|key| sample.has(key))
}

fn samples<'a>(log: &Object<'a>) -> Vec<Object<'a>> {
    let samples = log.get("samples").and_then(|samples| samples.array().ok().flatten()).unwrap_or_default();
    samples.iter().map(|sample: &Node<'a>| sample.object().ok().flatten().unwrap_or_default()).collect()
}

/// Reads messages as a chat has them.
#[derive(Debug)]
struct Messages;

impl Records for Messages {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        chat.message(message, unit)
    }
}
