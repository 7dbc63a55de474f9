//! Requests to the Anthropic Messages API: `{system?, messages, tools?, …}`, or the list of messages alone.
//!
//! Content is a string or a list of blocks. Tool results stand in user messages, one turn each; the rest of a user
//! message is a turn of its own. A provider-side tool with its result is part of the assistant's turn. Signed
//! thinking is never cut; in the turn that is still going on it is never removed either.

mod read;
mod rules;
mod sniff;

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Lens, Reading};
use crate::layout::{LayoutLens, Spelling};
use crate::raw::{Span, Splices, quoted};
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
    layout: LayoutLens<Messages>,
    /// The message objects.
    messages: Vec<Span>,
}

impl Lens for MessagesLens {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        self.layout.render(view)
    }

    fn violations(&self, text: &str) -> Vec<Violation> {
        rules::violations(&self.messages, text)
    }
}

/// How a message is spelled.
#[derive(Debug)]
struct Messages;

impl Spelling for Messages {
    /// The one role that may stand anywhere: user messages in a row are joined by the provider.
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"user","content":"#, &quoted(text), "}"].concat()
    }
}
