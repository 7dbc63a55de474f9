//! Chat completions messages: a bare list, a request `{messages, …}`, a log with the request's fields, or one message
//! a line.
//!
//! Each message is one turn. Several conversations in one file are refused: a budget is for one.

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

/// The format of chat completions messages.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct OpenAiChat;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "openai-chat",
    describe: "chat completions messages: a request, a log of one, a list, or one message a line",
    told_by: "the roles `tool`, `function` and `developer`, `tool_calls`, parts such as `image_url`; lists of plain messages too",
    evidence: Evidence::Sessions,
    dialect: Dialect::OpenAiChat,
};

impl Format for OpenAiChat {
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

/// The index over the messages.
#[derive(Debug)]
struct ChatLens {
    layout: LayoutLens<Chat>,
    /// The message objects.
    messages: Vec<Span>,
}

impl Lens for ChatLens {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        self.layout.render(view)
    }

    fn violations(&self, text: &str) -> Vec<Violation> {
        rules::violations(&self.messages, text)
    }
}

/// How a chat message is spelled.
#[derive(Debug)]
struct Chat;

impl Spelling for Chat {
    /// The model's own words: what a summary turn is everywhere else, too.
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"assistant","content":"#, &quoted(text), "}"].concat()
    }
}
