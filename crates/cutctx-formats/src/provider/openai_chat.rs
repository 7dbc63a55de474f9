//! Chat completions messages: a bare list, a request `{messages, …}`, a log with the request's fields, or one message
//! a line.
//!
//! Each message is one turn. A file of records that hold a list each under `messages` or, as tau-bench writes them,
//! `traj` has several conversations, of which one is read and written: a budget is for one. Parallel calls that an
//! exporter has written as assistant messages in a row are read as they stand, each with its own result.

mod read;
mod sniff;

use alloc::string::String;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Answer, Spelling};
use crate::raw::quoted;
use crate::request::ReadRequest;
use crate::source::Worth;
use crate::view::View;

/// The format of chat completions messages.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct OpenAiChat;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "openai-chat",
    describe: "chat completions messages: a request, a log of one, a list, or one message a line; records of them",
    told_by: "the roles `tool`, `function` and `developer`, `tool_calls`, parts such as `image_url`; lists of plain messages too",
    evidence: Evidence::Sessions,
    dialect: Dialect::OpenAiChat,
};

/// What the reader of messages and the rules look at. Members may go one by one, so all of them count; arguments must be
/// JSON as a whole.
static LINE: Worth = Worth::All(&[
    ("messages", Worth::List(&Worth::All(MESSAGE))),
    ("traj", Worth::List(&Worth::All(MESSAGE))),
    ("content", CONTENT),
    ("reasoning_content", Worth::Text),
    ("reasoning", Worth::Text),
    ("refusal", Worth::Text),
]);

/// The members of a message in a record of a conversation.
const MESSAGE: &[(&str, Worth)] = &[
    ("content", CONTENT),
    ("reasoning_content", Worth::Text),
    ("reasoning", Worth::Text),
    ("refusal", Worth::Text),
];

const CONTENT: Worth = Worth::Output(&[
    ("text", Worth::Text),
    ("thinking", Worth::Text),
    ("image_url", Worth::Data),
    ("input_audio", Worth::Data),
    ("file", Worth::Data),
    ("document_url", Worth::Data),
]);

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

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
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

    fn result(&self, answer: &Answer) -> Option<String> {
        let head = [r#"{"role":"tool","tool_call_id":"#, &quoted(&answer.call_id)].concat();
        Some([&head, r#","content":"#, &quoted(&answer.text), "}"].concat())
    }
}
