//! Lists of messages as data sets and evaluation logs write them.
//!
//! They agree on a role, a content and calls, and differ in names. What is read here is read the same way for all of
//! them; each format says which of its records is what.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Origin, PartView, ResultView};
use cutctx_types::{Role, TurnError};

use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::layout::{Adding, Container, Draft, Frame, Layout, LayoutBuilder, Place, Spelling, Unit};
use crate::raw::{Member, Node, Object, Span};
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, call_at, object_in, result_content};
use crate::view::View;

/// The keys of a call's id, name and arguments.
const CALL_IDS: [&str; 3] = ["id", "tool_call_id", "call_id"];
const NAMES: [&str; 3] = ["name", "function", "function_name"];
const ARGUMENTS: [&str; 3] = ["arguments", "args", "input"];
/// The keys of the id of the call that a result answers, and of the tool.
const RESULT_IDS: [&str; 2] = ["tool_call_id", "call_id"];
const TOOLS: [&str; 3] = ["name", "tool_name", "function"];

/// A message without a content gets one.
const CONTENT: Frame = Frame { before: r#""content":"#, after: "" };

/// Why a record is refused.
#[derive(Debug)]
pub(super) enum Fault {
    /// The record is not as it should be.
    Record(RecordFault),
    /// The turn that it makes is refused.
    Turn(TurnError),
}

impl From<RecordFault> for Fault {
    fn from(fault: RecordFault) -> Self {
        Self::Record(fault)
    }
}

impl From<TurnError> for Fault {
    fn from(error: TurnError) -> Self {
        Self::Turn(error)
    }
}

/// A list of messages in a document.
#[derive(Debug, Clone)]
pub(super) struct Found<'a> {
    /// The array.
    pub(super) list: Span,
    /// Its elements.
    pub(super) messages: Vec<Node<'a>>,
}

impl<'a> Found<'a> {
    /// The array under a key.
    pub(super) fn under(object: &Object<'a>, key: &str) -> Option<Self> {
        Self::at(object.get(key)?)
    }

    /// The array that a value is.
    pub(super) fn at(list: Node<'a>) -> Option<Self> {
        Some(Self { list: list.span(), messages: list.array().ok()?? })
    }

    /// The elements that are objects.
    pub(super) fn objects(&self) -> impl Iterator<Item = Object<'a>> {
        self.messages.iter().filter_map(|node| node.object().ok().flatten())
    }
}

/// What a format makes of the records of a list.
pub(super) trait Records {
    /// Reads one record.
    fn record(&mut self, chat: &mut Chat<'_>, record: &Object<'_>, unit: Unit) -> Result<(), Fault>;
}

/// Collects messages.
pub(super) struct Chat<'r> {
    pub(super) builder: LayoutBuilder<'r>,
    pub(super) ids: MadeIds,
}

/// Reads all records of a list, which is the list of messages.
pub(super) fn read_list<'r>(
    format: &'static str,
    found: &Found<'_>,
    document: &Document<'_>,
    request: &'r ReadRequest<'r>,
    reader: &mut impl Records,
) -> Result<Chat<'r>, FormatError> {
    read_with(LayoutBuilder::new(format, request), format, found, document, reader)
}

/// As [`read_list`], with this builder.
pub(super) fn read_with<'r>(
    mut builder: LayoutBuilder<'r>,
    format: &'static str,
    found: &Found<'_>,
    document: &Document<'_>,
    reader: &mut impl Records,
) -> Result<Chat<'r>, FormatError> {
    let spans = found.messages.iter().map(Node::span).collect();
    let records = builder.list(Container::Array(found.list), spans);
    let mut chat = Chat { builder, ids: MadeIds::default() };
    for (index, node) in found.messages.iter().enumerate() {
        let read = match node.object() {
            Ok(Some(record)) => reader.record(&mut chat, &record, records.unit(index)),
            Ok(None) | Err(_) => Err(RecordFault::NotAnObject.into()),
        };
        read.map_err(|fault| refused(fault, format, node.start(), index, document))?;
    }
    Ok(chat)
}

/// The error of a record at this place.
pub(super) fn refused(
    fault: Fault,
    format: &'static str,
    place: usize,
    record: usize,
    document: &Document<'_>,
) -> FormatError {
    match fault {
        Fault::Record(fault) => FormatError::record(format, fault, place, record, document.text()),
        Fault::Turn(error) => error.into(),
    }
}

/// The error of a field that a format cannot do without.
pub(super) fn lacks(format: &'static str, field: &'static str, document: &Document<'_>) -> FormatError {
    let place = document.start().offset;
    refused(RecordFault::Field(field).into(), format, place, 0, document)
}

/// The values of a file: the elements of its array, its lines, or the one object.
pub(super) fn values<'a>(document: &Document<'a>) -> Result<Vec<Node<'a>>, FormatError> {
    match document.shape() {
        Shape::Array(_, elements) => Ok(elements.clone()),
        Shape::Object(_) => Ok(document.object().into_iter().collect()),
        Shape::Lines => {
            let lines = document.lines().filter(|line| !line.is_filler());
            let values = lines.map(|line| line.value());
            values.collect::<Result<_, _>>().map_err(|error| FormatError::syntax(error, document.text()))
        }
        Shape::Glued(..) => Err(FormatError::Unrecognized { at: document.start(), looks_like: None }),
    }
}

/// The first of some keys that an object has.
pub(super) fn first_of<'a>(object: &Object<'a>, keys: &[&str]) -> Option<Node<'a>> {
    keys.iter().find_map(|key| object.get(key).filter(|value| !value.is_null()))
}

fn first_text<'a>(object: &Object<'a>, keys: &[&str]) -> Option<Cow<'a, str>> {
    keys.iter().find_map(|key| object.string(key))
}

/// The role of a message, where it is a usual one.
pub(super) fn role_of(role: Option<&str>) -> Option<Role> {
    match role? {
        "system" | "developer" => Some(Role::System),
        "user" | "human" => Some(Role::User),
        "assistant" | "ai" | "model" => Some(Role::Assistant),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    }
}

impl<'r> Chat<'r> {
    /// Reads the blocks of contents.
    pub(super) const fn blocks(&mut self) -> Blocks<'_, 'r> {
        Blocks { builder: &mut self.builder, ids: &mut self.ids }
    }

    /// The draft of a message that says its `content`.
    pub(super) fn draft<'a>(&mut self, role: Role, message: &Object<'a>, unit: Unit) -> Draft<'a> {
        let content = message.get("content");
        let draft = self.blocks().draft(role, content, unit);
        if content.is_some() {
            return draft;
        }
        let spans = message.members().iter().map(Member::span).collect();
        let members = self.builder.list_in(unit, Container::Array(message.span()), spans, None);
        draft.adding(Adding::Element(members, CONTENT))
    }

    /// A message of a person, of the system or of the model, with its calls.
    pub(super) fn say(
        &mut self,
        role: Role,
        message: &Object<'_>,
        origin: Origin,
        unit: Unit,
    ) -> Result<(), Fault> {
        let mut draft = self.draft(role, message, unit);
        draft.message.origin = origin;
        self.calls(message, unit, &mut draft);
        Ok(self.builder.push(draft)?)
    }

    /// A message of any role, as most formats have them.
    pub(super) fn message(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        match role_of(message.string("role").as_deref()) {
            Some(Role::Tool) => self.result(message, unit),
            Some(role) => self.say(role, message, Origin::Person, unit),
            None => Err(RecordFault::Role.into()),
        }
    }

    /// The calls of a message: those in `tool_calls`, or the one of the old form. Says how many there are.
    pub(super) fn calls<'a>(&mut self, message: &Object<'a>, unit: Unit, draft: &mut Draft<'a>) -> usize {
        let calls = message.get("tool_calls").and_then(|calls| Some((calls.span(), calls.array().ok()??)));
        let (list, nodes) = calls.unwrap_or_default();
        let spans = nodes.iter().map(Node::span).collect();
        let list = self.builder.list_in(unit, Container::Array(list), spans, None);
        let listed = nodes.into_iter().enumerate().map(|(index, node)| (node, list.unit(index)));
        let old = message.get("function_call").map(|call| (call, unit));
        let mut count = 0_usize;
        for (node, unit) in listed.chain(old) {
            if let Some((part, place)) = self.call(node, unit) {
                draft.add(part, place);
                count = count.saturating_add(1);
            }
        }
        count
    }

    /// One call, whatever its keys are called.
    pub(super) fn call<'a>(&mut self, node: Node<'a>, unit: Unit) -> Option<(PartView<'a>, Place)> {
        let call = node.object().ok()??;
        let inner = object_in(&call, "function");
        let named = inner.as_ref().unwrap_or(&call);
        let name = first_text(named, &NAMES).unwrap_or_default();
        let id = self.ids.call(first_text(&call, &CALL_IDS), &name);
        Some(call_at(id, name, first_of(named, &ARGUMENTS), unit))
    }

    /// A call that stands in a text and has no place of its own.
    pub(super) fn spoken_call(&mut self, name: &str, unit: Unit, draft: &mut Draft<'_>) {
        let id = self.ids.call(None, name).into_owned();
        let call = CallView::new(id, String::from(name), "");
        draft.add(PartView::ToolCall(call), Place::call(unit, None, "{}"));
    }

    /// A message that is the result of a call, in `content`.
    pub(super) fn result(&mut self, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let listed = || {
            let ids = message.get("tool_call_ids")?.array().ok()??;
            ids.first()?.string()
        };
        let own = first_text(message, &RESULT_IDS).or_else(listed);
        self.answer(own, message, message.get("content"), unit)
    }

    /// A result with this content for the oldest open call of a tool, or of any where that one has none.
    pub(super) fn answer_of(
        &mut self,
        tool: Option<&str>,
        content: Option<Node<'_>>,
        unit: Unit,
    ) -> Result<(), Fault> {
        let tool = tool.filter(|tool| self.ids.has_open(tool));
        let id = self.ids.result(None, tool).into_owned();
        self.push_result((id, None), &Object::default(), content, unit)
    }

    /// Forgets the open calls: nothing answers them any more.
    pub(super) fn forget_calls(&mut self) {
        self.ids.close();
    }

    /// A result with this content for the call of this id, or for one without an id.
    pub(super) fn answer(
        &mut self,
        own: Option<Cow<'_, str>>,
        message: &Object<'_>,
        content: Option<Node<'_>>,
        unit: Unit,
    ) -> Result<(), Fault> {
        let name = first_text(message, &TOOLS).map(Cow::into_owned);
        let id = self.ids.result(own, name.as_deref()).into_owned();
        self.push_result((id, name), message, content, unit)
    }

    fn push_result(
        &mut self,
        (id, name): (String, Option<String>),
        message: &Object<'_>,
        content: Option<Node<'_>>,
        unit: Unit,
    ) -> Result<(), Fault> {
        let (parts, place) = result_content(content, unit);
        let result = ResultView::with_parts(id, parts).with_name(name).with_error(has_failed(message));
        let mut draft = Draft::new(Role::Tool, unit);
        draft.add(PartView::ToolResult(result), place);
        Ok(self.builder.push(draft)?)
    }
}

fn has_failed(result: &Object<'_>) -> bool {
    let error = result.get("error").is_some_and(|error| !matches!(error.text(), "null" | "false" | r#""""#));
    error
        || result.get("is_error").is_some_and(|error| error.is_true())
        || result.get("status").is_some_and(|status| status.is_string("error"))
}

/// New records that are a text in a frame.
#[derive(Debug)]
pub(super) struct Framed(pub(super) Frame);

impl Spelling for Framed {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        self.0.of(text)
    }
}

/// What reading gives, before it is known how new records are spelled.
pub(super) fn finished(chat: Chat<'_>) -> Result<(cutctx_types::Transcript, Layout), FormatError> {
    let (mapped, layout) = chat.builder.finish();
    Ok((cutctx_types::Transcript::new(mapped.turns)?, layout))
}
