//! Files: where bytes come from and where they go.

mod backup;
mod input;
mod output;
mod progress;
mod replace;

pub(crate) use backup::{keep_aside, newest_backup, restore};
pub(crate) use input::{Input, Opened};
pub(crate) use output::Output;
pub(crate) use progress::{Progress, Unit};
pub(crate) use replace::{can_write_beside, holds, put, replace};
