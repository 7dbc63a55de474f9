//! Many sessions at once: files, and folders of files.

mod conversations;
mod gather;
mod left_out;
mod list;

pub(crate) use conversations::each_conversation;
pub(crate) use gather::{Gathered, gather};
pub(crate) use left_out::nothing_measured;
