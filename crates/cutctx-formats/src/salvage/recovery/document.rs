//! Files that are one JSON document, whole or not: no records on lines, so nothing is cut or joined in them.

use super::Recovery;
use crate::raw::Span;
use crate::salvage::finding::Damage;
use crate::salvage::log::Log;
use crate::salvage::scan::{Outcome, Scan};

impl Recovery<'_> {
    /// The log of a file that is one document: empty, or with escapes in strings, or with the reason why it is left as
    /// it is. `None` when the file is to be read line by line.
    pub(super) fn whole_document(&mut self, stretches: &[Span]) -> Option<Log> {
        let first = *stretches.first()?;
        let text = self.trimmed(first);
        if !(self.starts_with(text, b"{") || self.starts_with(text, b"[")) {
            return None;
        }
        let scan = self.scanner.value(text.start, first.end);
        let is_all = stretches.len() == 1;
        match scan.outcome {
            Outcome::Complete if is_all && scan.end == text.end => {
                self.escape(text, &scan);
                Some(core::mem::take(&mut self.log))
            }
            Outcome::Complete => None,
            Outcome::Incomplete { .. } if is_all => self.truncated(text, &scan),
            Outcome::Incomplete { .. } | Outcome::Malformed => self.malformed(text, &scan),
        }
    }

    /// The beginning of a document, unless lines of it look like records, and not like elements of a list.
    fn truncated(&mut self, text: Span, scan: &Scan) -> Option<Log> {
        let is_list = self.starts_with(text, b"[");
        let has_records = scan.lines_of_their_own.iter().any(|start| self.is_line_start(*start));
        self.document = Some((Damage::TruncatedDocument, scan.end));
        (is_list || scan.separated || !has_records).then(|| Log::left(Damage::TruncatedDocument, scan.end))
    }

    /// A list over several lines is a document; an object may be a record.
    fn malformed(&mut self, text: Span, scan: &Scan) -> Option<Log> {
        if scan.end < self.line_end(text.start, text.end) {
            return None;
        }
        self.document = Some((Damage::BrokenDocument, scan.end));
        self.starts_with(text, b"[").then(|| Log::left(Damage::BrokenDocument, scan.end))
    }
}
