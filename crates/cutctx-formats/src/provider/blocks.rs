//! Anthropic content: a string, or a list of typed blocks. Read into message parts, edited in place.

mod edit;
mod place;
mod read;

pub(crate) use edit::{edit_block, text_block};
pub(crate) use place::{Drafted, draft_content};
pub(crate) use read::{Content, read_content};

use crate::source::Worth;

/// What of contents the reader and the rules look at.
pub(crate) const WORTH: Worth = Worth::Blocks(&[
    ("text", Worth::Said),
    ("thinking", Worth::Text),
    ("signature", Worth::Text),
    ("content", Worth::Text),
    ("source", Worth::Text),
    ("data", Worth::Text),
    ("input", Worth::Json),
]);
