//! Results of tau2: an object with `simulations`, each of them one conversation.
//!
//! An assistant's and, in some domains, a user's calls stand in `tool_calls` with their arguments as an object; a result
//! names its call in `id`. Everything beside the messages is ballast. Nobody sends these files: they keep no provider's
//! rules.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{CallView, PartView, ResultView};
use cutctx_types::{Role, Transcript};

use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Place, Spelling, Unit};
use crate::raw::{Node, Object, compact, quoted};
use crate::request::ReadRequest;
use crate::view::View;

/// The format of tau2's results.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct Tau2;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "tau2",
    describe: "results of tau2, a conversation for each simulation",
    told_by: "`simulations` with `messages` in each",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

impl Format for Tau2 {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let first = simulations(document)?.into_iter().next()?.object().ok()??;
        first.get("messages")?.array().ok()?.map(|_| Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let simulations = simulations(document)
            .ok_or_else(|| FormatError::Unrecognized { at: document.start(), looks_like: None })?;
        let chosen = request.choose(simulations.len(), document.start())?;
        let messages = simulations.get(chosen).and_then(|simulation| messages_of(*simulation));
        let (list, messages) = messages.ok_or_else(|| {
            let place = simulations.get(chosen).map_or(0, Node::start);
            faulty(RecordFault::Field("messages"), place, chosen, document)
        })?;
        Ok(read_messages(list, &messages, document, request)?.of(simulations.len()))
    }
}

fn simulations<'a>(document: &Document<'a>) -> Option<Vec<Node<'a>>> {
    let Shape::Object(results) = document.shape() else { return None };
    results.get("simulations")?.array().ok()?
}

fn messages_of(simulation: Node<'_>) -> Option<(Node<'_>, Vec<Node<'_>>)> {
    let list = simulation.object().ok()??.get("messages")?;
    Some((list, list.array().ok()??))
}

fn faulty(fault: RecordFault, place: usize, record: usize, document: &Document<'_>) -> FormatError {
    FormatError::record(ABOUT.name, fault, place, record, document.text())
}

fn read_messages(
    list: Node<'_>,
    messages: &[Node<'_>],
    document: &Document<'_>,
    request: &ReadRequest<'_>,
) -> Result<Reading, FormatError> {
    let mut builder = LayoutBuilder::new(ABOUT.name, request);
    let spans = messages.iter().map(Node::span).collect();
    let records = builder.list(Container::Array(list.span()), spans);
    for (index, node) in messages.iter().enumerate() {
        let draft = draft(*node, records.unit(index))
            .map_err(|fault| faulty(fault, node.start(), index, document))?;
        builder.push(draft)?;
    }
    let (mapped, layout) = builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Messages)))
}

fn draft(node: Node<'_>, unit: Unit) -> Result<Draft<'_>, RecordFault> {
    let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let role = match message.string("role").as_deref() {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool") => return Ok(result(&message, unit)),
        _ => return Err(RecordFault::Role),
    };
    let mut draft = Draft::new(role, unit);
    if let Some(content) = message.get("content") {
        draft = draft.adding(Adding::Value(content.span(), Frame::BARE));
        if let Some(text) = content.string() {
            let place = Place::text(unit, content.span()).blanked(content.span(), r#""""#);
            draft.add(PartView::Text(text), place);
        }
    }
    let calls = message.get("tool_calls").and_then(|calls| calls.array().ok().flatten()).unwrap_or_default();
    for call in calls.iter().filter_map(|call| call.object().ok().flatten()) {
        let arguments = call.get("arguments");
        let said = arguments.map(|value| compact(value.text())).unwrap_or_default();
        let view = CallView::new(
            call.string("id").unwrap_or_default(),
            call.string("name").unwrap_or_default(),
            said,
        );
        draft.add(PartView::ToolCall(view), Place::call(unit, arguments.map(|value| value.span()), "{}"));
    }
    Ok(draft)
}

fn result<'a>(message: &Object<'a>, unit: Unit) -> Draft<'a> {
    let mut draft = Draft::new(Role::Tool, unit);
    let content = message.get("content");
    let said = content.and_then(|content| content.string()).map(PartView::Text);
    let place = content.map_or_else(
        || Place::silent_result(unit),
        |content| Place::result(unit, content.span(), Frame::BARE),
    );
    let failed = message.get("error").is_some_and(|error| error.is_true());
    let id = message.string("id").unwrap_or_default();
    let result = ResultView::with_parts(id, said.into_iter().collect()).with_error(failed);
    draft.add(PartView::ToolResult(result), place);
    draft
}

/// How a message is spelled.
#[derive(Debug)]
struct Messages;

impl Spelling for Messages {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"assistant","content":"#, &quoted(text), r#","tool_calls":null}"#].concat()
    }
}
