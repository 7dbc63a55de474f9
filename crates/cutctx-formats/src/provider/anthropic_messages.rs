//! Requests to the Anthropic Messages API: `{system?, messages, tools?, …}`, or the list of messages alone.
//!
//! # What is context
//!
//! Content is a string or a list of blocks. Tool results stand in user messages, one turn each; the rest of a user
//! message is a turn of its own. A provider-side tool with its result is part of the assistant's turn. A user message
//! that is nothing but the blocks of a harness is not a person's: its instructions are pinned, its words for the moment
//! are not. The system prompt is a turn that no edit reaches.
//!
//! # What is written
//!
//! A summary is a user message: the provider joins messages of one role.
//!
//! *Signed thinking* is never cut. In the turn that is still going on, which begins after the last thing said to the
//! model, the provider wants it back byte for byte: it stays with its message, also where the turn is masked. Thinking
//! of earlier turns is kept where its turn is kept, though its prefix may have changed, because the provider leaves it
//! out by itself; it goes as a whole from a turn that is masked, and goes or stays as a whole where a turn is trimmed.
//! Since messages that come to touch are joined, and one with thinking must begin with it, what keeps a message without
//! thinking from touching a later one with it is pinned in the turn that is still going on; so is the message that this
//! turn begins after.
//!
//! *Cache marks* (`cache_control`) whose block goes move to the nearest block before it that stays and can carry one;
//! where that one has a mark already, there is one less. A content that is one string becomes a block for it.

mod cache_marks;
mod read;
mod sniff;

use alloc::string::String;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Answer, Edited, Spelling};
use crate::provider::blocks;
use crate::raw::quoted;
use crate::request::ReadRequest;
use crate::source::Worth;
use crate::view::View;
use cache_marks::CacheMarks;

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

/// What the reader of messages and the rules look at, where a file has one message a line.
static LINE: Worth = Worth::All(&[("content", blocks::WORTH)]);

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

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}

/// How a message is spelled.
#[derive(Debug)]
struct Messages {
    marks: CacheMarks,
}

impl Spelling for Messages {
    /// The one role that may stand anywhere: user messages in a row are joined by the provider.
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"user","content":"#, &quoted(text), "}"].concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        self.marks.mend(edited, view);
        Ok(())
    }

    fn result(&self, answer: &Answer) -> Option<String> {
        let head = [r#"{"type":"tool_result","tool_use_id":"#, &quoted(&answer.call_id)].concat();
        Some([&head, r#","content":"#, &quoted(&answer.text), r#","is_error":true}"#].concat())
    }

    fn carrier(&self, results: &[String]) -> Option<String> {
        Some([r#"{"role":"user","content":["#, &results.join(","), "]}"].concat())
    }
}
