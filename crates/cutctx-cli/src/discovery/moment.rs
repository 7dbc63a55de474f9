//! When a file was written. The only place that reads the clock: an age is told to people and decides nothing.
#![expect(clippy::disallowed_types, reason = "the age of a file needs the clock")]

use std::fs::Metadata;
use std::time::SystemTime;

/// A moment in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(SystemTime);

impl Moment {
    /// This moment.
    pub(crate) fn now() -> Self {
        Self(SystemTime::now())
    }

    /// When a file was written last; `None` where the system does not know.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        metadata.modified().ok().map(Self)
    }

    /// In whole seconds since 1970; `None` before that.
    pub(crate) fn since_1970(self) -> Option<u64> {
        self.0.duration_since(SystemTime::UNIX_EPOCH).ok().map(|since| since.as_secs())
    }

    /// How long ago it was at another moment, in whole seconds. What lies in the future is 0 old.
    pub(crate) fn age(self, now: Self) -> u64 {
        now.0.duration_since(self.0).map_or(0, |age| age.as_secs())
    }
}
