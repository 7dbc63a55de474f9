//! Files of several conversations: an array, or lines, of records that hold a list of messages each.

use alloc::vec::Vec;

use super::message_list::MessageList;
use crate::document::{Document, Shape};
use crate::error::{FormatError, Place, RecordFault};
use crate::layout::Container;
use crate::raw::{Kind, Line, Node, Object};

/// The keys under which records hold their messages.
const LISTS: [&str; 2] = ["messages", "traj"];

/// The records of a file, none of them taken apart yet.
pub(super) enum Conversations<'a> {
    /// The elements of an array.
    Elements(Vec<Node<'a>>),
    /// Lines.
    Lines(Vec<Line<'a>>),
}

impl<'a> Conversations<'a> {
    /// The records of a document whose first one is a conversation.
    pub(super) fn find(document: &Document<'a>) -> Option<Self> {
        let first = document.sample(1).into_iter().next()?;
        messages_of(&first)?;
        match document.shape() {
            Shape::Array(_, elements) => Some(Self::Elements(elements.clone())),
            Shape::Lines => Some(Self::Lines(document.lines().filter(|line| !line.is_filler()).collect())),
            Shape::Object(_) | Shape::Glued(..) => None,
        }
    }

    /// How many there are.
    pub(super) const fn count(&self) -> usize {
        match self {
            Self::Elements(elements) => elements.len(),
            Self::Lines(lines) => lines.len(),
        }
    }

    /// The messages of one of them.
    ///
    /// # Errors
    ///
    /// When the record is no conversation.
    pub(super) fn messages(
        &self,
        index: usize,
        format: &'static str,
        document: &Document<'a>,
    ) -> Result<MessageList<'a>, FormatError> {
        let text = document.text();
        let node = match self {
            Self::Elements(elements) => elements.get(index).copied(),
            Self::Lines(lines) => match lines.get(index) {
                Some(line) => Some(line.value().map_err(|error| FormatError::syntax(error, text))?),
                None => None,
            },
        };
        let at = node.map_or_else(|| document.start(), |node| Place::of(node.start(), text));
        let fault = FormatError::Record { format, at, record: index, fault: RecordFault::Field("messages") };
        node.and_then(|node| list_in(&node.object().ok().flatten()?)).ok_or(fault)
    }
}

fn messages_of<'a>(record: &Object<'a>) -> Option<Node<'a>> {
    let lists = LISTS.iter().filter_map(|key| record.get(key));
    lists.into_iter().find(|list| list.kind() == Kind::Array).filter(|_| !record.has("role"))
}

fn list_in<'a>(record: &Object<'a>) -> Option<MessageList<'a>> {
    let list = messages_of(record)?;
    let messages = list.array().ok()??.into_iter().map(|node| (node.span(), node)).collect();
    Some(MessageList::new(Container::Array(list.span()), messages, Some(record.clone())))
}
