//! Trajectories in the Agent Trajectory Interchange Format.
//!
//! # What is context
//!
//! The `steps`. A step of the agent has its message, its reasoning and its calls; the results of the calls stand in the
//! same step, in `observation.results`. Results without the id of a call answer the calls in order.
//!
//! # What is ballast
//!
//! Metrics, `extra`, and what is said about the agent and the whole.
//!
//! # What is written
//!
//! Steps go with all that they hold; messages, arguments and contents of results change. A summary is a step of the
//! person. Where steps are numbered from 1 they are numbered again.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::PartView;
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, Records, finished, lacks, read_list};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Adding, Container, Draft, Edited, Frame, Place, Spelling, Unit};
use crate::note::NoteKind;
use crate::raw::{Member, Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::object_in;
use crate::view::View;

/// The Agent Trajectory Interchange Format.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Atif;

/// The format's name.
const NAME: &str = "atif";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a trajectory in the Agent Trajectory Interchange Format",
    told_by: "`schema_version` beside `steps`",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

/// A step without a message gets one.
const MESSAGE: Frame = Frame { before: r#""message":"#, after: "" };

/// How a new step begins, before it has its number.
const UNNUMBERED: &str = r#"{"step_id":0,"#;

impl Format for Atif {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        (object.has("schema_version") && object.has("steps")).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let found = match document.shape() {
            Shape::Object(object) => Found::under(object, "steps"),
            Shape::Array(..) | Shape::Lines | Shape::Glued(..) => None,
        };
        let found = found.ok_or_else(|| lacks(NAME, "steps", document))?;
        let chat = read_list(NAME, &found, document, request, &mut Steps)?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Numbered::new(&found))))
    }
}

/// Reads the steps.
#[derive(Debug)]
struct Steps;

impl Records for Steps {
    fn record(&mut self, chat: &mut Chat<'_>, step: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let role = match step.string("source").as_deref() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("agent") => Role::Assistant,
            _ => return Err(RecordFault::Field("source").into()),
        };
        let mut draft = said(chat, role, step, unit);
        chat.calls(step, unit, &mut draft);
        let id = |part: &PartView<'_>| {
            let PartView::ToolCall(call) = part else { return None };
            Some(String::from(call.call_id.as_ref()))
        };
        let called: Vec<String> = draft.message.parts.iter().filter_map(id).collect();
        chat.builder.push(draft)?;
        results(chat, step, &called, unit)
    }
}

/// The step's message, behind its reasoning. What the step holds keeps it alive.
fn said<'a>(chat: &mut Chat<'_>, role: Role, step: &Object<'a>, unit: Unit) -> Draft<'a> {
    let spans = step.members().iter().map(Member::span).collect();
    let members = chat.builder.list_in(unit, Container::Array(step.span()), spans, None);
    let mut draft = match step.get("message") {
        Some(message) => chat.blocks().draft(role, Some(message), unit),
        None => Draft::new(role, unit).adding(Adding::Element(members, MESSAGE)),
    };
    let own = step.members().iter().rposition(|member| member.key.is_string("reasoning_content"));
    let value = step.get("reasoning_content").and_then(|value| Some((value.span(), value.string()?)));
    if let Some((own, (span, text))) = own.zip(value) {
        let mut thought = Draft::new(role, unit);
        thought.add(PartView::Reasoning(text), Place::reasoning(members.unit(own), span));
        draft.prepend(thought);
    }
    draft
}

/// The results of the calls with these ids.
fn results(chat: &mut Chat<'_>, step: &Object<'_>, called: &[String], unit: Unit) -> Result<(), Fault> {
    let observation = object_in(step, "observation").unwrap_or_default();
    let Some(found) = Found::under(&observation, "results") else { return Ok(()) };
    let spans = found.messages.iter().map(Node::span).collect();
    let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
    for (index, node) in found.messages.iter().enumerate() {
        let result = node.object().ok().flatten().ok_or(RecordFault::Field("results"))?;
        let own = result.string("source_call_id").or_else(|| called.get(index).map(|id| id.as_str().into()));
        chat.answer(own, &result, result.get("content"), list.unit(index))?;
    }
    Ok(())
}

/// How steps are spelled.
#[derive(Debug)]
struct Numbered {
    /// The JSON value of each step's number, where the numbers run from 1.
    numbers: Vec<Span>,
}

impl Numbered {
    fn new(found: &Found<'_>) -> Self {
        let numbers: Vec<Option<Node<'_>>> = found.objects().map(|step| step.get("step_id")).collect();
        let runs = numbers
            .iter()
            .zip(1_u64..)
            .all(|(number, wanted)| number.is_some_and(|number| number.unsigned() == Some(wanted)));
        let spans = numbers.into_iter().flatten().map(|number| number.span());
        Self { numbers: if runs { spans.collect() } else { Vec::new() } }
    }
}

impl Spelling for Numbered {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [UNNUMBERED, r#""source":"user","message":"#, &quoted(text), "}"].concat()
    }

    /// Numbers the steps again from the first change on.
    fn finish(&self, edited: &mut Edited, _view: &View<'_>) -> Result<(), FormatError> {
        let mut added = core::mem::take(&mut edited.added).into_iter().peekable();
        let (mut number, mut spelled) = (1_usize, Vec::new());
        for (index, place) in self.numbers.iter().enumerate() {
            while let Some((before, step)) = added.next_if(|(before, _)| *before <= index) {
                spelled.push((before, numbered(&step, number)));
                number = number.saturating_add(1);
            }
            if edited.gone.get(index).copied().unwrap_or(false) {
                continue;
            }
            if number != index.saturating_add(1) {
                edited.splices.note(NoteKind::Renumbered, place.start);
                edited.splices.replace(*place, format!("{number}"));
            }
            number = number.saturating_add(1);
        }
        for (before, step) in added {
            spelled.push((before, numbered(&step, number)));
            number = number.saturating_add(1);
        }
        edited.added = spelled;
        Ok(())
    }
}

fn numbered(step: &str, number: usize) -> String {
    let rest = step.strip_prefix(UNNUMBERED).unwrap_or(step);
    format!(r#"{{"step_id":{number},{rest}"#)
}
