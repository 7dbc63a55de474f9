//! Lines that a broken record may have swallowed.

use alloc::vec::Vec;

use crate::salvage::scan::Scan;

/// What is known after a value was read over several lines in vain.
///
/// Inside of such a value the lines have been read with everything that they could begin: an object that began on one
/// of them was closed, and then it is known where, or it is as hopeless as the value. Only where the value took lines
/// for text inside a string may they hold something else. So a byte is read a fixed number of times, whatever the file.
#[derive(Debug, Default)]
pub(super) struct Doubt {
    /// Where reading stopped.
    until: usize,
    /// Where the next value may begin that goes over several lines.
    retry_from: usize,
    /// Objects before that which are known to be whole, and to fill their lines.
    whole: Vec<usize>,
}

impl Doubt {
    /// Whether the byte was read as part of something that led nowhere.
    pub(super) const fn covers(&self, at: usize) -> bool {
        at < self.until
    }

    /// Whether a value that begins here may go over several lines.
    pub(super) fn allows(&self, at: usize) -> bool {
        at >= self.retry_from || self.whole.binary_search(&at).is_ok()
    }

    /// Notes a value that went over several lines, if it did, and is no record.
    pub(super) fn raise(&mut self, bytes: &[u8], scan: &Scan) {
        self.until = self.until.max(scan.end);
        let second_line = if scan.is_complete() { None } else { scan.second_line };
        let last_feed = scan.fixes.iter().rev().find(|fix| bytes.get(fix.at) == Some(&b'\n'));
        let last_line = last_feed.map(|fix| fix.at.saturating_add(1));
        let retry = second_line.or(last_line).unwrap_or_default();
        if retry > self.retry_from {
            self.retry_from = retry;
            self.whole.clone_from(&scan.lines_of_their_own);
        }
    }
}
