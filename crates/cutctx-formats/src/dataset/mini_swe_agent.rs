//! Trajectories of mini-swe-agent (`.traj.json`).
//!
//! # What is context
//!
//! All messages. The command is a block in the text of the model's message, and the person's message after it is its
//! result: there are no ids, and the two take turns. Newer files with `tool_calls` and results of the role `tool` are
//! read by their ids. The last message of a finished run is the patch that was handed in: a result as the others.
//!
//! # What is ballast
//!
//! `info` and the `extra` of messages, which holds the whole response of the provider with the same text again. The
//! messages that say how a run ended (role `exit`).
//!
//! # What is written
//!
//! Messages go, contents and arguments change. A summary is a message of the model whose `extra` says so.

use cutctx_messages::Origin;
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, Framed, Records, finished, lacks, read_list, role_of};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Frame, Unit};
use crate::raw::Object;
use crate::request::ReadRequest;
use crate::shapes::object_in;

/// The format of mini-swe-agent's trajectories.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct MiniSweAgent;

/// The format's name.
const NAME: &str = "mini-swe-agent";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a trajectory of mini-swe-agent",
    told_by: "`trajectory_format`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

/// A message of the model that says a summary and calls nothing.
const SUMMARY: Frame =
    Frame { before: r#"{"role":"assistant","content":"#, after: r#","extra":{"summary":true}}"# };

impl Format for MiniSweAgent {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(object) = document.shape() else { return None };
        object.string("trajectory_format").map(|_| Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let found = match document.shape() {
            Shape::Object(object) => Found::under(object, "messages"),
            Shape::Array(..) | Shape::Lines | Shape::Glued(..) => None,
        };
        let found = found.ok_or_else(|| lacks(NAME, "messages", document))?;
        if found.objects().any(|message| !message.has("role") && message.has("output")) {
            let looks_like =
                Some("a trajectory of mini-swe-agent whose messages are items of the Responses API");
            return Err(FormatError::Unrecognized { at: document.start(), looks_like });
        }
        let chat = read_list(NAME, &found, document, request, &mut Messages::default())?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Framed(SUMMARY))))
    }
}

/// Reads the messages.
#[derive(Debug, Default)]
struct Messages {
    /// Whether the model's last message acts in its text.
    acts: bool,
}

impl Records for Messages {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let acted = core::mem::take(&mut self.acts);
        let role = message.string("role");
        match role_of(role.as_deref()) {
            Some(Role::Tool) => chat.result(message, unit),
            Some(Role::User) if acted => chat.answer(None, &Object::default(), message.get("content"), unit),
            Some(Role::Assistant) => self.act(chat, message, unit),
            Some(role) => chat.say(role, message, Origin::Person, unit),
            None if role.as_deref() == Some("exit") => Ok(()),
            None => Err(RecordFault::Role.into()),
        }
    }
}

impl Messages {
    fn act(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let mut draft = chat.draft(Role::Assistant, message, unit);
        let extra = object_in(message, "extra").unwrap_or_default();
        let is_summary = extra.get("summary").is_some_and(|summary| summary.is_true());
        if chat.calls(message, unit, &mut draft) == 0 && !is_summary {
            chat.spoken_call("bash", unit, &mut draft);
            self.acts = true;
        }
        Ok(chat.builder.push(draft)?)
    }
}
