//! How many summaries there are already.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error that counts summaries, where a person looks at that.
#[derive(Debug)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn of(terminal: Terminal, summaries: usize) -> Self {
        if !terminal.progress() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("writing summaries {wide_bar} {pos} of {len}, {elapsed}");
        let bar = ProgressBar::new(u64::try_from(summaries).unwrap_or(u64::MAX));
        Self(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    pub(super) fn tell(&self, done: usize) {
        self.0.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
