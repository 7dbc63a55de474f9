//! Chat completions messages: a bare list, a request `{messages, …}`, a log with the request's fields, or one message
//! a line.
//!
//! Each message is one turn. Several conversations in one file are refused: a budget is for one.

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

/// The format of chat completions messages.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct OpenAiChat;

impl Format for OpenAiChat {
    fn name(&self) -> &'static str {
        "openai-chat"
    }

    fn describe(&self) -> &'static str {
        "chat completions messages: a request, a log of one, a list, or one message a line"
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

/// The index over the messages.
#[derive(Debug)]
struct ChatLens {
    conversation: Conversation,
}

impl Lens for ChatLens {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        self.conversation.render(view, self)
    }

    fn violations(&self, text: &str) -> Vec<Violation> {
        rules::violations(self, text)
    }
}
