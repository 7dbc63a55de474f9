//! Agent files of Letta (`.af`).
//!
//! # What is context
//!
//! The messages whose ids stand in an agent's `in_context_message_ids`, in that order; each agent is a conversation.
//! Calls that wait for a person's approval stay until they are answered.
//!
//! # What is ballast
//!
//! All other messages, which the agent can only search, the memory blocks, tools, files and settings. A file may hold
//! secrets: nothing of it but what messages say is ever read.
//!
//! # What is written
//!
//! A message that goes leaves the list of ids and stays among the messages, as Letta itself does when it summarizes.
//! Contents and arguments change. A summary is a new message of the person, with its id in the list.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{CallState, Origin, PartView};
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, finished, lacks, refused, role_of};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Container, Edited, Frame, LayoutBuilder, Spelling, Unit};
use crate::raw::{ArrayEdit, Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, array_in, fresh_id, short};
use crate::view::View;

/// The format of Letta's agent files.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Letta;

/// The format's name.
const NAME: &str = "letta";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "an agent file of Letta, a conversation for each agent",
    told_by: "`agents` with `in_context_message_ids`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// The list of what is context.
const CONTEXT: &str = "in_context_message_ids";

/// The list of what is context in files of a single agent, which are not read.
const OLD_CONTEXT: &str = "in_context_message_indices";

impl Format for Letta {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(file) = document.shape() else { return None };
        if file.has(OLD_CONTEXT) {
            return Some(Confidence::Certain);
        }
        let is_agent = |agent: &Object<'_>| agent.has(CONTEXT) || agent.has("agent_type");
        let agents = Found::under(file, "agents")?;
        let own = file.has("blocks") || agents.objects().next().as_ref().is_some_and(is_agent);
        own.then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Shape::Object(file) = document.shape() else { return Err(lacks(NAME, "agents", document)) };
        let agents = array_in(file, "agents").unwrap_or_default();
        if file.has(OLD_CONTEXT) {
            let looks_like = Some("an agent file of an older Letta, which holds a single agent");
            return Err(FormatError::Unrecognized { at: document.start(), looks_like });
        }
        if agents.is_empty() {
            return Err(lacks(NAME, "agents", document));
        }
        let chosen = request.choose(agents.len(), document.start())?;
        let agent = agents.get(chosen).and_then(|agent| agent.object().ok().flatten()).unwrap_or_default();
        let context = Found::under(&agent, CONTEXT).ok_or_else(|| lacks(NAME, CONTEXT, document))?;
        let stored = Found::under(&agent, "messages").ok_or_else(|| lacks(NAME, "messages", document))?;
        let chat = read_context(&context, &stored, document, request)?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Messages::new(&stored))).of(agents.len()))
    }
}

fn read_context<'r>(
    context: &Found<'_>,
    stored: &Found<'_>,
    document: &Document<'_>,
    request: &'r ReadRequest<'r>,
) -> Result<Chat<'r>, FormatError> {
    let mut builder = LayoutBuilder::new(NAME, request);
    let spans = context.messages.iter().map(Node::span).collect();
    let ids = builder.list(Container::Array(context.list), spans);
    let messages: BTreeMap<Cow<'_, str>, Object<'_>> =
        stored.objects().filter_map(|message| Some((message.string("id")?, message))).collect();
    let mut chat = Chat { builder, ids: MadeIds::default() };
    for (index, id) in context.messages.iter().enumerate() {
        let message = id.string().and_then(|id| messages.get(&id));
        let read = match message {
            Some(message) => read_message(&mut chat, message, ids.unit(index)),
            None => Err(RecordFault::Field("id").into()),
        };
        read.map_err(|fault| refused(fault, NAME, id.start(), index, document))?;
    }
    Ok(chat)
}

fn read_message(chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
    let role = message.string("role");
    match role_of(role.as_deref()) {
        Some(Role::Tool) => chat.result(message, unit),
        Some(role) => chat.say(role, message, Origin::Person, unit),
        None if role.as_deref() == Some("approval") => approval(chat, message, unit),
        None => Err(RecordFault::Role.into()),
    }
}

/// Calls that wait for a person; what the person said of them is no message for the model.
fn approval(chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
    let mut draft = chat.draft(Role::Assistant, message, unit);
    if chat.calls(message, unit, &mut draft) == 0 {
        return Ok(());
    }
    for part in &mut draft.message.parts {
        if let PartView::ToolCall(call) = part {
            call.state = Some(CallState::AwaitingPerson);
        }
    }
    Ok(chat.builder.push(draft)?)
}

/// How a message is stored, and named in the context.
#[derive(Debug)]
struct Messages {
    /// The list of stored messages.
    list: Span,
    elements: Vec<Span>,
    /// The JSON strings of their ids, in the order of their texts.
    ids: Vec<String>,
}

impl Messages {
    fn new(stored: &Found<'_>) -> Self {
        let mut ids: Vec<String> = stored.objects().filter_map(|message| message.owned("id")).collect();
        ids.sort_unstable();
        Self { list: stored.list, elements: stored.messages.iter().map(Node::span).collect(), ids }
    }

    fn id(&self, group: &str) -> String {
        let spell = |hex: &str| ["message-", &short(hex)].concat();
        fresh_id(group, spell, |id| self.ids.binary_search_by(|own| own.as_str().cmp(id)).is_ok())
    }
}

impl Spelling for Messages {
    fn summary(&self, _text: &str, group: &str, _before: usize, _view: &View<'_>) -> String {
        quoted(&self.id(group))
    }

    /// Stores the summaries.
    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        let mut edit = ArrayEdit::new(view.text(), self.list, self.elements.clone());
        let mut stores = false;
        for (_, group) in view.groups() {
            let text = view.summary(group)?;
            if !text.trim().is_empty() {
                let id = quoted(&self.id(group));
                let said = Frame::TEXT_BLOCK.of(text);
                let message =
                    [r#"{"type":"message","role":"user","content":["#, &said, r#"],"id":"#, &id, "}"];
                edit.insert(self.elements.len(), message.concat());
                stores = true;
            }
        }
        if stores {
            edit.finish(&mut edited.splices);
        }
        Ok(())
    }
}
