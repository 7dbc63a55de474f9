//! Transcripts of Antigravity: JSON Lines of steps.
//!
//! # What is context
//!
//! `USER_INPUT` is what a person said, `PLANNER_RESPONSE` what the model thought, said and called, and every other step
//! of the model is the result of a call: calls have no ids, so a result answers the oldest call that is still open.
//! Messages of the system are words of the harness in a person's place. A `CHECKPOINT` is the summary of an earlier
//! compaction: what was before it is no context. `CONVERSATION_HISTORY` and steps that say nothing are no turns.
//!
//! The tool writes shortened texts (`truncated_fields`); what they were before cannot be told from the file.
//!
//! # What is written
//!
//! Lines go and texts change. The line of a checkpoint stays, and a new summary takes the place of its text. A summary
//! is an input of the user.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Origin, PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::earlier_summary::EarlierSummary;
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Adding, Container, Draft, Edited, Frame, LayoutBuilder, List, Place, Spelling};
use crate::raw::{Member, Node, Object, quoted};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, Records, Stamps, array_in, call_at, records, result_content};
use crate::view::View;

/// The format of Antigravity's transcripts.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Antigravity;

/// The format's name.
const NAME: &str = "antigravity";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a transcript of Antigravity",
    told_by: "lines with `step_index` and `source`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 4;

/// A response that says nothing yet gets a content.
const CONTENT: Frame = Frame { before: r#""content":"#, after: "" };

impl Format for Antigravity {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let lines = matches!(document.shape(), Shape::Lines | Shape::Object(_));
        let is_step = |line: &Object<'_>| ["step_index", "source", "type"].iter().all(|key| line.has(key));
        (lines && document.sample(SAMPLE).iter().any(is_step)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Records { places, objects } = records(document)?;
        let checkpoint = objects.iter().rposition(|step| is_checkpoint(step));
        let mut builder = LayoutBuilder::new(NAME, request);
        if checkpoint.is_some() {
            builder = builder.without_first_user();
        }
        let list = builder.list(Container::Lines, places);
        let mut reader = Reader { builder, list, ids: MadeIds::default(), earlier: None };
        for (index, step) in objects.iter().enumerate().skip(checkpoint.unwrap_or(0)) {
            reader.step(step, index)?;
        }
        let (mapped, layout) = reader.builder.finish();
        let earlier = reader.earlier;
        let stamps = Stamps::new(
            &objects.into_iter().map(Some).collect::<Vec<_>>(),
            ("", "created_at"),
            document.text(),
        );
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Steps { stamps, earlier })))
    }
}

fn is(step: &Object<'_>, kind: &str) -> bool {
    step.get("type").is_some_and(|found| found.is_string(kind))
}

/// The summary of a compaction, be it empty.
fn is_checkpoint(step: &Object<'_>) -> bool {
    is(step, "CHECKPOINT") && step.get("content").is_some_and(|content| content.string().is_some())
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    ids: MadeIds,
    earlier: Option<EarlierSummary>,
}

impl Reader<'_> {
    fn step(&mut self, step: &Object<'_>, index: usize) -> Result<(), TurnError> {
        let system = step.get("source").is_some_and(|source| source.is_string("SYSTEM"));
        match step.string("type").as_deref() {
            Some("USER_INPUT") => self.said(step, index, Origin::Person),
            Some("PLANNER_RESPONSE") => self.planned(step, index),
            Some("CHECKPOINT") if is_checkpoint(step) => {
                self.builder.mark(self.list.unit(index));
                let text = step.get("content").map(|text| text.span()).unwrap_or_default();
                self.earlier = Some(EarlierSummary { turn: self.builder.turn_count(), text });
                self.said(step, index, Origin::Harness)
            }
            Some("CHECKPOINT" | "CONVERSATION_HISTORY") => Ok(()),
            _ if system => self.said(step, index, Origin::Harness),
            _ => self.result(step, index),
        }
    }

    fn said(&mut self, step: &Object<'_>, index: usize, origin: Origin) -> Result<(), TurnError> {
        let unit = self.list.unit(index);
        let text = step.get("content").and_then(|text| Some((text.string()?, text.span())));
        let Some((said, span)) = text.filter(|(said, _)| !said.is_empty()) else { return Ok(()) };
        let mut draft = Draft::new(Role::User, unit);
        draft.message.origin = origin;
        draft.add(PartView::Text(said), Place::text(unit, span));
        self.builder.push(draft)
    }

    fn planned(&mut self, step: &Object<'_>, index: usize) -> Result<(), TurnError> {
        self.ids.close();
        let unit = self.list.unit(index);
        let spans = step.members().iter().map(Member::span).collect();
        let members = self.builder.list_in(unit, Container::Array(step.span()), spans, None);
        let mut draft = Draft::new(Role::Assistant, unit);
        draft = match step.get("content") {
            Some(content) => draft.adding(Adding::Value(content.span(), Frame::BARE)),
            None => draft.adding(Adding::Element(members, CONTENT)),
        };
        for (index, member) in step.members().iter().enumerate() {
            let (Some(key), Some(text)) = (member.key.string(), member.value.string()) else { continue };
            let (unit, span) = (members.unit(index), member.value.span());
            match key.as_ref() {
                "thinking" if !text.is_empty() => {
                    draft.add(PartView::Reasoning(text), Place::reasoning(unit, span));
                }
                "content" if !text.is_empty() => draft.add(PartView::Text(text), Place::text(unit, span)),
                _ => {}
            }
        }
        let calls = array_in(step, "tool_calls").unwrap_or_default();
        let place = step.get("tool_calls").map(|calls| calls.span()).unwrap_or_default();
        let list =
            self.builder.list_in(unit, Container::Array(place), calls.iter().map(Node::span).collect(), None);
        for (index, call) in calls.iter().enumerate() {
            let Some(call) = call.object().ok().flatten() else { continue };
            let name = call.string("name").unwrap_or_default();
            let id = self.ids.call(call.string("id"), &name);
            let (part, place) = call_at(id, name, call.get("args"), list.unit(index));
            draft.add(part, place);
        }
        if draft.message.parts.is_empty() { Ok(()) } else { self.builder.push(draft) }
    }

    fn result(&mut self, step: &Object<'_>, index: usize) -> Result<(), TurnError> {
        let unit = self.list.unit(index);
        let content = step.get("content").or_else(|| step.get("error"));
        let id = self.ids.result(None, None);
        let (parts, place) = result_content(content, unit);
        let failed = is(step, "ERROR_MESSAGE") || step.get("error").is_some_and(|error| !error.is_null());
        let result = ResultView::with_parts(id, parts).with_name(step.owned("type")).with_error(failed);
        let mut draft = Draft::new(Role::Tool, unit);
        draft.add(PartView::ToolResult(result), place);
        self.builder.push(draft)
    }
}

/// What is needed to write a transcript back.
#[derive(Debug)]
struct Steps {
    stamps: Stamps,
    earlier: Option<EarlierSummary>,
}

impl Spelling for Steps {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        if self.earlier.is_some_and(|earlier| earlier.is_followed_by(group, view)) {
            return String::new();
        }
        let time = self.stamps.time(before, view.text()).unwrap_or(r#""""#);
        let said = quoted(text);
        [
            r#"{"step_index":"#,
            &before_index(before),
            r#","source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"#,
            time,
            r#","content":"#,
            &said,
            "}",
        ]
        .concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        match &self.earlier {
            Some(earlier) => earlier.finish(edited, view),
            None => Ok(()),
        }
    }
}

/// The number of a new step: indices may repeat in these files.
fn before_index(before: usize) -> String {
    alloc::format!("{before}")
}
