//! Message dumps of LangChain: `dumpd`'s constructors (`lc`), `messages_to_dict`'s `{type, data}`, and flat models.
//!
//! # What is context
//!
//! A list of messages: the document, its `messages`, or its lines. A list of lists holds a conversation in each. Calls
//! stand in `tool_calls`; where that is empty, the provider's own in `additional_kwargs.tool_calls` count, as they do for
//! LangChain.
//!
//! # What is ballast
//!
//! `response_metadata`, `usage_metadata` and the rest of `additional_kwargs`. A `tool_use` block in a content repeats a
//! call: its input changes with the call's arguments.
//!
//! # What is written
//!
//! Messages go, contents and arguments change. A summary is a message of the person, dumped as the first message is.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_exec::Fate;
use cutctx_messages::{Origin, PartView};
use cutctx_types::Role;

use super::chat::{Chat, Fault, Found, finished, refused};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Adding, Container, Draft, Edited, Frame, LayoutBuilder, Spelling, Unit};
use crate::note::NoteKind;
use crate::raw::{Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, array_in, object_in};
use crate::view::{Kept, View};

/// The format of LangChain's message dumps.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct LangChain;

/// The format's name.
const NAME: &str = "langchain";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a dump of LangChain messages",
    told_by: "messages with `lc`, with `data` beside a type such as `human`, or with such a type alone",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

impl Format for LangChain {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let first = first_message(document)?;
        let form = form_of(&first)?;
        body(&first, form).and_then(|body| role(&first, &body)).map(|_| Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let at = document.start();
        let lists = lists(document).ok_or(FormatError::Unrecognized { at, looks_like: None })?;
        let count = lists.len();
        let chosen = request.choose(count, document.start())?;
        let (container, nodes) = lists.into_iter().nth(chosen).unwrap_or((Container::Lines, Vec::new()));
        let first = nodes.first().and_then(|(_, node)| node.object().ok().flatten());
        let form = first.and_then(|first| form_of(&first)).unwrap_or(Form::Constructor);
        let (chat, copies) = read_messages(container, &nodes, document, request)?;
        let (transcript, layout) = finished(chat)?;
        Ok(Reading::new(transcript, layout.spelled(Dump { form, copies })).of(count))
    }
}

/// How messages are dumped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `{lc, type: "constructor", id, kwargs}`
    Constructor,
    /// `{type, data}`
    Typed,
    /// `{type, content, …}`
    Flat,
}

fn form_of(message: &Object<'_>) -> Option<Form> {
    if message.has("lc") && message.has("kwargs") {
        return Some(Form::Constructor);
    }
    let named = message.string("type").as_deref().and_then(role_of_type).is_some() && !message.has("role");
    match named {
        true if object_in(message, "data").is_some() => Some(Form::Typed),
        true if message.has("content") => Some(Form::Flat),
        _ => None,
    }
}

/// What of a message its class gets.
fn body<'a>(message: &Object<'a>, form: Form) -> Option<Object<'a>> {
    match form {
        Form::Constructor => object_in(message, "kwargs"),
        Form::Typed => object_in(message, "data"),
        Form::Flat => Some(message.clone()),
    }
}

fn role_of_type(kind: &str) -> Option<Role> {
    match kind {
        "system" => Some(Role::System),
        "human" => Some(Role::User),
        "ai" | "AIMessageChunk" => Some(Role::Assistant),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    }
}

/// The role, by the type or by the name of the class.
fn role(message: &Object<'_>, body: &Object<'_>) -> Option<Role> {
    let kind = |object: &Object<'_>| object.string("type").as_deref().and_then(role_of_type);
    kind(body).or_else(|| kind(message)).or_else(|| {
        let path = array_in(message, "id")?;
        let class = path.last()?.string()?;
        ["System", "Human", "AI", "Tool", "Function"].iter().find_map(|name| {
            class.starts_with(name).then(|| role_of_type(&name.to_ascii_lowercase())).flatten()
        })
    })
}

/// The records of a conversation: the stretch of the file that goes, and the message.
type Messages<'a> = (Container, Vec<(Span, Node<'a>)>);

/// The lists of messages of a document.
fn lists<'a>(document: &Document<'a>) -> Option<Vec<Messages<'a>>> {
    let nodes = match document.shape() {
        Shape::Lines => {
            let lines = document.lines().filter(|line| !line.is_filler());
            let nodes = lines.map(|line| Some((line.span, line.value().ok()?))).collect::<Option<_>>()?;
            return Some(alloc::vec![(Container::Lines, nodes)]);
        }
        Shape::Array(span, elements) => (*span, elements.clone()),
        Shape::Object(object) => {
            let found = Found::under(object, "messages")?;
            (found.list, found.messages)
        }
        Shape::Glued(..) => return None,
    };
    let (span, nodes) = nodes;
    let inner: Option<Vec<Found<'a>>> = nodes.iter().map(|node| Found::at(*node)).collect();
    match inner.filter(|lists| !lists.is_empty()) {
        Some(lists) => Some(lists.into_iter().map(|found| messages(found.list, &found.messages)).collect()),
        None => Some(alloc::vec![messages(span, &nodes)]),
    }
}

fn messages<'a>(list: Span, nodes: &[Node<'a>]) -> Messages<'a> {
    (Container::Array(list), nodes.iter().map(|node| (node.span(), *node)).collect())
}

fn first_message<'a>(document: &Document<'a>) -> Option<Object<'a>> {
    let first = match document.shape() {
        Shape::Lines => return document.sample(1).into_iter().next(),
        Shape::Array(_, elements) => *elements.first()?,
        Shape::Object(object) => *Found::under(object, "messages")?.messages.first()?,
        Shape::Glued(..) => return None,
    };
    let first = match Found::at(first) {
        Some(list) => *list.messages.first()?,
        None => first,
    };
    first.object().ok()?
}

fn read_messages<'r>(
    container: Container,
    nodes: &[(Span, Node<'_>)],
    document: &Document<'_>,
    request: &'r ReadRequest<'r>,
) -> Result<(Chat<'r>, Vec<Repeated>), FormatError> {
    let mut builder = LayoutBuilder::new(NAME, request);
    let records = builder.list(container, nodes.iter().map(|(span, _)| *span).collect());
    let mut chat = Chat { builder, ids: MadeIds::default() };
    let mut copies = Vec::new();
    for (index, (_, node)) in nodes.iter().enumerate() {
        read_message(&mut chat, *node, records.unit(index), &mut copies)
            .map_err(|fault| refused(fault, NAME, node.start(), index, document))?;
    }
    Ok((chat, copies))
}

fn read_message(
    chat: &mut Chat<'_>,
    node: Node<'_>,
    unit: Unit,
    copies: &mut Vec<Repeated>,
) -> Result<(), Fault> {
    let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let form = form_of(&message).ok_or(RecordFault::Field("type"))?;
    let body = body(&message, form).ok_or(RecordFault::Field("kwargs"))?;
    match role(&message, &body).ok_or(RecordFault::Role)? {
        Role::Tool => chat.result(&body, unit),
        Role::Assistant => model(chat, &body, unit, copies),
        role @ (Role::System | Role::User) => chat.say(role, &body, Origin::Person, unit),
    }
}

/// The model's message: `tool_use` blocks in the content are copies of calls that are listed.
fn model(
    chat: &mut Chat<'_>,
    body: &Object<'_>,
    unit: Unit,
    copies: &mut Vec<Repeated>,
) -> Result<(), Fault> {
    let listed = Found::under(body, "tool_calls").is_some_and(|calls| !calls.messages.is_empty());
    let own = Found::under(body, "content").filter(|_| listed);
    let turn = chat.builder.turn_count();
    let mut blocks = Vec::new();
    let mut draft = match own {
        Some(found) => content(chat, &found, unit, &mut blocks),
        None => chat.draft(Role::Assistant, body, unit),
    };
    let first = draft.message.parts.len();
    if listed || body.has("function_call") {
        chat.calls(body, unit, &mut draft);
    } else if let Some(extra) = object_in(body, "additional_kwargs") {
        chat.calls(&extra, unit, &mut draft);
    }
    for (id, input) in blocks {
        let same = |part: &PartView<'_>| matches!(part, PartView::ToolCall(call) if call.call_id == id);
        if let Some(part) = draft.message.parts.iter().skip(first).position(same) {
            copies.push(Repeated { turn, part: part.saturating_add(first), input });
        }
    }
    Ok(chat.builder.push(draft)?)
}

/// A content of blocks; those that repeat calls are noted with their ids and inputs.
fn content<'a>(
    chat: &mut Chat<'_>,
    found: &Found<'a>,
    unit: Unit,
    copies: &mut Vec<(String, Span)>,
) -> Draft<'a> {
    let spans = found.messages.iter().map(Node::span).collect();
    let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
    let mut draft = Draft::new(Role::Assistant, unit).adding(Adding::Element(list, Frame::TEXT_BLOCK));
    for (index, node) in found.messages.iter().enumerate() {
        let block = node.object().ok().flatten().unwrap_or_default();
        if let Some("tool_use" | "tool_call" | "function_call") = block.string("type").as_deref() {
            let input = block.get("input").or_else(|| block.get("args"));
            copies.extend(block.owned("id").zip(input.map(|input| input.span())));
        } else {
            let (part, place) = chat.blocks().block(*node, list.unit(index));
            draft.add(part, place);
        }
    }
    draft
}

/// The input of a block that repeats a call.
#[derive(Debug)]
struct Repeated {
    turn: usize,
    part: usize,
    input: Span,
}

impl Repeated {
    fn is_emptied(&self, view: &View<'_>) -> bool {
        match view.fate(self.turn) {
            Fate::Masked(_) => true,
            Fate::Trimmed(trim) => {
                !matches!(view.kept_of_part(self.turn, self.part, trim), Some(Kept::Whole))
            }
            Fate::Kept | Fate::SummarizedInto(_) | Fate::Dropped => false,
        }
    }
}

/// How messages are dumped.
#[derive(Debug)]
struct Dump {
    form: Form,
    copies: Vec<Repeated>,
}

impl Spelling for Dump {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        let (before, after) = match self.form {
            Form::Constructor => (
                r#"{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"#,
                r#","type":"human"}}"#,
            ),
            Form::Typed => (r#"{"type":"human","data":{"content":"#, r#","type":"human"}}"#),
            Form::Flat => (r#"{"type":"human","content":"#, "}"),
        };
        [before, &quoted(text), after].concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        for copy in self.copies.iter().filter(|copy| copy.is_emptied(view)) {
            edited.splices.note(NoteKind::CopiesRewritten, copy.input.start);
            edited.splices.replace(copy.input, "{}");
        }
        Ok(())
    }
}
