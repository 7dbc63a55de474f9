//! The messages of a conversation as a repair sees them: who speaks, what kinds of parts, which calls. Texts only where
//! they are to be changed.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use cutctx_messages::{CallState, CallView, MessageView, PartView, ResultView};
use cutctx_types::Role;

use crate::raw::Span;
use crate::request::{Observer, Seen};

pub(super) use crate::side::Side;

/// A conversation.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// All messages, in the order in which they were read.
    pub(super) messages: Vec<Message>,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    /// Its first record; empty for what stands outside of the list of messages.
    pub(super) span: Span,
    pub(super) first_turn: usize,
    pub(super) parts: Vec<Part>,
    /// Whether it must not lose anything.
    pub(super) is_pinned: bool,
    /// What it ends with, without the white space there, where it ends with a text and white space.
    pub(super) trimmed: Option<String>,
}

/// A part of a message.
#[derive(Debug)]
pub(super) enum Part {
    Text { is_blank: bool },
    Reasoning,
    Call(CallFacts),
    Result(ResultFacts),
    ServerResult,
    Medium,
}

/// A call.
#[derive(Debug)]
pub(super) struct CallFacts {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_servers: bool,
    /// What the file says became of it.
    pub(super) state: Option<CallState>,
    /// Arguments as an object, where they are none.
    pub(super) wrapped: Option<String>,
}

/// A result.
#[derive(Debug)]
pub(super) struct ResultFacts {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) is_provisional: bool,
    pub(super) has_no_content: bool,
    /// Its parts that are no empty texts, where it has empty ones.
    pub(super) full: Option<Vec<usize>>,
}

impl Outline {
    /// The messages of the list, with their numbers.
    pub(super) fn listed(&self) -> impl Iterator<Item = (usize, &Message)> {
        self.messages.iter().enumerate().filter(|(_, message)| !message.span.is_empty())
    }
}

impl Message {
    pub(super) const fn side(&self) -> Side {
        Side::of(self.role)
    }

    /// The calls that a client answers, with their parts.
    pub(super) fn calls(&self) -> impl Iterator<Item = (usize, &CallFacts)> {
        self.parts.iter().enumerate().filter_map(|(index, part)| {
            if let Part::Call(call) = part
                && !call.is_servers
            {
                Some((index, call))
            } else {
                None
            }
        })
    }

    /// The results, with their parts.
    pub(super) fn results(&self) -> impl Iterator<Item = (usize, &ResultFacts)> {
        self.parts.iter().enumerate().filter_map(|(index, part)| {
            if let Part::Result(result) = part { Some((index, result)) } else { None }
        })
    }

    /// Whether somebody says or shows something in it, beside results.
    pub(super) fn speaks(&self) -> bool {
        self.role == Role::User
            && self.parts.iter().any(|part| matches!(part, Part::Text { .. } | Part::Medium))
    }
}

/// Hears the messages that a reader reports.
#[derive(Debug, Default)]
pub(super) struct Listener(RefCell<Outline>);

impl Listener {
    pub(super) fn heard(self) -> Outline {
        self.0.into_inner()
    }
}

impl Observer for Listener {
    fn message(&self, seen: &Seen<'_>) {
        let mut outline = self.0.borrow_mut();
        outline.messages.push(read(seen));
    }
}

fn read(seen: &Seen<'_>) -> Message {
    let MessageView { role, parts, .. } = seen.message;
    let trimmed = match parts.last() {
        Some(PartView::Text(text)) if text.ends_with(char::is_whitespace) => {
            Some(String::from(text.trim_end()))
        }
        _ => None,
    };
    Message {
        role: *role,
        span: seen.span,
        first_turn: seen.first_turn,
        parts: parts.iter().map(part).collect(),
        is_pinned: false,
        trimmed,
    }
}

fn part(view: &PartView<'_>) -> Part {
    match view {
        PartView::Text(text) => Part::Text { is_blank: text.trim_start().is_empty() },
        PartView::Reasoning(_) | PartView::OpaqueReasoning { .. } => Part::Reasoning,
        PartView::ToolCall(view) => Part::Call(call(view)),
        PartView::ToolResult(view) => Part::Result(result(view)),
        PartView::Media(medium) if medium.is_server_result() => Part::ServerResult,
        PartView::Media(_) | _ => Part::Medium,
    }
}

fn call(view: &CallView<'_>) -> CallFacts {
    CallFacts {
        id: String::from(view.call_id.as_ref()),
        name: String::from(view.name.as_ref()),
        is_servers: view.server_side,
        state: view.state,
        wrapped: super::arguments::as_object(&view.arguments),
    }
}

fn result(view: &ResultView<'_>) -> ResultFacts {
    let is_empty = |part: &PartView<'_>| matches!(part, PartView::Text(text) if text.is_empty());
    let full = || view.parts.iter().enumerate().filter(|(_, part)| !is_empty(part)).map(|(index, _)| index);
    ResultFacts {
        id: String::from(view.call_id.as_ref()),
        name: view.name.clone(),
        is_provisional: view.provisional,
        has_no_content: view.parts.is_empty(),
        full: view.parts.iter().any(is_empty).then(|| full().collect()),
    }
}
