//! The policy over messages: they become turns, and the fates of turns become messages again.

mod arguments;
mod build;
mod live;
mod material;
mod restore;
mod shown;
mod source;
mod view;

pub(super) use build::begin;
pub use live::{LiveContext, LiveRequest, LiveResult, LiveStep};
