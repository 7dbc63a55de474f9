//! Responses API items: a request with `input`, or the list of items alone.
//!
//! One response of the model is one turn: its reasoning, its calls and what it says with them. Where one response ends
//! and the next begins is not written down; reasoning begins a new one, so does what a client put into the model's
//! mouth (`{role, content}` with a plain string), and a message ends one unless calls follow it. Every output is a turn
//! of its own. `instructions` and `input` given as one text are turns that stay as they are.
//!
//! What the API binds together stays together: reasoning goes with what follows it, and where items carry the ids of a
//! stored response a masked turn keeps its reasoning, because calls without it are refused. Calls that the provider
//! runs itself hold their result in the same item and go whole or stay. Searches for tools and the tools that a
//! developer adds are pinned: later calls need them. The answer to a call for a computer must be
//! a picture: in the place of a masked one stands a picture of one point, whose comment is the stub. A call that loses
//! its arguments waits, or changes a file without a name by nothing.
//!
//! A `compaction` item stands for what came before it and is pinned. What stands before the last one is no context,
//! except where that is nothing but messages of users and developers: that is how a compacted window keeps them.

mod call;
mod content;
mod gather;
mod item;
mod output;
mod read;
mod screenshot;
mod sniff;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_exec::Fate;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Answer, Edited, Spelling};
use crate::raw::{Span, quoted};
use crate::request::ReadRequest;
use crate::view::View;

pub(crate) use gather::{Gatherer, Item};
pub(crate) use item::{ItemKind, item_kind};
pub(crate) use output::tail;

/// The format of Responses API items.
///
/// ```
/// use cutctx_formats::{Fate, Session};
/// use cutctx_types::CharRatioEstimator;
///
/// let file = r#"{"model": "m", "input": [
///   {"role": "user", "content": "square 9"},
///   {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
///   {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "square", "arguments": "{\"n\": 9}"},
///   {"type": "function_call_output", "call_id": "call_1", "output": "81, after a long computation"}]}"#;
/// let session = Session::read(file, &CharRatioEstimator::default())?;
/// assert_eq!((session.format().name(), session.transcript().turns().len()), ("openai-responses", 3));
///
/// let shorter = session.render(&[Fate::Kept, Fate::Kept, Fate::Masked("[gone]")], &[])?.to_text();
/// assert!(shorter.ends_with(r#""call_id": "call_1", "output": "[gone]"}]}"#));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct OpenAiResponses;

/// What is to be said about the format.
static ABOUT: About = About {
    name: "openai-responses",
    describe: "items of the Responses API: a request with `input`, or the list alone",
    told_by: "`input` with items, or a list with items such as `function_call` and `reasoning`",
    evidence: Evidence::Sessions,
    dialect: Dialect::OpenAiResponses,
};

impl Format for OpenAiResponses {
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

/// How an item is spelled.
#[derive(Debug)]
struct Items {
    /// The outputs that are pictures of a screen, each with its turn.
    screenshots: Vec<(usize, Span)>,
}

impl Spelling for Items {
    /// A plain message, which is read as standing alone.
    fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
        [r#"{"role":"assistant","content":"#, &quoted(text), "}"].concat()
    }

    fn result(&self, answer: &Answer) -> Option<String> {
        let head = [r#"{"type":"function_call_output","call_id":"#, &quoted(&answer.call_id)].concat();
        Some([&head, r#","output":"#, &quoted(&answer.text), "}"].concat())
    }

    /// A picture of a screen stays one when its turn says something else.
    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        for (turn, output) in &self.screenshots {
            let text = match view.fate(*turn) {
                Fate::Masked(stub) => Some(Cow::Borrowed(stub)),
                Fate::Trimmed(trim) if !view.keeps_media(*turn, trim) => {
                    Some(Cow::Owned(view.kept_text(*turn, trim)))
                }
                Fate::Kept | Fate::Trimmed(_) | Fate::SummarizedInto(_) | Fate::Dropped => None,
            };
            if let Some(text) = text {
                edited.splices.replace(*output, screenshot::masked(&text));
            }
        }
        Ok(())
    }

    /// A message as the model gives it out, which is read as belonging to the calls behind it.
    fn said(&self, text: &str, _turn: usize, _before: usize, _view: &View<'_>) -> String {
        let content = [r#"[{"type":"output_text","text":"#, &quoted(text), r#","annotations":[]}]"#].concat();
        [r#"{"type":"message","role":"assistant","content":"#, &content, "}"].concat()
    }
}
