//! Anthropic content: a string, or a list of typed blocks. Read into message parts, edited in place.

mod edit;
mod place;
mod read;

pub(crate) use edit::{edit_block, text_block};
pub(crate) use place::draft_content;
pub(crate) use read::{Content, read_content};
