//! Recognising a format from a file's content.

mod foreign;

use crate::agent::ClaudeCode;
use crate::document::{Document, Shape};
use crate::error::{FormatError, Place};
use crate::format::Format;
use crate::native::Native;
use crate::provider::AnthropicMessages;
use crate::provider::OpenAiChat;

/// All formats, in the order in which they are listed; of equally sure ones the first one wins.
static FORMATS: [&dyn Format; 4] = [&Native, &AnthropicMessages, &OpenAiChat, &ClaudeCode];

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
    if let Shape::Glued(_, second) = document.shape() {
        return Err(FormatError::Glued { at: Place::of(*second, document.text()), looks_like });
    }
    if looks_like.is_some() {
        return Err(FormatError::Unrecognized { at: document.start(), looks_like });
    }
    let sniffed = formats().iter().rev().filter_map(|format| Some((format.sniff(document)?, *format)));
    if let Some((_, format)) = sniffed.max_by_key(|(confidence, _)| *confidence) {
        return Ok(format);
    }
    Err(unknown(document))
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
