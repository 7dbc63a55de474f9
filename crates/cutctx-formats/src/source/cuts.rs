//! What of a line need not be held: found in one walk over its text.

use alloc::vec::Vec;

use super::stand_in::{self, Ends};
use super::worth::Worth;
use crate::opening::MODEL;
use crate::raw::{Span, string_end};

/// A stretch of a line that stays in the file. Places are offsets in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) span: Span,
    pub(super) kind: CutKind,
}

/// What is cut out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CutKind {
    /// Members that nobody reads, with their commas.
    Ballast,
    /// The middle of a string whose text becomes text of a turn.
    Text,
    /// The middle of a string inside of JSON that becomes text of a turn as it is spelled.
    Json,
}

/// The cuts of a line, in order and apart from each other. A line that is no JSON object has none.
pub(super) fn cuts(line: &str, worth: &Worth) -> Vec<Cut> {
    let mut walk = Walk { line, at: 0, cuts: Vec::new() };
    if walk.token() == b'{' {
        walk.value(worth);
    }
    walk.cuts
}

/// The names of members with what they are worth.
type Named = [(&'static str, Worth)];

/// A walk over text that is known to be JSON. On any other text it ends somewhere.
struct Walk<'l> {
    line: &'l str,
    at: usize,
    cuts: Vec<Cut>,
}

impl<'w> Walk<'w> {
    fn value(&mut self, worth: &Worth) {
        match (worth, self.token()) {
            (_, b'{') => self.object(worth),
            (_, b'[') => self.list(worth),
            (_, b'"') => self.string(worth),
            _ => self.skip(),
        }
    }

    fn object(&mut self, worth: &Worth) {
        match worth {
            Worth::Members(named) => self.members(named),
            Worth::All(named) => self.all_members(named, None, &Worth::Whole),
            Worth::Blocks(named) => self.all_members(named, Some(worth), &Worth::Whole),
            Worth::ByType(kinds, others) => self.object(self.kind_of(kinds, others)),
            Worth::Json | Worth::Arguments | Worth::Result(_) => self.all_members(&[], None, &Worth::Json),
            Worth::Single(names) => self.single(names),
            Worth::Data => self.all_members(&[], None, worth),
            Worth::Whole
            | Worth::OneOf(_)
            | Worth::Text
            | Worth::Said
            | Worth::Output(_)
            | Worth::List(_) => self.skip(),
        }
    }

    fn list(&mut self, worth: &Worth) {
        match worth {
            Worth::Blocks(_) => self.elements(worth),
            Worth::Output(named) | Worth::Result(named) => self.elements(&Worth::Blocks(named)),
            Worth::List(each) => self.elements(each),
            Worth::Json | Worth::Arguments | Worth::Single(_) => self.elements(&Worth::Json),
            Worth::Whole
            | Worth::OneOf(_)
            | Worth::Text
            | Worth::Said
            | Worth::Data
            | Worth::Members(_)
            | Worth::All(_)
            | Worth::ByType(..) => self.skip(),
        }
    }

    fn string(&mut self, worth: &Worth) {
        match worth {
            Worth::Blocks(_) | Worth::Said | Worth::Result(_) if stand_in::is_tagged(self.rest()) => {
                self.skip();
            }
            Worth::Blocks(_) | Worth::Said | Worth::Output(_) | Worth::Result(_) => {
                self.text(CutKind::Text, Ends::LONG);
            }
            Worth::Text | Worth::Arguments => self.text(CutKind::Text, Ends::SHORT),
            Worth::Json | Worth::Single(_) => self.text(CutKind::Json, Ends::SHORT),
            Worth::Data if stand_in::is_data(self.rest()) => self.text(CutKind::Text, Ends::LONG),
            Worth::Whole
            | Worth::OneOf(_)
            | Worth::Data
            | Worth::Members(_)
            | Worth::All(_)
            | Worth::ByType(..)
            | Worth::List(_) => self.skip(),
        }
    }

    fn elements(&mut self, worth: &Worth) {
        let mut first = true;
        while self.enter(&mut first, b']') {
            self.value(worth);
        }
    }

    /// Members that all stay: the named ones are worth what they say, the others as much as `others`. Texts that are
    /// lists or objects are `blocks`, where there are some.
    fn all_members(&mut self, named: &'static Named, blocks: Option<&Worth>, others: &Worth) {
        let mut first = true;
        while self.enter(&mut first, b'}') {
            let worth = self.key_in(named).map_or(others, |(_, worth)| worth);
            let nested = blocks.filter(|_| matches!(worth, Worth::Text) && self.token() != b'"');
            self.member(nested.unwrap_or(worth), nested.is_some());
        }
    }

    /// The value of a member. Blocks are a text or a list there, unless they are `nested` in others.
    fn member(&mut self, worth: &Worth, nested: bool) {
        if matches!(worth, Worth::Blocks(_)) && self.token() == b'{' && !nested {
            self.skip();
        } else {
            self.value(worth);
        }
    }

    /// JSON that is a text where its only member is one of this name.
    fn single(&mut self, names: &[&str]) {
        let mut walk = Walk { line: self.line, at: self.at, cuts: Vec::new() };
        let (mut first, mut keys) = (true, Vec::new());
        let mut is_text = false;
        while walk.enter(&mut first, b'}') {
            keys.push(walk.key());
            is_text = walk.byte() == b'"';
            walk.skip();
        }
        match keys.as_slice() {
            [only] if only.contains('\\') => self.skip(),
            [only] if is_text && names.contains(only) => self.all_members(&[], None, &Worth::Text),
            _ => self.all_members(&[], None, &Worth::Json),
        }
    }

    /// What an object is worth by its `type`. Of several the last one counts. Where escapes hide which it is, all counts.
    fn kind_of(&self, kinds: &'static Named, others: &'static Worth) -> &'static Worth {
        let mut walk = Walk { line: self.line, at: self.at, cuts: Vec::new() };
        let (mut first, mut found) = (true, others);
        while walk.enter(&mut first, b'}') {
            let (key, start) = (walk.key(), walk.at);
            walk.skip();
            let value = Span { start, end: walk.at }.of(self.line);
            if key.contains('\\') || (key == "type" && value.contains('\\')) {
                return &Worth::Whole;
            }
            if key == "type" {
                let kind = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                found = kinds.iter().find(|(name, _)| Some(*name) == kind).map_or(others, |(_, worth)| worth);
            }
        }
        found
    }

    /// Members of which only the named ones stay.
    fn members(&mut self, named: &'static Named) {
        let (mut first, mut gap, mut kept) = (true, Gap::default(), Vec::new());
        while self.enter(&mut first, b'}') {
            let start = self.at;
            if let Some((_, worth)) = self.key_in(named).filter(|found| self.counts(*found, &mut kept)) {
                self.cuts.extend(gap.closed_before(start));
                self.member(worth, false);
                gap.kept_end = Some(self.at);
            } else {
                self.skip();
                gap.widen(Span { start, end: self.at });
            }
        }
        self.cuts.extend(gap.run.map(Cut::ballast));
    }

    /// Whether the value that comes next counts. Of a repeated key the last value is read, so one that does not count
    /// stays behind one that does.
    fn counts(&self, (member, worth): (usize, &Worth), kept: &mut Vec<usize>) -> bool {
        let Worth::OneOf(values) = worth else { return true };
        let rest = self.rest();
        let is = |value: &&str| {
            let after = rest.strip_prefix(*value).map(|after| after.bytes().next().unwrap_or_default());
            after.is_some_and(|byte| ends(byte) || byte == b'}')
        };
        let counts = values.iter().any(is) || kept.contains(&member);
        if counts {
            kept.push(member);
        }
        counts
    }

    /// Reads a key and the colon after it, and finds it among the named ones. A key with escapes counts as one that is
    /// read, and so does one that names a model.
    fn key_in(&mut self, named: &'static Named) -> Option<(usize, &'static Worth)> {
        let key = self.key();
        let found = named.iter().position(|(name, _)| *name == key);
        let stays = || (key.contains('\\') || MODEL.contains(&key)).then_some((usize::MAX, &Worth::Whole));
        found.and_then(|place| Some((place, &named.get(place)?.1))).or_else(stays)
    }

    /// Reads a key and the colon after it, up to the value.
    fn key(&mut self) -> &'w str {
        let quote = self.at;
        self.skip();
        let key = Span { start: quote.saturating_add(1), end: self.at.saturating_sub(1) }.of(self.line);
        if self.token() == b':' {
            self.step();
        }
        self.token();
        key
    }

    /// Steps to the next member or element; past the end it is false.
    fn enter(&mut self, first: &mut bool, close: u8) -> bool {
        if !core::mem::take(first) && self.token() != b',' {
            self.step();
            return false;
        }
        self.step();
        let found = self.token();
        if found == close {
            self.step();
        }
        found != close && found != 0
    }

    fn text(&mut self, kind: CutKind, ends: Ends) {
        let start = self.at.saturating_add(1);
        self.skip();
        let inside = Span { start, end: self.at.saturating_sub(1) };
        if let Some(middle) = stand_in::middle(inside.of(self.line), ends) {
            let place = |inside: usize| start.saturating_add(inside);
            self.cuts.push(Cut { span: Span { start: place(middle.start), end: place(middle.end) }, kind });
        }
    }

    /// Steps over one value.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.token() {
                b'"' => self.skip_string(),
                b'{' | b'[' => {
                    depth = depth.saturating_add(1);
                    self.step();
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.step();
                }
                0 => return,
                _ => self.skip_while(|byte| !matches!(byte, b'"' | b'{' | b'[' | b'}' | b']') && !ends(byte)),
            }
            if depth == 0 {
                return;
            }
            self.skip_while(|byte| matches!(byte, b',' | b':') || byte.is_ascii_whitespace());
        }
    }

    fn skip_string(&mut self) {
        let end = string_end(self.line.as_bytes(), self.at);
        self.at = end.map_or(self.line.len(), |(end, _)| end);
    }

    fn rest(&self) -> &str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) {
        let rest = self.rest().as_bytes();
        let length = rest.iter().position(|byte| !skipped(*byte)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(length);
    }

    /// The first byte of the next token; zero at the end.
    fn token(&mut self) -> u8 {
        self.skip_while(|byte| byte.is_ascii_whitespace());
        self.byte()
    }

    fn byte(&self) -> u8 {
        self.line.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Steps over one byte. Past the end there is no step.
    fn step(&mut self) {
        self.at = self.at.saturating_add(1).min(self.line.len());
    }
}

/// Whether a number or a word ends before this byte.
const fn ends(byte: u8) -> bool {
    matches!(byte, b',' | b':') || byte.is_ascii_whitespace()
}

/// Members of an object that go, while they follow each other.
#[derive(Debug, Default)]
struct Gap {
    run: Option<Span>,
    /// Where the last member that stays ends.
    kept_end: Option<usize>,
}

impl Gap {
    /// One more member goes. The comma before it goes too, where it stands behind a member that stays.
    fn widen(&mut self, member: Span) {
        let start = self.run.map_or_else(|| self.kept_end.unwrap_or(member.start), |run| run.start);
        self.run = Some(Span { start, end: member.end });
    }

    /// A member that stays begins here. Without one before it, the comma behind the gap goes.
    fn closed_before(&mut self, start: usize) -> Option<Cut> {
        let run = self.run.take()?;
        let end = if self.kept_end.is_none() { start } else { run.end };
        Some(Cut::ballast(Span { start: run.start, end }))
    }
}

impl Cut {
    const fn ballast(span: Span) -> Self {
        Self { span, kind: CutKind::Ballast }
    }
}

#[cfg(test)]
mod tests;
