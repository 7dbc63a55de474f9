//! Spans of OpenTelemetry that tell what a model was sent.
//!
//! # What is context
//!
//! Each span that tells messages is a conversation. It may tell them
//!
//! * in `gen_ai.input.messages`, with `gen_ai.system_instructions` before them, which can only be kept;
//! * in `ai.prompt.messages`, as Vercel's AI SDK does;
//! * in events such as `gen_ai.user.message`.
//!
//! The first two are JSON inside of a text, as a rule; some exporters write them as JSON itself. Spans stand in an
//! array, one a line, or in the `resourceSpans` of OTLP.
//!
//! # What is ballast
//!
//! What the model answered, all other attributes, and spans around others that tell the same prompt in their own way
//! (`ai.prompt`).
//!
//! # What is written
//!
//! Messages of the chosen span go, texts and arguments change. JSON inside of a text is written as one new text. A
//! summary is a message of the person.

mod find;
mod inside;
mod parts;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{MessageView, PartView};
use cutctx_types::{Role, Transcript};

use self::find::{Told, attribute, is_flattened, is_span, spans, told_by};
use self::inside::read_inside;
use self::parts::{Dialogue, Spoken};
use super::chat::{Chat, Found, Framed, finished, lacks, read_list};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Lens, Reading};
use crate::layout::Draft;
use crate::raw::{Node, Object};
use crate::request::ReadRequest;

/// The format of OpenTelemetry's spans of models.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct OtelGenAi;

/// The format's name.
const NAME: &str = "otel-genai";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "spans of OpenTelemetry with a model's messages, a conversation for each",
    told_by: "`spanContext`, `resourceSpans`, or attributes such as `gen_ai.input.messages`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// What spans are called that tell every field of every message in an attribute of its own.
const FLATTENED: &str = "spans of OpenTelemetry whose messages are taken apart into attributes";

/// How many records are looked at.
const SAMPLE: usize = 4;

impl Format for OtelGenAi {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let is_own =
            |record: &Object<'_>| is_span(record) || is_flattened(record) || record.has("resourceSpans");
        document.sample(SAMPLE).iter().any(is_own).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let told: Vec<_> =
            spans(document)?.into_iter().filter_map(|span| Some((told_by(&span)?, span))).collect();
        if told.is_empty() {
            let flat = spans(document)?.iter().any(is_flattened);
            let looks_like =
                Some(if flat { FLATTENED } else { "the spans of a program, without messages of a model" });
            return Err(FormatError::Unrecognized { at: document.start(), looks_like });
        }
        let count = told.len();
        let chosen = request.choose(count, document.start())?;
        let (told, span) = told.into_iter().nth(chosen).ok_or_else(|| lacks(NAME, "attributes", document))?;
        let (transcript, lens) = read_told(&told, &span, document, request)?;
        Ok(Reading::boxed(transcript, lens).of(count))
    }
}

/// What reading a conversation gives.
type Read = (Transcript, Box<dyn Lens>);

fn read_told(
    told: &Told<'_>,
    span: &Object<'_>,
    document: &Document<'_>,
    request: &ReadRequest<'_>,
) -> Result<Read, FormatError> {
    let system = attribute(span, "gen_ai.system_instructions").map(instructions).unwrap_or_default();
    match told {
        Told::Messages(value, form) => {
            let mut reader = Dialogue { system, form: *form };
            match Found::at(*value) {
                Some(found) => {
                    let chat = read_list(NAME, &found, document, request, &mut reader)?;
                    let (transcript, layout) = finished(chat)?;
                    Ok((transcript, Box::new(layout.spelled(Framed(form.summary())))))
                }
                None => read_inside(*value, &mut reader, document, request),
            }
        }
        Told::Events(found, form) => {
            let chat = read_list(NAME, found, document, request, &mut Spoken)?;
            let (transcript, layout) = finished(chat)?;
            Ok((transcript, Box::new(layout.spelled(Framed(form.summary_event())))))
        }
    }
}

/// The texts of instructions, which are JSON or JSON inside of a text.
fn instructions(value: Node<'_>) -> Vec<String> {
    let inner = value.string();
    let node = match &inner {
        Some(text) => Node::parse(text, 0).unwrap_or(value),
        None => value,
    };
    let parts = Found::at(node).map(|found| found.objects().collect::<Vec<_>>()).unwrap_or_default();
    parts.iter().filter_map(|part| part.owned("content").or_else(|| part.owned("text"))).collect()
}

/// Says the instructions.
fn say_system(chat: &mut Chat<'_>, texts: &mut Vec<String>) -> Result<(), cutctx_types::TurnError> {
    let texts = core::mem::take(texts);
    if texts.is_empty() {
        return Ok(());
    }
    let parts = texts.into_iter().map(PartView::text).collect();
    chat.builder.push(Draft::fixed(MessageView::new(Role::System, parts)))
}
