//! Finding the list of messages in a document, and telling two providers' messages apart.

use alloc::vec::Vec;
use core::cell::OnceCell;

use super::anthropic_messages::block_mark;
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::layout::Container;
use crate::raw::{Node, Object, Span};

/// A list of messages and what it stands in.
#[derive(Debug, Clone)]
pub(crate) struct MessageList<'a> {
    pub(crate) container: Container,
    /// The record and the message of each element.
    pub(crate) messages: Vec<(Span, Node<'a>)>,
    /// The object around the list, when there is one.
    pub(crate) request: Option<Object<'a>>,
    mark: OnceCell<Option<MessageMark>>,
}

impl<'a> MessageList<'a> {
    pub(crate) const fn new(
        container: Container,
        messages: Vec<(Span, Node<'a>)>,
        request: Option<Object<'a>>,
    ) -> Self {
        Self { container, messages, request, mark: OnceCell::new() }
    }
}

/// What gives away whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageMark {
    /// Anthropic's blocks.
    Anthropic,
    /// `OpenAI`'s roles, calls and parts.
    OpenAi,
}

/// The list of messages: the document's array, its `messages` member, or its lines. Use [`Document::messages`], which
/// looks for it once.
pub(crate) fn find_list<'a>(document: &Document<'a>) -> Option<MessageList<'a>> {
    match document.shape() {
        Shape::Object(object) if object.has("messages") => request_list(document, object),
        Shape::Object(object) if is_message(object) => line_list(document),
        Shape::Lines if document.sample(1).first().is_some_and(is_message) => line_list(document),
        Shape::Array(span, elements) if elements.first().is_none_or(is_message_node) => {
            let messages = elements.iter().map(|node| (node.span(), *node)).collect();
            Some(MessageList::new(Container::Array(*span), messages, None))
        }
        Shape::Object(_) | Shape::Array(..) | Shape::Lines | Shape::Glued(..) => None,
    }
}

fn request_list<'a>(document: &Document<'a>, object: &Object<'a>) -> Option<MessageList<'a>> {
    let list = object.get("messages")?;
    let elements = document.elements(list)?;
    elements.first().is_none_or(is_message_node).then(|| {
        let messages = elements.into_iter().map(|node| (node.span(), node)).collect();
        MessageList::new(Container::Array(list.span()), messages, Some(object.clone()))
    })
}

/// Every line is one message.
fn line_list<'a>(document: &Document<'a>) -> Option<MessageList<'a>> {
    let records = document.lines().filter(|line| !line.is_filler());
    let messages = records.map(|line| Some((line.span, line.value().ok()?))).collect::<Option<Vec<_>>>()?;
    Some(MessageList::new(Container::Lines, messages, None))
}

fn is_message_node(node: &Node<'_>) -> bool {
    node.object().ok().flatten().is_some_and(|message| is_message(&message))
}

fn is_message(message: &Object<'_>) -> bool {
    message.string("role").is_some()
        && ["content", "tool_calls", "function_call"].iter().any(|key| message.has(key))
}

/// The list, or why there is none.
pub(crate) fn require_list<'d, 'a>(document: &'d Document<'a>) -> Result<&'d MessageList<'a>, FormatError> {
    document.messages().ok_or_else(|| FormatError::Unrecognized { at: document.start(), looks_like: None })
}

/// The first mark of a provider in the list.
pub(crate) fn first_mark(list: &MessageList<'_>) -> Option<MessageMark> {
    let find = || list.messages.iter().find_map(|(_, node)| message_mark(&node.object().ok()??));
    *list.mark.get_or_init(find)
}

fn message_mark(message: &Object<'_>) -> Option<MessageMark> {
    let role = message.string("role")?;
    if matches!(role.as_ref(), "tool" | "function" | "developer")
        || ["tool_calls", "function_call", "tool_call_id", "reasoning_content"]
            .iter()
            .any(|key| message.has(key))
    {
        return Some(MessageMark::OpenAi);
    }
    let blocks = message.get("content")?.array().ok()??;
    blocks.iter().find_map(|block| part_mark(&block.object().ok()??))
}

fn part_mark(part: &Object<'_>) -> Option<MessageMark> {
    let kind = part.string("type")?;
    let kind = kind.as_ref();
    if block_mark(kind) || (kind == "thinking" && part.get("thinking")?.string().is_some()) {
        return Some(MessageMark::Anthropic);
    }
    let theirs = matches!(
        kind,
        "image_url" | "input_audio" | "file" | "refusal" | "thinking" | "document_url" | "video_url"
    );
    theirs.then_some(MessageMark::OpenAi)
}
