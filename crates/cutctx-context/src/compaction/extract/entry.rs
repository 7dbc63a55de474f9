//! What a message leaves in a summary: a line for each part.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Message, MessagePart};
use cutctx_types::Role;

/// What sort of line, from what is kept longest to what goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// What was asked or ruled.
    Asked,
    /// What the model said, and what a failure said.
    Said,
    /// Which tool was called, with what.
    Called,
    /// What a tool gave.
    Given,
}

/// How much of a line is shown, in characters, from the most on. The last step is nothing.
pub(super) type Detail = usize;

/// The steps of detail.
pub(super) const DETAILS: usize = 3;

impl Sort {
    /// Characters shown at a step of detail; zero beyond the last.
    pub(super) const fn chars(self, detail: Detail) -> usize {
        match (self, detail) {
            (Self::Asked, 0) => 1_200,
            (Self::Asked, 1) => 320,
            (Self::Asked, 2) | (Self::Called, 1) => 96,
            (Self::Said, 0) => 640,
            (Self::Said, 1) | (Self::Called, 0) => 200,
            (Self::Said, 2) => 64,
            (Self::Given, 0) => 240,
            (Self::Given, 1) => 72,
            (Self::Called, 2) => 40,
            (Self::Given, 2) => 32,
            _ => 0,
        }
    }
}

/// A line of a summary at full length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) sort: Sort,
    pub(super) line: String,
}

/// What stands before a line of each sort.
const ASKED: &str = "asked: ";
const RULED: &str = "ruled: ";
const SAID: &str = "said: ";
const FAILED: &str = "failed: ";
const CALLED: &str = "called: ";
const GIVEN: &str = "gave: ";

/// What stands around the number of lines that were left out.
const LEFT_OUT: (&str, &str) = ("(", " earlier lines left out)");

impl Entry {
    fn new(sort: Sort, prefix: &str, text: &str) -> Self {
        let mut line = String::from(prefix);
        push_on_one_line(text, &mut line);
        Self { sort, line }
    }

    /// The lines of a message; none for reasoning, and for what is kept elsewhere.
    pub(super) fn of_message(message: &Message) -> Vec<Self> {
        message.content().iter().filter_map(|part| Self::of_part(message.role(), part)).collect()
    }

    fn of_part(role: Role, part: &MessagePart) -> Option<Self> {
        Some(match part {
            MessagePart::Text(part) => match role {
                Role::User => Self::new(Sort::Asked, ASKED, &part.text),
                Role::System => Self::new(Sort::Asked, RULED, &part.text),
                Role::Assistant | Role::Tool => Self::new(Sort::Said, SAID, &part.text),
            },
            MessagePart::ToolCall(part) => {
                let call = format!("{} {}", &*part.tool_name, part.shown_arguments().to_json());
                Self::new(Sort::Called, CALLED, &call)
            }
            MessagePart::ToolResult(part) => {
                let given = format!("{} {}", &*part.tool_name, &*part.content);
                if part.is_error {
                    Self::new(Sort::Said, FAILED, &given)
                } else {
                    Self::new(Sort::Given, GIVEN, &given)
                }
            }
            MessagePart::File(part) => {
                Self::new(Sort::Asked, ASKED, &format!("[file {}]", &**part.attachment.filename()))
            }
            MessagePart::HostedToolCall(part) => {
                let call = format!("{} {}", part.hosted_tool.as_str(), part.action.to_json());
                Self::new(Sort::Called, CALLED, &call)
            }
            MessagePart::StructuredOutput(part) => Self::new(Sort::Said, SAID, &part.output.to_json()),
            MessagePart::Citation(part) => Self::new(Sort::Given, GIVEN, &part.url),
            MessagePart::ProviderState(_) | MessagePart::Thinking(_) | MessagePart::PeerContent(_) | _ => {
                return None;
            }
        })
    }

    /// The line at a step of detail: its head and its tail. Empty beyond the last step.
    pub(super) fn shown(&self, detail: Detail) -> Cow<'_, str> {
        shortened(&self.line, self.sort.chars(detail))
    }
}

/// The lines of a summary, and how many it says that it left out. A text of another compactor is read line by line.
pub(super) fn of_summary(summary: &str) -> (usize, Vec<Entry>) {
    let mut left_out = 0_usize;
    let mut entries = Vec::new();
    for line in summary.lines().filter(|line| !line.trim().is_empty()) {
        match number_left_out(line) {
            Some(number) => left_out = left_out.saturating_add(number),
            None => entries.push(Entry { sort: sort_of(line), line: line.into() }),
        }
    }
    (left_out, entries)
}

/// The line that says how many were left out.
pub(super) fn left_out_line(number: usize) -> String {
    format!("{}{number}{}", LEFT_OUT.0, LEFT_OUT.1)
}

fn number_left_out(line: &str) -> Option<usize> {
    line.strip_prefix(LEFT_OUT.0)?.strip_suffix(LEFT_OUT.1)?.parse().ok()
}

fn sort_of(line: &str) -> Sort {
    let sorts = [(ASKED, Sort::Asked), (RULED, Sort::Asked), (CALLED, Sort::Called), (GIVEN, Sort::Given)];
    sorts.into_iter().find(|(prefix, _)| line.starts_with(prefix)).map_or(Sort::Said, |(_, sort)| sort)
}

/// Puts a text behind a line, with one space for every run of white space.
fn push_on_one_line(text: &str, line: &mut String) {
    for (nth, word) in text.split_whitespace().enumerate() {
        if nth > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
}

/// What stands between head and tail.
const CUT: &str = " … ";

/// A text of at most so many characters: the first two thirds of its head, and its tail.
fn shortened(line: &str, most: usize) -> Cow<'_, str> {
    if line.chars().nth(most).is_none() {
        return line.into();
    }
    let room = most.saturating_sub(CUT.chars().count());
    let tail = room / 3;
    let head = room.saturating_sub(tail);
    if tail == 0 {
        return "".into();
    }
    let border = |chars: usize| line.char_indices().nth(chars).map_or(line.len(), |(at, _)| at);
    let from_end = line.char_indices().nth_back(tail.saturating_sub(1)).map_or(0, |(at, _)| at);
    let head = line.get(..border(head)).unwrap_or_default();
    format!("{head}{CUT}{}", line.get(from_end..).unwrap_or_default()).into()
}
