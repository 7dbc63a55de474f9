//! Requests to the Gemini API: `{contents, systemInstruction?, tools?, …}`, or the list of contents alone. Names are
//! read in both spellings, `functionCall` and `function_call`.
//!
//! # What is context
//!
//! The contents, whose parts are objects, and the system instruction, which no edit reaches. Each `functionResponse` is
//! a turn; the other parts of a content are one. A response that names the id of a call belongs to it; one without an
//! id, or with one that no call has, belongs to the oldest open call of its function. What a function responds counts
//! as text: the text itself where the response is one text under one name, or else its JSON.
//!
//! # What is written
//!
//! Old models want user and model to take turns, and all want a call to follow the user. Where a turn goes that stood
//! between two contents of one role, these become one, and a summary becomes the last part of the user's content before
//! it or the first one of that after it. Between two contents of one role it is one of the other. A response whose
//! text is replaced stays an object: `{"output": …}`.
//!
//! A `thoughtSignature` is reasoning that nobody can read: a part of its turn that stays whole or goes. In the turn that
//! is still going on it stays byte for byte, and so do the arguments of a call that carries it, also where the turn is
//! masked. In earlier turns, where the provider does not look for it, it goes with the part that it signs and from turns
//! that are masked, and stays or goes as a whole where a turn is trimmed. What the model was asked last is pinned while
//! there are signatures, because it begins that turn.

mod links;
mod parts;
mod read;
mod sniff;

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Answer, Frame, Spelling};
use crate::raw::quoted;
use crate::request::ReadRequest;
use crate::view::View;

/// The format of Gemini API requests.
///
/// ```
/// use cutctx_formats::{Fate, Session};
/// use cutctx_types::CharRatioEstimator;
///
/// let file = r#"{"contents":[{"role":"user","parts":[{"text":"rain?"}]},
///   {"role":"model","parts":[{"functionCall":{"name":"rain","args":{"d":1}}}]},
///   {"role":"user","parts":[{"functionResponse":{"name":"rain","response":{"mm":3}}}]}]}"#;
/// let session = Session::read(file, &CharRatioEstimator::default())?;
/// assert_eq!(session.format().name(), "gemini-contents");
///
/// let shorter = session.render(&[Fate::Kept, Fate::Kept, Fate::Masked("[gone]")], &[])?.to_text();
/// assert!(shorter.contains(r#""response":{"output":"[gone]"}"#));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct GeminiContents;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "gemini-contents",
    describe: "a request to the Gemini API, or its list of contents",
    told_by: "`contents` whose elements have `parts`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Gemini,
};

impl Format for GeminiContents {
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

/// How a content is spelled.
#[derive(Debug)]
struct Contents;

impl Spelling for Contents {
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        self.summaries(&[text])
    }

    fn summaries(&self, texts: &[&str]) -> String {
        let texts: Vec<String> = texts.iter().map(|text| Frame::TEXT_MEMBER.of(text)).collect();
        [r#"{"role":"user","parts":["#, &texts.join(","), "]}"].concat()
    }

    fn models_summaries(&self, texts: &[&str]) -> Option<String> {
        let texts: Vec<String> = texts.iter().map(|text| Frame::TEXT_MEMBER.of(text)).collect();
        Some([r#"{"role":"model","parts":["#, &texts.join(","), "]}"].concat())
    }

    fn result(&self, answer: &Answer) -> Option<String> {
        let own = Some(&answer.call_id).filter(|id| !links::is_made_up(id));
        let id = own.map(|id| [r#""id":"#, &quoted(id), ","].concat()).unwrap_or_default();
        let name = [r#""name":"#, &quoted(&answer.name)].concat();
        let response = [r#""response":{"error":"#, &quoted(&answer.text), "}"].concat();
        Some([r#"{"functionResponse":{"#, &id, &name, ",", &response, "}}"].concat())
    }

    fn carrier(&self, results: &[String]) -> Option<String> {
        Some([r#"{"role":"user","parts":["#, &results.join(","), "]}"].concat())
    }
}
