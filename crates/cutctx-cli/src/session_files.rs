//! Many sessions at once: files, and folders of files.

mod conversations;
mod gather;
mod left_out;
mod list;
mod measure;

pub(crate) use conversations::each_conversation;
pub(crate) use gather::Gathered;
pub(crate) use left_out::nothing_measured;
pub(crate) use measure::Measuring;
