//! Session files of Factory's Droid, and its output stream: JSON Lines.
//!
//! # What is context
//!
//! In a session file: lines of the type `message` with blocks as the Anthropic API has them, from top to bottom. In an
//! output stream (`--output-format stream-json`): `message`, `tool_call` and `tool_result`. All other lines stay, also a
//! stream's `completion`, which repeats the last answer.
//!
//! # What is written
//!
//! Lines go and blocks change; `parentId` names the nearest line above that stays. A summary is a message of the user.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::parent_links::ParentLinks;
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of_message;
use crate::layout::{Adding, Container, Draft, Edited, Frame, LayoutBuilder, List, Spelling, Unit};
use crate::raw::{Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, Records, call_at, fresh_id, object_in, records, result_content, uuid};
use crate::view::View;

/// The format of Droid's sessions.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Droid;

/// The format's name.
const NAME: &str = "droid";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session file or an output stream of Factory's Droid",
    told_by: "a first line of the type `session_start` with a title, or lines with `messageId`, `toolId` and `toolName`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 24;

/// The keys of the links.
const LINKS: (&str, &str) = ("id", "parentId");

impl Format for Droid {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let lines = matches!(document.shape(), Shape::Lines | Shape::Object(_));
        (lines && document.sample(SAMPLE).iter().any(is_line)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Records { places, objects } = records(document)?;
        let mut links = ParentLinks::new(&objects, LINKS, &[]);
        links.chain = (0..objects.len()).collect();
        let mut builder = LayoutBuilder::new(NAME, request);
        let list = builder.list(Container::Lines, places.clone());
        let mut reader = Reader { builder, list, ids: MadeIds::default(), open: None };
        for (index, object) in objects.iter().enumerate() {
            reader.line(object, index)?;
        }
        reader.close()?;
        let is_stream = !objects.iter().any(|line| object_in(line, "message").is_some());
        let (mapped, layout) = reader.builder.finish();
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Lines { links, places, is_stream })))
    }
}

fn is_line(line: &Object<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| line.has(key));
    let kind = line.string("type").unwrap_or_default();
    (kind == "session_start" && has(&["id", "title"]))
        || (kind == "system" && has(&["sessionId", "reasoning_effort"]))
        || has(&["messageId", "toolId", "toolName"])
}

struct Reader<'a, 'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    ids: MadeIds,
    /// A stream's message of the model, which calls may follow.
    open: Option<Draft<'a>>,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, line: &Object<'a>, index: usize) -> Result<(), TurnError> {
        let unit = self.list.unit(index);
        match line.string("type").as_deref() {
            Some("message") => match object_in(line, "message") {
                Some(message) => self.message(&message, line, "content", unit),
                None => self.message(line, line, "text", unit),
            },
            Some("tool_call") => self.call(line, unit),
            Some("tool_result") => self.result(line, unit),
            _ => Ok(()),
        }
    }

    fn message(
        &mut self,
        message: &Object<'a>,
        line: &Object<'a>,
        key: &str,
        unit: Unit,
    ) -> Result<(), TurnError> {
        self.close()?;
        let role = match message.string("role").as_deref() {
            Some("assistant") => Role::Assistant,
            Some("user") => Role::User,
            Some("system") => Role::System,
            _ => return Ok(()),
        };
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = blocks.draft(role, message.get(key), unit);
        if let Some(id) = line.string("id").filter(|id| !id.is_empty()) {
            draft.message = draft.message.with_id(id.as_ref());
        }
        draft.message.origin = origin_of_message(&draft.message);
        self.open = Some(draft);
        Ok(())
    }

    fn close(&mut self) -> Result<(), TurnError> {
        match self.open.take() {
            Some(draft) => self.builder.push(draft),
            None => Ok(()),
        }
    }

    /// A call belongs to the message of the model before it.
    fn call(&mut self, line: &Object<'a>, unit: Unit) -> Result<(), TurnError> {
        if self.open.as_ref().is_some_and(|draft| draft.message.role != Role::Assistant) {
            self.close()?;
        }
        let name = line.string("toolName").or_else(|| line.string("toolId")).unwrap_or_default();
        let id = self.ids.call(line.string("id"), &name);
        let (part, place) = call_at(id, name, line.get("parameters"), unit);
        let draft = self.open.get_or_insert_with(|| Draft::new(Role::Assistant, unit).adding(Adding::Record));
        draft.add(part, place);
        Ok(())
    }

    fn result(&mut self, line: &Object<'a>, unit: Unit) -> Result<(), TurnError> {
        self.close()?;
        let id = self.ids.result(line.string("id"), None);
        let (parts, place) = result_content(line.get("value").or_else(|| line.get("error")), unit);
        let failed = line.get("isError").is_some_and(|flag| flag.is_true());
        let mut draft = Draft::new(Role::Tool, unit);
        let result = ResultView::with_parts(id, parts).with_name(line.owned("toolName")).with_error(failed);
        draft.add(PartView::ToolResult(result), place);
        self.builder.push(draft)
    }
}

/// What is needed to write a file back.
#[derive(Debug)]
struct Lines {
    links: ParentLinks,
    places: Vec<Span>,
    is_stream: bool,
}

impl Lines {
    fn message(&self, role: &str, text: &str, name: &str, before: usize, view: &View<'_>) -> String {
        let id = quoted(&fresh_id(name, uuid, |id| self.links.is_taken(id, view.text())));
        let place = self.places.get(before).or_else(|| self.places.last()).copied().unwrap_or_default();
        let near = Node::leading(place.of(view.text()), place.start).and_then(|node| node.object().ok()?);
        let near = near.unwrap_or_default();
        let time = near.get("timestamp").map_or(r#""""#, |time| time.text());
        if self.is_stream {
            let session = near.get("sessionId").map_or(r#""""#, |session| session.text());
            let said = quoted(text);
            return [
                r#"{"type":"message","sessionId":"#,
                session,
                r#","timestamp":"#,
                time,
                r#","role":""#,
                role,
                r#"","text":"#,
                &said,
                r#","id":"#,
                &id,
                "}",
            ]
            .concat();
        }
        let parent = if self.links.is_linked() { r#","parentId":null"# } else { "" };
        let said = Frame::TEXT_BLOCK.of(text);
        [
            r#"{"type":"message","id":"#,
            &id,
            parent,
            r#","timestamp":"#,
            time,
            r#","message":{"role":""#,
            role,
            r#"","content":["#,
            &said,
            "]}}",
        ]
        .concat()
    }
}

impl Spelling for Lines {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        self.message("user", text, group, before, view)
    }

    /// A message of the model before a call.
    fn said(&self, text: &str, turn: usize, before: usize, view: &View<'_>) -> String {
        let name = view.turn(turn).map(|turn| turn.turn_id().as_ref()).unwrap_or_default();
        self.message("assistant", text, name, before, view)
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        self.links.mend(edited, view.text());
        Ok(())
    }
}
