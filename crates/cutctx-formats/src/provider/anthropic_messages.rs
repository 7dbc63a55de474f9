//! Requests to the Anthropic Messages API: `{system?, messages, tools?, …}`, or the list of messages alone.
//!
//! Content is a string or a list of blocks. Tool results stand in user messages, one turn each; the rest of a user
//! message is a turn of its own. A provider-side tool with its result is part of the assistant's turn. Signed
//! thinking is never cut; in the turn that is still going on it is never removed either.

mod read;
mod render;
mod rules;
mod sniff;

use alloc::vec::Vec;

use super::conversation::Conversation;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Lens, Reading};
use crate::raw::Splices;
use crate::request::ReadRequest;
use crate::view::View;
use crate::violation::Violation;

pub(crate) use rules::Groups;
pub(crate) use sniff::block_mark;

/// The format of Anthropic Messages requests.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct AnthropicMessages;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "anthropic-messages",
    describe: "a request to the Anthropic Messages API, or its list of messages",
    told_by: "blocks such as `tool_use` and `thinking`, or a request with `system`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Anthropic,
};

impl Format for AnthropicMessages {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        sniff::sniff(document)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        read::read(document, request)
    }
}

/// The index over a request.
#[derive(Debug)]
struct MessagesLens {
    conversation: Conversation,
    /// How many turns the system prompt outside the list of messages is: none or one.
    outside: usize,
    /// The last message in which a person speaks: what follows is the turn that is still going on.
    loop_start: Option<usize>,
}

impl Lens for MessagesLens {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        render::render(self, view)
    }

    fn violations(&self, text: &str) -> Vec<Violation> {
        rules::violations(self, text)
    }
}
