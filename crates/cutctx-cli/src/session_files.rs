//! Many sessions at once: files, and folders of files.

mod gather;
mod list;

pub(crate) use gather::{Gathered, gather, progress};
