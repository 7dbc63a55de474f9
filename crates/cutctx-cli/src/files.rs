//! Files: where bytes come from and where they go.

mod backup;
mod input;
mod output;
mod replace;

pub(crate) use backup::{newest_backup, restore};
pub(crate) use input::Input;
pub(crate) use output::Output;
pub(crate) use replace::replace;
