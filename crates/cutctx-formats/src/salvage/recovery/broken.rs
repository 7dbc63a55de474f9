//! A line that does not begin with a record, or does not go on with one.

use alloc::vec::Vec;

use super::Recovery;
use crate::raw::Span;
use crate::salvage::finding::Damage;
use crate::salvage::scan::{Outcome, Scan};
use crate::salvage::stretch::is_blank;

/// A record that was found from its end, and where it begins.
type Ending = (usize, Scan);

/// So many braces on a line may turn out to end no record before the rest of it is given up.
const MISSES: usize = 3;

impl Recovery<'_> {
    /// Keeps the records on the rest of a damaged line and skips what stands between them. `scan` is that of the value at
    /// `at`, which led nowhere. A line with nothing to keep goes with its end. Gives the place after the last record at which
    /// another one seems to begin.
    pub(super) fn broken(&mut self, damaged: Span, at: usize, scan: &Scan) -> Option<usize> {
        let goes_on = self.doubt.covers(damaged.start);
        self.doubt.raise(self.bytes, scan);
        let tail = Span { start: at, end: self.end_of_text(at, damaged.end) };
        let endings = self.endings(tail, scan);
        let end = match endings.first() {
            Some((first, _)) => *first,
            None if self.fresh_line => damaged.end,
            None => self.trimmed(damaged).end,
        };
        let text = Span { start: at, end: self.end_of_text(at, end) };
        let kind = self.kind(text, scan.end);
        if kind == Damage::Stray && !goes_on {
            self.tally.strays = self.tally.strays.saturating_add(1);
        }
        self.log.skip(kind, Span { start: damaged.start, end }, goes_on);
        let rest = self.keep_endings(&endings, self.trimmed(damaged).end);
        if rest.is_none() {
            self.end_line(damaged.end);
        }
        rest
    }

    /// Keeps the records and skips what stands between them. Gives the start of what stands after the last one.
    fn keep_endings(&mut self, endings: &[Ending], line_end: usize) -> Option<usize> {
        let mut done = None;
        for (start, scan) in endings {
            if let Some(done) = done {
                let gap = self.trimmed(Span { start: done, end: *start });
                self.log.skip(self.kind(gap, gap.end), gap, false);
            }
            self.keep(*start, scan, false);
            done = Some(scan.end);
        }
        let rest = self.trimmed(Span { start: done?, end: line_end });
        (!rest.is_empty()).then_some(rest.start)
    }

    /// The records on the rest of a line that does not begin with one, found from their ends.
    fn endings(&mut self, tail: Span, scan: &Scan) -> Vec<Ending> {
        let mut found = Vec::new();
        let mut rest = tail;
        let mut misses = 0..MISSES;
        while let Some(end) = self.last_end(rest) {
            if let Some((start, record)) = self.ending(rest.start, end) {
                rest.end = self.end_of_text(rest.start, start);
                if !self.is_announced(rest, &record) {
                    found.push((start, record));
                }
            } else if misses.next().is_some() {
                rest.end = end.saturating_sub(1);
            } else {
                break;
            }
        }
        if let Some((start, record)) = found.last()
            && self.belongs_inside(tail.start, *start, record, scan)
        {
            found.pop();
        }
        found.reverse();
        found
    }

    /// Where the last whole record may end: at the end, or before the beginning of another one that breaks off.
    fn last_end(&self, rest: Span) -> Option<usize> {
        let bytes = self.bytes.get(rest.start..rest.end)?;
        if bytes.last() == Some(&b'}') { Some(rest.end) } else { self.last_border(rest) }
    }

    /// The record that ends here.
    fn ending(&mut self, from: usize, end: usize) -> Option<Ending> {
        let start = self.scanner.opening(from, end)?;
        let record = self.scanner.value(start, end);
        (record.is_complete() && record.end == end && record.has_members()).then_some((start, record))
    }

    /// The last place at which an object ends and another one begins, as they never do inside of a value.
    fn last_border(&self, span: Span) -> Option<usize> {
        let bytes = self.bytes.get(span.start..span.end)?;
        let mut opens = false;
        let inside = bytes.iter().rposition(|byte| {
            let is_border = opens && *byte == b'}';
            opens = *byte == b'{' || opens && is_hole(*byte);
            is_border
        });
        self.scanner.count(bytes.len().saturating_sub(inside.unwrap_or_default()));
        let inside = inside?;
        Some(span.start.saturating_add(inside).saturating_add(1))
    }

    /// Whether an object comes after punctuation that announces a value, and so is most likely a part of the broken record
    /// before it. If it begins as whole records of this file do, it is none.
    fn is_announced(&self, before: Span, object: &Scan) -> bool {
        let last = before.end.checked_sub(1).and_then(|last| self.bytes.get(last));
        let is_in_record = self.bytes.get(before.start) == Some(&b'{');
        let can_tell = !self.openings.is_empty() && !self.openings.contains(&self.opening(object));
        is_in_record && can_tell && matches!(last, Some(b':' | b',' | b'['))
    }

    /// The same for the first object, by reading what is before it: that tells more where no whole record is known yet.
    fn belongs_inside(&mut self, broken: usize, start: usize, object: &Scan, scan: &Scan) -> bool {
        let is_known = self.openings.contains(&self.opening(object));
        let reached = scan.end >= start && !is_known;
        reached && self.scanner.value(broken, start).outcome == Outcome::Incomplete { value_due: true }
    }

    /// What bytes are that belong to no record. Up to `end` they are the beginning of one.
    fn kind(&self, damaged: Span, end: usize) -> Damage {
        let text = self.bytes.get(damaged.start..damaged.end).unwrap_or_default();
        let is_last = || self.ends_with_blanks(damaged.end);
        let breaks_off = end >= self.bytes.len() || end >= damaged.end && is_last();
        match text.first() {
            _ if text.iter().all(|byte| *byte == 0) => Damage::Zeros,
            Some(b'{') if breaks_off => Damage::Truncated,
            Some(b'{') => Damage::Torn,
            _ => Damage::Stray,
        }
    }

    /// Whether nothing but white space and zeros follows in the file.
    fn ends_with_blanks(&self, from: usize) -> bool {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| is_hole(**byte)).count();
        self.scanner.count(blanks);
        blanks == rest.len()
    }

    /// The end of what stands before `end`, white space and zeros left out.
    fn end_of_text(&self, start: usize, end: usize) -> usize {
        self.end_before(Span { start, end }, is_hole)
    }
}

/// Whether a byte is white space or a zero.
const fn is_hole(byte: u8) -> bool {
    is_blank(byte) || byte == 0
}
