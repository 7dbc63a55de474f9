//! Requests to the Bedrock Converse API: `{messages, system?, toolConfig?, inferenceConfig?, …}`, or the list of
//! messages alone.
//!
//! # What is context
//!
//! The messages, whose blocks are objects named by their one key, and the system prompt, which no edit reaches. Each
//! `toolResult` is a turn; the other blocks of a message are one. Reasoning with a signature, and redacted reasoning,
//! is never cut. A `cachePoint` says nothing: it is no part of a turn. Texts inside of `guardContent` and
//! `citationsContent` count by their bytes and stay whole or go.
//!
//! # What is written
//!
//! User and assistant must take turns here. Where a turn goes that stood between two messages of one role, these become
//! one message, and a summary becomes the last block of the user's message before it or the first one of that after it.
//! Between two messages of one role it is one of the other. So a summary between the first message and one of the
//! model's belongs to the first message from then on, and stays with it.
//!
//! A cache point stands for all that comes before it. When what it followed goes, it moves to the end of the nearest
//! message before it that stays, unless a cache point stands there already.
//!
//! The first message stays, because a conversation must start with one of the user's. In the turn that is still going
//! on, signed reasoning stays byte for byte with its message; reasoning of earlier turns is left where it is as long as
//! its turn is kept, goes as a whole when the turn is masked, and goes or stays as a whole when it is trimmed. What
//! must stay so that reasoning comes first where messages come to touch is pinned.

mod blocks;
mod cache_points;
mod read;
mod sniff;

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Answer, Edited, Frame, Spelling};
use crate::raw::quoted;
use crate::request::ReadRequest;
use crate::view::View;
use cache_points::Marked;

/// The format of Bedrock Converse requests.
///
/// ```
/// use cutctx_formats::{Fate, Session};
/// use cutctx_types::CharRatioEstimator;
///
/// let file = r#"{"messages":[{"role":"user","content":[{"text":"read it"}]},
///   {"role":"assistant","content":[{"text":"which one?"}]},
///   {"role":"user","content":[{"text":"the long one"}]}],"inferenceConfig":{}}"#;
/// let session = Session::read(file, &CharRatioEstimator::default())?;
/// assert_eq!(session.format().name(), "bedrock-converse");
///
/// let shorter = session.render(&[Fate::Kept, Fate::Dropped, Fate::Kept], &[])?.to_text();
/// assert!(shorter.contains(r#""content":[{"text":"read it"},{"text":"the long one"}]"#));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct BedrockConverse;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "bedrock-converse",
    describe: "a request to the Bedrock Converse API, or its list of messages",
    told_by: "blocks of one key such as `toolUse` and `text`, or a request with `inferenceConfig` or `toolConfig`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Bedrock,
};

impl Format for BedrockConverse {
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

/// How a message is spelled, and where cache points stand.
#[derive(Debug)]
struct Converse {
    marked: Vec<Marked>,
}

impl Spelling for Converse {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        self.summaries(&[text])
    }

    fn summaries(&self, texts: &[&str]) -> String {
        let texts: Vec<String> = texts.iter().map(|text| Frame::TEXT_MEMBER.of(text)).collect();
        [r#"{"role":"user","content":["#, &texts.join(","), "]}"].concat()
    }

    fn models_summaries(&self, texts: &[&str]) -> Option<String> {
        let texts: Vec<String> = texts.iter().map(|text| Frame::TEXT_MEMBER.of(text)).collect();
        Some([r#"{"role":"assistant","content":["#, &texts.join(","), "]}"].concat())
    }

    fn result(&self, answer: &Answer) -> Option<String> {
        let id = [r#"{"toolResult":{"toolUseId":"#, &quoted(&answer.call_id)].concat();
        Some([&id, r#","content":[{"text":"#, &quoted(&answer.text), r#"}],"status":"error"}}"#].concat())
    }

    fn carrier(&self, results: &[String]) -> Option<String> {
        Some([r#"{"role":"user","content":["#, &results.join(","), "]}"].concat())
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        cache_points::mend(&self.marked, edited, view.text());
        Ok(())
    }
}
