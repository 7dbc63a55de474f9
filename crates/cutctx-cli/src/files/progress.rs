//! How far the reading or writing of a large session is.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;

/// A bar on standard error, where a person looks at that. It shows when something is told and goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar that says what is being done.
    pub(crate) fn new(terminal: Terminal, doing: &'static str) -> Self {
        if !terminal.progress() {
            return Self::hidden();
        }
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(ProgressBar::no_length().with_style(style).with_message(doing))
    }

    /// No bar.
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// So much is done of so much, in bytes.
    pub(crate) fn tell(&self, done: usize, all: usize) {
        self.0.set_length(u64::try_from(all).unwrap_or(u64::MAX));
        self.0.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    }

    /// A writer that tells what goes through it, of so many bytes.
    pub(crate) fn watch<W: Write>(&self, out: W, all: usize) -> impl Write + use<W> {
        self.0.set_length(u64::try_from(all).unwrap_or(u64::MAX));
        self.0.wrap_write(out)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
