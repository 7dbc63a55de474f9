//! Trajectories of SWE-agent (`.traj`).
//!
//! # What is context
//!
//! The messages in `history`, of all roles. A file of the function-calling time has `tool_calls` and results of the
//! role `tool`; in an older one the command stands in the text, and the person's message after it is its result: what
//! has an `action` and no `tool_calls` calls the tool that the action's first word names. Demonstrations (`is_demo`)
//! are words of the harness.
//!
//! # What is ballast
//!
//! `trajectory`, which tells every step once more with the state of the environment, and `info` and `replay_config`.
//! Of a message `thought` and `action`, which repeat its content and which the model is not sent. They stay as they are.
//!
//! # What is written
//!
//! Messages go, contents and arguments change. A summary is a message of the model without an action.

use cutctx_messages::Origin;
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list, role_of};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Container, Draft, Frame, Unit};
use crate::raw::{Node, Object};
use crate::request::ReadRequest;

/// The format of SWE-agent's trajectories.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct SweAgent;

/// The format's name.
const NAME: &str = "swe-agent";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a trajectory of SWE-agent",
    told_by: "`history` with the messages, beside `trajectory` or with `agent` in each message",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// A message of the model that says a summary.
const SUMMARY: Frame = Frame {
    before: r#"{"role":"assistant","content":"#,
    after: r#","agent":"main","message_type":"thought"}"#,
};

impl Format for SweAgent {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        if object.has("environment") && object.has("trajectory") {
            return Some(Confidence::Certain);
        }
        let first = Found::under(object, "history")?.objects().next()?;
        let is_message = first.has("role") && first.has("content");
        (is_message && (first.has("agent") || object.has("trajectory"))).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let found = match document.shape() {
            Shape::Object(object) => Found::under(object, "history"),
            Shape::Array(..) | Shape::Lines | Shape::Glued(..) => None,
        };
        let found = found.ok_or_else(|| lacks(NAME, "history", document))?;
        let chat = read_list(NAME, &found, document, request, &mut History::default())?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))))
    }
}

/// Reads the history.
#[derive(Debug, Default)]
struct History {
    /// Whether the model's last message acts in its text.
    acts: bool,
}

impl Records for History {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let acted = core::mem::take(&mut self.acts);
        let is_demo = message.get("is_demo").is_some_and(|demo| demo.is_true());
        match role_of(message.string("role").as_deref()) {
            Some(Role::Tool) => chat.result(message, unit),
            Some(Role::User) if acted => chat.answer(None, &Object::default(), message.get("content"), unit),
            Some(Role::Assistant) => self.act(chat, message, unit),
            Some(role) => {
                let origin = if is_demo { Origin::Harness } else { Origin::Person };
                chat.say(role, message, origin, unit)
            }
            None => Err(RecordFault::Role.into()),
        }
    }
}

impl History {
    fn act(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let mut draft = chat.draft(Role::Assistant, message, unit);
        draft.prepend(thoughts(chat, message, unit));
        if chat.calls(message, unit, &mut draft) == 0
            && let Some(action) = message.string("action")
        {
            let tool = action.split_whitespace().next().unwrap_or_default();
            chat.spoken_call(tool, unit, &mut draft);
            self.acts = true;
        }
        Ok(chat.builder.push(draft)?)
    }
}

/// Signed reasoning, which stands in a list of its own.
fn thoughts<'a>(chat: &mut Chat<'_>, message: &Object<'a>, unit: Unit) -> Draft<'a> {
    let mut draft = Draft::new(Role::Assistant, unit);
    let Some(found) = Found::under(message, "thinking_blocks") else { return draft };
    let spans = found.messages.iter().map(Node::span).collect();
    let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
    for (index, node) in found.messages.into_iter().enumerate() {
        let (part, place) = chat.blocks().block(node, list.unit(index));
        draft.add(part, place);
    }
    draft
}
