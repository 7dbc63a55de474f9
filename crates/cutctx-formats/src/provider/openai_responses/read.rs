//! Requests and lists of items to turns.

use alloc::vec::Vec;

use cutctx_messages::{Mapped, MessageView, PartView};
use cutctx_types::{Role, Transcript};

use super::Items;
use super::gather::{Gatherer, Item};
use super::item::{ItemKind, item_kind};
use crate::document::{Document, Shape};
use crate::error::{FormatError, RecordFault};
use crate::format::Reading;
use crate::layout::{Container, Draft, Layout, LayoutBuilder};
use crate::raw::{Kind, Node, Object, Span};
use crate::request::ReadRequest;

/// The format's name in errors.
const NAME: &str = "openai-responses";

/// The turns, where they stand, and the outputs that are pictures of a screen with their turns.
type Read = (Mapped, Layout, Vec<(usize, Span)>);

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let (mapped, layout, screenshots) = match document.shape() {
        Shape::Array(span, elements) => read_items(document, request, None, *span, elements)?,
        Shape::Object(object) => read_request(document, request, object)?,
        Shape::Lines | Shape::Glued(..) => return Err(unrecognized(document)),
    };
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Items { screenshots })))
}

fn unrecognized(document: &Document<'_>) -> FormatError {
    FormatError::Unrecognized { at: document.start(), looks_like: None }
}

fn read_request<'a>(
    document: &Document<'a>,
    request: &ReadRequest<'_>,
    object: &Object<'a>,
) -> Result<Read, FormatError> {
    let input = object.get("input").ok_or_else(|| unrecognized(document))?;
    if let Some(elements) = document.elements(input) {
        return read_items(document, request, Some(object), input.span(), &elements);
    }
    let text = input.string().ok_or_else(|| unrecognized(document))?;
    let mut builder = LayoutBuilder::new(NAME, request);
    builder.list(Container::Array(input.span()), Vec::new());
    push_fixed(&mut builder, object.get("instructions"), Role::System, "instructions")?;
    let message = MessageView::new(Role::User, alloc::vec![PartView::Text(text)]).with_id("input");
    builder.push(Draft::fixed_at(message, input.span()))?;
    let (mapped, layout) = builder.finish();
    Ok((mapped, layout, Vec::new()))
}

/// A text outside of the items is a turn that no edit reaches.
fn push_fixed(
    builder: &mut LayoutBuilder<'_>,
    text: Option<Node<'_>>,
    role: Role,
    id: &'static str,
) -> Result<(), FormatError> {
    let said = text.and_then(|text| Some((text.string()?, text.span())));
    if let Some((text, span)) = said.filter(|(text, _)| !text.is_empty()) {
        let message = MessageView::new(role, alloc::vec![PartView::Text(text)]).with_id(id);
        builder.push(Draft::fixed_at(message, span))?;
    }
    Ok(())
}

fn read_items(
    document: &Document<'_>,
    request: &ReadRequest<'_>,
    around: Option<&Object<'_>>,
    array: Span,
    elements: &[Node<'_>],
) -> Result<Read, FormatError> {
    let items = elements
        .iter()
        .enumerate()
        .map(|(record, node)| opened(*node).map_err(|fault| faulty(fault, *node, record, document)))
        .collect::<Result<Vec<_>, _>>()?;
    let start = start_of(&items);
    let mut builder = LayoutBuilder::new(NAME, request);
    if start > 0 {
        builder = builder.without_first_user();
    }
    let list = builder.list(Container::Array(array), elements.iter().map(Node::span).collect());
    push_fixed(
        &mut builder,
        around.and_then(|around| around.get("instructions")),
        Role::System,
        "instructions",
    )?;
    let mut gatherer = Gatherer::new(builder, NAME, document.text());
    for (record, (object, kind)) in items.iter().enumerate().skip(start) {
        gatherer.push(&Item::new(object, *kind, (list, record)))?;
    }
    let screenshots = gatherer.screenshots();
    let (mapped, layout) = gatherer.finish()?;
    Ok((mapped, layout, screenshots))
}

fn opened(node: Node<'_>) -> Result<(Object<'_>, ItemKind), RecordFault> {
    if node.kind() != Kind::Object {
        return Err(RecordFault::NotAnObject);
    }
    let object = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let kind = item_kind(&object).ok_or(RecordFault::Role)?;
    Ok((object, kind))
}

fn faulty(fault: RecordFault, node: Node<'_>, record: usize, document: &Document<'_>) -> FormatError {
    FormatError::record(NAME, fault, node.start(), record, document.text())
}

/// The item that the context begins with: the last compaction, when before it stands more than what a compacted window
/// keeps word by word.
fn start_of(items: &[(Object<'_>, ItemKind)]) -> usize {
    let Some(last) = items.iter().rposition(|(_, kind)| *kind == ItemKind::Compaction) else { return 0 };
    let kept = |kind: &ItemKind| {
        matches!(
            kind,
            ItemKind::User | ItemKind::System | ItemKind::Tools | ItemKind::Compaction | ItemKind::Ballast
        )
    };
    let window = items.iter().take(last).all(|(_, kind)| kept(kind));
    if window { 0 } else { last }
}
