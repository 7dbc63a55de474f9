//! How far a long operation is.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;

/// A bar on standard error, where a person looks at that. It shows when something is told and goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Bytes, of which nobody knows at first how many there are.
    Bytes,
    /// So many files.
    Files(usize),
    /// So many sessions.
    Sessions(usize),
    /// So many summaries.
    Summaries(usize),
}

impl Unit {
    const fn template(self) -> &'static str {
        match self {
            Self::Bytes => "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left",
            Self::Files(_) => "{msg} {wide_bar} {pos} of {len} files, {elapsed}",
            Self::Sessions(_) => "{msg} {wide_bar} {pos} of {len} sessions, {elapsed}",
            Self::Summaries(_) => "{msg} {wide_bar} {pos} of {len} summaries, {elapsed}",
        }
    }

    fn bar(self) -> ProgressBar {
        match self {
            Self::Bytes => ProgressBar::no_length(),
            Self::Files(all) | Self::Sessions(all) | Self::Summaries(all) => ProgressBar::new(length(all)),
        }
    }
}

impl Progress {
    /// A bar that says what is being done.
    pub(crate) fn new(terminal: Terminal, doing: &'static str, unit: Unit) -> Self {
        if !terminal.progress() {
            return Self::hidden();
        }
        let style = ProgressStyle::with_template(unit.template());
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(unit.bar().with_style(style).with_message(doing))
    }

    /// No bar.
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// So much is done of so much.
    pub(crate) fn tell(&self, done: usize, all: usize) {
        self.0.set_length(length(all));
        self.reach(done);
    }

    /// So much is done.
    pub(crate) fn reach(&self, done: usize) {
        self.0.set_position(length(done));
    }

    /// One more is done.
    pub(crate) fn one_more(&self) {
        self.0.inc(1);
    }

    /// A writer that tells what goes through it, of so many bytes.
    pub(crate) fn watch<W: Write>(&self, out: W, all: usize) -> impl Write + use<W> {
        self.0.set_length(length(all));
        self.0.wrap_write(out)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
