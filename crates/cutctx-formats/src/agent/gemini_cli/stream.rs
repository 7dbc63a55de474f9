//! The output stream: pieces of messages, calls and results on lines.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::NAME;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::layout::Spelling;
use crate::layout::{Adding, Container, Draft, LayoutBuilder, List, Place};
use crate::raw::{Object, quoted};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, Records, Stamps, call_at, object_in, records, result_content};
use crate::view::View;

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let Records { places, objects } = records(document)?;
    let mut builder = LayoutBuilder::new(NAME, request);
    let list = builder.list(Container::Lines, places);
    let mut stream = Stream { builder, list, ids: MadeIds::default(), open: None };
    for (index, object) in objects.iter().enumerate() {
        stream.line(object, index)?;
    }
    stream.close()?;
    let (mapped, layout) = stream.builder.finish();
    let stamps =
        Stamps::new(&objects.into_iter().map(Some).collect::<Vec<_>>(), ("", "timestamp"), document.text());
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Pieces { stamps })))
}

/// Puts the pieces of a message together.
struct Stream<'a, 'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    ids: MadeIds,
    /// The message that is being said.
    open: Option<Draft<'a>>,
}

impl<'a> Stream<'a, '_> {
    fn line(&mut self, line: &Object<'a>, index: usize) -> Result<(), TurnError> {
        match line.string("type").as_deref() {
            Some("message") => self.said(line, index),
            Some("tool_use") => self.call(line, index),
            Some("tool_result") => self.result(line, index),
            _ => Ok(()),
        }
    }

    fn said(&mut self, line: &Object<'a>, index: usize) -> Result<(), TurnError> {
        let role = match line.string("role").as_deref() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return Ok(()),
        };
        let Some(text) = line.get("content") else { return Ok(()) };
        let Some(said) = text.string() else { return Ok(()) };
        let unit = self.list.unit(index);
        let draft = self.open_for(role, index, role == Role::User)?;
        draft.add(PartView::Text(said), Place::text(unit, text.span()));
        Ok(())
    }

    fn call(&mut self, line: &Object<'a>, index: usize) -> Result<(), TurnError> {
        let name = line.string("tool_name").unwrap_or_default();
        let id = self.ids.call(line.string("tool_id"), &name);
        let (part, place) = call_at(id, name, line.get("parameters"), self.list.unit(index));
        self.open_for(Role::Assistant, index, false)?.add(part, place);
        Ok(())
    }

    fn result(&mut self, line: &Object<'a>, index: usize) -> Result<(), TurnError> {
        self.close()?;
        let unit = self.list.unit(index);
        let id = self.ids.result(line.string("tool_id"), None);
        let message = object_in(line, "error").and_then(|error| error.get("message"));
        let failed = line.get("status").is_some_and(|status| status.is_string("error"));
        let (parts, place) = result_content(line.get("output").or(message), unit);
        let mut draft = Draft::new(Role::Tool, unit);
        let result = ResultView::with_parts(id, parts).with_error(failed);
        draft.add(PartView::ToolResult(result), place);
        self.builder.push(draft)
    }

    /// The open message when it is one of this role, or a new one.
    fn open_for(&mut self, role: Role, index: usize, anew: bool) -> Result<&mut Draft<'a>, TurnError> {
        if anew || self.open.as_ref().is_some_and(|draft| draft.message.role != role) {
            self.close()?;
        }
        let unit = self.list.unit(index);
        Ok(self.open.get_or_insert_with(|| Draft::new(role, unit).adding(Adding::Record)))
    }

    fn close(&mut self) -> Result<(), TurnError> {
        match self.open.take() {
            Some(draft) => self.builder.push(draft),
            None => Ok(()),
        }
    }
}

/// What is needed to write a stream back.
#[derive(Debug)]
struct Pieces {
    stamps: Stamps,
}

impl Pieces {
    fn message(&self, role: &str, text: &str, before: usize, view: &View<'_>) -> String {
        let time = self.stamps.time(before, view.text()).unwrap_or(r#""""#);
        let said = quoted(text);
        [r#"{"type":"message","timestamp":"#, time, r#","role":""#, role, r#"","content":"#, &said, "}"]
            .concat()
    }
}

impl Spelling for Pieces {
    fn summary(&self, text: &str, _group: &str, before: usize, view: &View<'_>) -> String {
        self.message("user", text, before, view)
    }

    /// A piece of the message whose call stays.
    fn said(&self, text: &str, _turn: usize, before: usize, view: &View<'_>) -> String {
        self.message("assistant", text, before, view)
    }
}
