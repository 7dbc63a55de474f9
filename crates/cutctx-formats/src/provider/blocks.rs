//! Anthropic content: a string, or a list of typed blocks. Read into message parts, edited in place.

mod edit;
mod read;

pub(crate) use edit::{edit_block, edit_content, text_block};
pub(crate) use read::{Content, read_content};
