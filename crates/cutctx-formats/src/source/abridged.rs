//! What is held of a large file: its lines without what their format does not read.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::Sha256Digest;

use super::cuts::{Cut, CutKind, cuts};
use super::stand_in::{self, StandIn};
use super::worth::Worth;
use crate::raw::{Node, Span};

/// The byte order mark that some editors put in front of a file.
const MARK: char = '\u{feff}';

/// The lines of a file without what was cut out of them. It has as many lines as the file.
#[derive(Default)]
pub(super) struct Abridged {
    pub(super) text: String,
    /// Where each line starts, here and in the file.
    lines: Vec<Start>,
    /// What the stand-ins stand for, by their numbers.
    middles: Vec<Middle>,
}

/// The beginning of a line, in the abridged text and in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) here: usize,
    pub(super) file: usize,
}

/// The middle of a string in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Middle {
    pub(super) start: usize,
    /// Whether the string is part of JSON that becomes text of a turn as it is spelled.
    pub(super) json: bool,
}

impl Abridged {
    /// The number of the line that holds this byte. The end of the text belongs to the last line.
    pub(super) fn line_of(&self, place: usize) -> usize {
        self.lines.partition_point(|start| start.here <= place).saturating_sub(1)
    }

    /// Where a line starts. The line behind the last one starts where the last one ends.
    pub(super) fn start(&self, line: usize) -> Option<Start> {
        self.lines.get(line).copied()
    }

    /// What a stand-in stands for.
    pub(super) fn middle(&self, stand_in: StandIn) -> Option<Middle> {
        self.middles.get(usize::try_from(stand_in.number).ok()?).copied()
    }

    /// The text of a line with its line feed.
    pub(super) fn line(&self, line: usize) -> &str {
        let end = self.start(line.saturating_add(1)).map_or(self.text.len(), |next| next.here);
        self.start(line).map_or("", |start| Span { start: start.here, end }.of(&self.text))
    }
}

/// Abridges line after line.
pub(super) struct Abridger<'w> {
    worth: &'w Worth,
    abridged: Abridged,
    /// The numbers of middles by what they say.
    known: BTreeMap<(Sha256Digest, bool), u32>,
    /// Where the next line starts in the file.
    file: usize,
}

impl<'w> Abridger<'w> {
    pub(super) fn new(worth: &'w Worth) -> Self {
        Self { worth, abridged: Abridged::default(), known: BTreeMap::new(), file: 0 }
    }

    /// Adds the next line, given with its line feed. False where the line cannot be abridged, nor the file with it.
    pub(super) fn push(&mut self, line: &str) -> bool {
        if stand_in::is_marked(line) {
            return false;
        }
        self.abridged.lines.push(Start { here: self.abridged.text.len(), file: self.file });
        let mut done = 0;
        for cut in cuts_of(line, self.worth) {
            self.abridged.text.push_str(Span { start: done, end: cut.span.start }.of(line));
            if cut.kind != CutKind::Ballast && !self.stand_in(line, cut) {
                return false;
            }
            done = cut.span.end;
        }
        self.abridged.text.push_str(line.get(done..).unwrap_or_default());
        self.file = self.file.saturating_add(line.len());
        true
    }

    fn stand_in(&mut self, line: &str, cut: Cut) -> bool {
        let json = cut.kind == CutKind::Json;
        let middles = &mut self.abridged.middles;
        let figures = (u32::try_from(middles.len()), u32::try_from(cut.span.len()));
        let (Ok(next), Ok(missing)) = figures else { return false };
        let said = Sha256Digest::of_bytes(cut.span.of(line).as_bytes());
        let number = *self.known.entry((said, json)).or_insert(next);
        if number == next {
            let start = self.file.saturating_add(cut.span.start);
            middles.push(Middle { start, json });
        }
        StandIn { number, missing }.push_to(&mut self.abridged.text);
        true
    }

    pub(super) fn finish(mut self) -> Abridged {
        self.abridged.text.shrink_to_fit();
        self.abridged.lines.shrink_to_fit();
        self.abridged.middles.shrink_to_fit();
        self.abridged
    }
}

/// The cuts of a line. A line that is not JSON stays whole.
pub(super) fn cuts_of(line: &str, worth: &Worth) -> Vec<Cut> {
    let body = line.strip_prefix(MARK).unwrap_or(line);
    if Node::parse(body, 0).is_err() {
        return Vec::new();
    }
    let lead = line.len().saturating_sub(body.len());
    let mut cuts = cuts(body, worth);
    for cut in &mut cuts {
        cut.span.start = cut.span.start.saturating_add(lead);
        cut.span.end = cut.span.end.saturating_add(lead);
    }
    cuts
}
