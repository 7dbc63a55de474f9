//! Recognising a format from a file's content.

mod foreign;

use crate::agent::{
    Antigravity, ClaudeCode, Cline, CodexRollout, CopilotCli, Cursor, Droid, GeminiCli, Goose, HappyTrace,
    Hermes, KimiCli, Opencode, Pi, QwenCode,
};
use crate::dataset::{
    Atif, AutoGen, GoogleAdk, Inspect, IronClaw, LangChain, Letta, MiniSweAgent, OpenHands, OtelGenAi,
    ShareGpt, SweAgent, Tau2, ToolBench, TraeAgent,
};
use crate::document::{Document, Shape};
use crate::error::{FormatError, Place};
use crate::format::Format;
use crate::native::Native;
use crate::provider::{AnthropicMessages, BedrockConverse, GeminiContents, OpenAiChat, OpenAiResponses};
use crate::raw::Node;

/// All formats, in the order in which they are listed; of equally sure ones the first one wins.
///
/// The native one; those that put fields of their own around a provider's messages, before the providers whose messages
/// they are; providers, those with narrower shapes first; agents, Qwen Code before Claude Code, whose envelope it shares;
/// data sets. Where it does not matter they stand by name.
static FORMATS: [&dyn Format; 36] = [
    &Native,
    &Cline,
    &Hermes,
    &BedrockConverse,
    &GeminiContents,
    &AnthropicMessages,
    &OpenAiChat,
    &OpenAiResponses,
    &QwenCode,
    &Antigravity,
    &ClaudeCode,
    &CodexRollout,
    &CopilotCli,
    &Cursor,
    &Droid,
    &GeminiCli,
    &Goose,
    &HappyTrace,
    &KimiCli,
    &Opencode,
    &Pi,
    &Atif,
    &AutoGen,
    &GoogleAdk,
    &Inspect,
    &IronClaw,
    &LangChain,
    &Letta,
    &MiniSweAgent,
    &OpenHands,
    &OtelGenAi,
    &ShareGpt,
    &SweAgent,
    &Tau2,
    &ToolBench,
    &TraeAgent,
];

/// The formats that this crate reads.
#[must_use]
pub fn formats() -> &'static [&'static dyn Format] {
    &FORMATS
}

/// The format with this name.
#[must_use]
pub fn format_named(name: &str) -> Option<&'static dyn Format> {
    formats().iter().copied().find(|format| format.name() == name)
}

/// The format of a file, by its structure. Another tool's file is refused first; then the surest format wins.
///
/// # Errors
///
/// When no format knows the file: the error says where, and what the file looks like.
pub fn detect(document: &Document<'_>) -> Result<&'static dyn Format, FormatError> {
    let looks_like = foreign::looks_like(document);
    if looks_like.is_some() {
        return Err(refusal(document, looks_like));
    }
    let sniffed = formats().iter().rev().filter_map(|format| Some((format.sniff(document)?, *format)));
    if let Some((_, format)) = sniffed.max_by_key(|(confidence, _)| *confidence) {
        return Ok(format);
    }
    match document.shape() {
        Shape::Glued(..) => Err(refusal(document, None)),
        Shape::Object(_) | Shape::Array(..) | Shape::Lines => Err(unknown(document)),
    }
}

/// A file that no format takes. One of several documents says where the second one starts.
fn refusal(document: &Document<'_>, looks_like: Option<&'static str>) -> FormatError {
    match document.shape() {
        Shape::Glued(_, second) => FormatError::Glued { at: Place::of(*second, document.text()), looks_like },
        Shape::Object(_) | Shape::Array(..) | Shape::Lines => {
            FormatError::Unrecognized { at: document.start(), looks_like }
        }
    }
}

/// The error of a file that is no JSON as a whole: an array says by its first element what it seems to be.
pub(crate) fn named(error: FormatError, text: &str) -> FormatError {
    let FormatError::Syntax { at, truncated, looks_like: None } = error else { return error };
    let inner = text.trim_start().strip_prefix('[').map(str::trim_start).unwrap_or_default();
    let first = Node::leading(inner, 0).map(|first| ["[", first.text(), "]"].concat());
    let document = first.as_deref().and_then(|first| Document::parse(first).ok());
    let looks_like = document.and_then(|document| Some(detect(&document).ok()?.describe()));
    FormatError::Syntax { at, truncated, looks_like }
}

/// Why nothing fits: a line that cannot be read comes before a guess at the whole.
fn unknown(document: &Document<'_>) -> FormatError {
    if let Some(error) = broken_line(document) {
        return error;
    }
    let at = document.start();
    match foreign::conversations(document) {
        Some(conversations) => FormatError::SeveralConversations { at, conversations },
        None => FormatError::Unrecognized { at, looks_like: None },
    }
}

fn broken_line(document: &Document<'_>) -> Option<FormatError> {
    let Shape::Lines = document.shape() else { return None };
    let mut lines = document.lines().filter(|line| !line.is_filler());
    lines.find_map(|line| line.value().err()).map(|error| FormatError::syntax(error, document.text()))
}
