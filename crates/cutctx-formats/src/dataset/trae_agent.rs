//! Trajectories of Trae agents, as the TypeScript edition writes them.
//!
//! # What is context
//!
//! The `messages` of the last of the `steps`: each step holds all messages up to it. What the model called in that
//! step, and what came of it, stands beside them and is pinned, for it is no message yet.
//!
//! # What is ballast
//!
//! The steps before the last one, which are the same messages again: they stay as they are.
//!
//! # What is written
//!
//! Messages of the last step go, contents and arguments change. A summary is a message of the person.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, MessageView, PartView, ResultView};
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list};
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Draft, Frame, Unit};
use crate::raw::{Node, Object, compact};
use crate::request::ReadRequest;
use crate::shapes::array_in;

/// The format of Trae agents' trajectories.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct TraeAgent;

/// The format's name.
const NAME: &str = "trae-agent";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a trajectory of a Trae agent",
    told_by: "`agent_id` beside `steps`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// A message of the person.
const SUMMARY: Frame = Frame { before: r#"{"role":"user","content":"#, after: "}" };

impl Format for TraeAgent {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        (object.has("agent_id") && object.has("steps")).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Shape::Object(object) = document.shape() else { return Err(lacks(NAME, "steps", document)) };
        let steps = array_in(object, "steps").unwrap_or_default();
        let last = steps.last().and_then(|step| step.object().ok().flatten());
        let last = last.ok_or_else(|| lacks(NAME, "steps", document))?;
        let found = Found::under(&last, "messages").ok_or_else(|| lacks(NAME, "messages", document))?;
        let mut chat = read_list(NAME, &found, document, request, &mut Messages)?;
        for message in outcome(&mut chat, &last) {
            chat.builder.push(Draft::fixed(message.with_pinned(true)))?;
        }
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))))
    }
}

/// Reads messages as a chat has them.
#[derive(Debug)]
struct Messages;

impl Records for Messages {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        chat.message(message, unit)
    }
}

/// What the model called in a step and what came of it.
fn outcome<'a>(chat: &mut Chat<'_>, step: &Object<'a>) -> Vec<MessageView<'a>> {
    let calls = array_in(step, "tool_calls").unwrap_or_default();
    let calls: Vec<CallView<'a>> = calls.into_iter().filter_map(|node| call(chat, node)).collect();
    let results = array_in(step, "tool_results").unwrap_or_default();
    let ids: Vec<Cow<'a, str>> = calls.iter().map(|call| call.call_id.clone()).collect();
    let mut messages = Vec::new();
    if !calls.is_empty() {
        messages.push(MessageView::new(Role::Assistant, calls.into_iter().map(PartView::ToolCall).collect()));
    }
    for (id, result) in ids.into_iter().zip(results) {
        let result = ResultView::new(id, compact(result.text()));
        messages.push(MessageView::new(Role::Tool, alloc::vec![PartView::ToolResult(result)]));
    }
    messages
}

fn call<'a>(chat: &mut Chat<'_>, node: Node<'a>) -> Option<CallView<'a>> {
    let call = node.object().ok()??;
    let function = call.get("function")?.object().ok()??;
    let name = function.string("name").unwrap_or_default();
    let id = chat.ids.call(call.string("id"), &name);
    Some(CallView::new(id, name, function.string("arguments").unwrap_or_default()))
}
