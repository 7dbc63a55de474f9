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

use cutctx_messages::MessageEstimator;

use crate::conversation::Conversation;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{Confidence, Format, Lens, Reading};
use crate::raw::Splices;
use crate::view::View;
use crate::violation::Violation;

pub(crate) use rules::Groups;
pub(crate) use sniff::block_mark;

/// The format of Anthropic Messages requests.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct AnthropicMessages;

impl Format for AnthropicMessages {
    fn name(&self) -> &'static str {
        "anthropic-messages"
    }

    fn describe(&self) -> &'static str {
        "a request to the Anthropic Messages API, or its list of messages"
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        sniff::sniff(document)
    }

    fn read(
        &self,
        document: &Document<'_>,
        estimator: &dyn MessageEstimator,
    ) -> Result<Reading, FormatError> {
        read::read(document, estimator)
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
