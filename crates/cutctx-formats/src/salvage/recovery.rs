//! Going through a damaged file line by line.
//!
//! A record is looked for at the beginning of a line, after another record, and at the end of a line whose beginning
//! is damaged. A record that does not end on its line may go on over the next ones. When that leads nowhere, the lines
//! that were read in vain are in [`Doubt`]; it keeps them from being read in vain again and again.

mod broken;
mod document;
mod doubt;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::finding::{Damage, Edit, Remedy};
use super::log::Log;
use super::scan::{Fix, FixKind, Scan, Scanner};
use super::stretch::{between_zeros, find, inside, is_blank, not_utf8};
use crate::raw::Span;
use doubt::Doubt;

/// The byte order mark that some editors put in front.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// What was found out about a file.
pub(super) struct Recovered {
    pub(super) log: Log,
    /// Bytes looked at, repeated looks counted.
    pub(super) steps: usize,
}

/// Goes through a file.
pub(super) fn recover(bytes: &[u8]) -> Recovered {
    let start = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    let stretches = between_zeros(bytes, start);
    let mut recovery = Recovery::new(bytes);
    let log = match recovery.whole_document(&stretches) {
        Some(log) => log,
        None => recovery.records_on_lines(&stretches),
    };
    Recovered { log, steps: recovery.scanner.steps().saturating_add(bytes.len()) }
}

struct Recovery<'a> {
    bytes: &'a [u8],
    scanner: Scanner<'a>,
    not_utf8: Vec<Span>,
    log: Log,
    doubt: Doubt,
    /// The first two keys of records that stand on lines of their own, a few of them.
    openings: BTreeSet<[&'a [u8]; 2]>,
    /// What is kept so far ends with a line end, or is nothing.
    fresh_line: bool,
    tally: Tally,
    /// Why the file is none, if it was meant to be one document.
    document: Option<(Damage, usize)>,
}

/// What speaks for records on lines, and what against it.
#[derive(Debug, Default)]
struct Tally {
    /// Records that were written to be on one line.
    records: usize,
    /// Records that were written over several lines on purpose.
    pretty: usize,
    /// Lines of something else.
    strays: usize,
}

/// More openings, or longer ones, than these are not remembered.
const OPENINGS: usize = 64;
const LONGEST_KEY: usize = 64;

impl<'a> Recovery<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            scanner: Scanner::new(bytes),
            not_utf8: not_utf8(bytes),
            log: Log::default(),
            doubt: Doubt::default(),
            openings: BTreeSet::new(),
            fresh_line: true,
            tally: Tally::default(),
            document: None,
        }
    }

    fn records_on_lines(&mut self, stretches: &[Span]) -> Log {
        let mut done = stretches.first().map_or(0, |first| first.start);
        for stretch in stretches {
            self.log.skip(Damage::Zeros, Span { start: done, end: stretch.start }, false);
            let mut at = stretch.start;
            while at < stretch.end {
                at = self.line(at, stretch.end);
            }
            done = stretch.end;
        }
        self.verdict()
    }

    /// The log, unless the file does not look like records on lines: then it is left alone.
    fn verdict(&mut self) -> Log {
        let log = core::mem::take(&mut self.log);
        let skipped = log.notes().iter().find(|note| note.remedy == Remedy::Skipped);
        if self.tally.records > 0 && self.tally.strays <= self.tally.records {
            return log;
        }
        match (skipped, self.document) {
            (None, _) => Log::default(),
            (Some(_), Some((kind, at))) => Log::left(kind, at),
            (Some(note), None) => Log::left(Damage::NotLines, note.start),
        }
    }

    /// Deals with the line that begins at `at`, or the lines that its record takes up. Gives the start of the next one.
    fn line(&mut self, at: usize, end: usize) -> usize {
        let line = Span { start: at, end: self.line_end(at, end) };
        let text = self.trimmed(line);
        let is_comment = self.starts_with(text, b"//") || self.starts_with(text, b"#");
        if text.is_empty() || is_comment && !self.doubt.covers(at) {
            self.keep_filler(line);
            return line.end;
        }
        self.records(line, text.start, end)
    }

    /// Blank lines and comments stay; of what is no text in them the rest does.
    fn keep_filler(&mut self, line: Span) {
        for span in inside(&self.not_utf8, line) {
            self.log.skip(Damage::NotUtf8, *span, false);
        }
        self.end_line(line.end);
    }

    /// Deals with the records on a line from `first` on.
    fn records(&mut self, mut line: Span, first: usize, end: usize) -> usize {
        let mut at = first;
        loop {
            let limit = self.limit(at, line.end, end);
            let scan = self.scanner.value(at, limit);
            let mut rest = self.rest_of_line(scan.end, line.end, end);
            if !self.is_record(at, &scan, at == first && rest.is_empty()) {
                let start = if at == first { line.start } else { at };
                let Some(next) = self.broken(Span { start, end: line.end }, at, &scan) else {
                    return line.end;
                };
                at = next;
                continue;
            }
            self.remember_opening(at, &scan);
            let is_indented = at == first && at > line.start;
            self.keep(at, &scan, is_indented);
            rest.start = self.skip_comma(rest);
            if rest.is_empty() {
                self.end_line(rest.end);
                return rest.end;
            }
            (line.end, at) = (rest.end, rest.start);
        }
    }

    /// What stands after a value that begins on a line with this end, white space in front left out. Nothing of it is
    /// looked at twice, however many values there are.
    fn rest_of_line(&self, value_end: usize, line_end: usize, end: usize) -> Span {
        let goes_over = value_end > line_end;
        let line_end = if goes_over { self.line_end(value_end, end) } else { line_end };
        self.without_blanks(Span { start: value_end, end: line_end })
    }

    /// Records are not separated by commas, but a program that writes lists may put one there.
    fn skip_comma(&mut self, rest: Span) -> usize {
        if !self.starts_with(rest, b",") {
            return rest.start;
        }
        let comma = Span { start: rest.start, end: rest.start.saturating_add(1) };
        self.log.skip(Damage::Stray, comma, false);
        self.without_blanks(Span { start: comma.end, end: rest.end }).start
    }

    /// How far the value at `at` may reach: only containers go over several lines, and not in doubt.
    fn limit(&self, at: usize, line_end: usize, end: usize) -> usize {
        let is_container = matches!(self.bytes.get(at), Some(b'{' | b'['));
        if is_container && self.doubt.allows(at) { end } else { line_end }
    }

    /// Whether a value is a record: anything that has its line for itself, and any object; in doubt only an object with
    /// members, because a line of a text may well be a number or a pair of braces.
    fn is_record(&self, at: usize, scan: &Scan, is_alone: bool) -> bool {
        let is_object = self.bytes.get(at) == Some(&b'{');
        let plain = !self.doubt.covers(at) && (is_alone || is_object);
        scan.is_complete() && (plain || is_object && scan.has_members())
    }

    fn remember_opening(&mut self, at: usize, scan: &Scan) {
        let opening = self.opening(scan);
        let is_short = opening.iter().all(|key| key.len() <= LONGEST_KEY);
        if self.openings.len() < OPENINGS && is_short && scan.has_members() && !self.doubt.covers(at) {
            self.openings.insert(opening);
        }
    }

    fn opening(&self, scan: &Scan) -> [&'a [u8]; 2] {
        scan.keys.map(|key| self.bytes.get(key.start..key.end).unwrap_or_default())
    }

    /// Keeps the record at `at`, on a line of its own and on one line.
    fn keep(&mut self, at: usize, scan: &Scan, is_indented: bool) {
        if !self.fresh_line {
            self.log.split(at);
        }
        self.fresh_line = false;
        let has = |kind| scan.fixes.iter().any(|fix| fix.kind == kind);
        if has(FixKind::LineEnd) && !has(FixKind::Control) {
            self.tally.pretty = self.tally.pretty.saturating_add(1);
        } else if scan.has_members() && !is_indented {
            self.tally.records = self.tally.records.saturating_add(1);
        }
        self.join(scan);
        self.escape(Span { start: at, end: scan.end }, scan);
    }

    fn join(&mut self, scan: &Scan) {
        let bytes = self.bytes;
        let line_ends = scan.fixes.iter().filter(|fix| fix.kind == FixKind::LineEnd);
        let edits = line_ends.map(|fix| Edit { span: line_feed(bytes, fix.at), text: "" });
        self.log.replace(Damage::Spread, Remedy::Joined, edits);
    }

    /// Escapes what stands raw in the strings of a value.
    fn escape(&mut self, value: Span, scan: &Scan) {
        let controls = scan.fixes.iter().filter(|fix| fix.kind == FixKind::Control);
        let bytes = self.bytes;
        let edits = controls.filter_map(|fix| escaped(bytes, *fix));
        self.log.replace(Damage::Control, Remedy::Escaped, edits);
        let bad = inside(&self.not_utf8, value).iter();
        let edits = bad.map(|span| Edit { span: *span, text: "\\ufffd" });
        self.log.replace(Damage::NotUtf8, Remedy::Escaped, edits);
    }

    fn end_line(&mut self, end: usize) {
        let last = end.checked_sub(1).and_then(|last| self.bytes.get(last));
        self.fresh_line |= last == Some(&b'\n');
    }

    /// The byte after the next line feed.
    fn line_end(&self, from: usize, end: usize) -> usize {
        let rest = self.bytes.get(from..end).unwrap_or_default();
        let feed = find(rest, |byte| byte == b'\n');
        let length = feed.map_or(rest.len(), |feed| feed.saturating_add(1));
        self.scanner.count(length);
        from.saturating_add(length)
    }

    fn is_line_start(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|before| self.bytes.get(before)).is_none_or(|byte| *byte == b'\n')
    }

    fn trimmed(&self, span: Span) -> Span {
        let span = self.without_blanks(span);
        Span { start: span.start, end: self.end_before(span, is_blank) }
    }

    /// The span without the white space that it begins with.
    fn without_blanks(&self, span: Span) -> Span {
        let text = self.bytes.get(span.start..span.end).unwrap_or_default();
        let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
        self.scanner.count(blanks);
        Span { start: span.start.saturating_add(blanks), end: span.end }
    }

    /// The end of a span without bytes of a kind that stand there.
    fn end_before(&self, span: Span, is_blank: impl Fn(u8) -> bool) -> usize {
        let text = self.bytes.get(span.start..span.end).unwrap_or_default();
        let blanks = text.iter().rev().take_while(|byte| is_blank(**byte)).count();
        self.scanner.count(blanks);
        span.end.saturating_sub(blanks)
    }

    fn starts_with(&self, span: Span, prefix: &[u8]) -> bool {
        self.bytes.get(span.start..span.end).is_some_and(|text| text.starts_with(prefix))
    }
}

/// A line feed with the carriage return before it.
fn line_feed(bytes: &[u8], at: usize) -> Span {
    let before = at.saturating_sub(1);
    let start = if bytes.get(before) == Some(&b'\r') { before } else { at };
    Span { start, end: at.saturating_add(1) }
}

fn escaped(bytes: &[u8], fix: Fix) -> Option<Edit> {
    let span = Span { start: fix.at, end: fix.at.saturating_add(1) };
    let text = ESCAPES.get(usize::from(*bytes.get(fix.at)?))?;
    Some(Edit { span, text })
}

/// The escapes of the control characters, by their numbers.
const ESCAPES: [&str; 32] = [
    "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007", "\\b", "\\t",
    "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012", "\\u0013",
    "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c",
    "\\u001d", "\\u001e", "\\u001f",
];
