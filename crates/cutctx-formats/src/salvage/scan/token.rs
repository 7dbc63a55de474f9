//! The tokens of one value.

use alloc::vec::Vec;

use super::{Container, Fix, FixKind, Outcome, Scan};
use crate::raw::Span;
use crate::salvage::stretch::find;

/// What may come next.
#[derive(Debug, Clone, Copy)]
enum Expect {
    Value,
    ElementOrEnd,
    KeyOrEnd,
    Key,
    Colon,
    MoreOrEnd,
}

/// Whether the value is whole after a token, or why it never will be.
type Step = Result<bool, Outcome>;

struct Pass<'p> {
    bytes: &'p [u8],
    at: usize,
    expect: Expect,
    open: &'p mut Vec<Container>,
    /// Nothing but white space stands before `at` on its line.
    fresh: bool,
    /// Where the open objects begin that are the first thing on their lines.
    openers: Vec<usize>,
    found: Scan,
}

/// Reads the value that begins at `start`.
pub(super) fn read(bytes: &[u8], start: usize, open: &mut Vec<Container>) -> Scan {
    let mut pass = Pass {
        bytes,
        at: start,
        expect: Expect::Value,
        open,
        fresh: false,
        openers: Vec::new(),
        found: Scan::new(start),
    };
    pass.found.outcome = loop {
        match pass.token() {
            Ok(false) => {}
            Ok(true) => break Outcome::Complete,
            Err(outcome) => break outcome,
        }
    };
    pass.found.end = pass.at.min(bytes.len());
    pass.found
}

impl Pass<'_> {
    fn token(&mut self) -> Step {
        self.blank();
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.border())?;
        let fresh = core::mem::take(&mut self.fresh);
        match self.expect {
            Expect::ElementOrEnd if byte == b']' => self.close(),
            Expect::KeyOrEnd if byte == b'}' => self.close(),
            Expect::Value | Expect::ElementOrEnd => self.value(byte, fresh),
            Expect::KeyOrEnd | Expect::Key => self.key(byte),
            Expect::Colon => self.punctuation(byte, b':', Expect::Value),
            Expect::MoreOrEnd => self.more(byte),
        }
    }

    /// Leaves white space out; a line end between tokens is noted.
    fn blank(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => {}
                b'\n' => {
                    self.found.fixes.push(Fix { at: self.at, kind: FixKind::LineEnd });
                    self.found.second_line = None;
                    self.fresh = true;
                }
                _ => return,
            }
            self.step(1);
        }
    }

    fn value(&mut self, byte: u8, fresh: bool) -> Step {
        match byte {
            b'{' => Ok(self.enter(Container { is_object: true, opens_line: fresh }, Expect::KeyOrEnd)),
            b'[' => Ok(self.enter(Container { is_object: false, opens_line: false }, Expect::ElementOrEnd)),
            b'"' => self.string().map(|()| self.after_value()),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            b'-' | b'0'..=b'9' => self.number(byte),
            _ => Err(Outcome::Malformed),
        }
    }

    fn enter(&mut self, container: Container, next: Expect) -> bool {
        if container.opens_line {
            self.openers.push(self.at);
        }
        self.open.push(container);
        self.step(1);
        self.expect = next;
        false
    }

    fn close(&mut self) -> Step {
        self.step(1);
        let container = self.open.pop().ok_or(Outcome::Malformed)?;
        if container.opens_line {
            self.close_line();
        }
        Ok(self.after_value())
    }

    /// An object that began a line is closed: does it also end one?
    fn close_line(&mut self) {
        let Some(start) = self.openers.pop() else { return };
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let after = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        self.found.separated |= after == Some(&b',');
        if matches!(after, None | Some(b'\n')) {
            while self.found.lines_of_their_own.pop_if(|inner| *inner > start).is_some() {}
            self.found.lines_of_their_own.push(start);
        }
    }

    fn more(&mut self, byte: u8) -> Step {
        let is_object = self.open.last().is_some_and(|container| container.is_object);
        match (byte, is_object) {
            (b'}', true) | (b']', false) => self.close(),
            (b',', true) => self.punctuation(byte, b',', Expect::Key),
            _ => self.punctuation(byte, b',', Expect::Value),
        }
    }

    fn punctuation(&mut self, byte: u8, wanted: u8, next: Expect) -> Step {
        if byte != wanted {
            return Err(Outcome::Malformed);
        }
        self.step(1);
        self.expect = next;
        Ok(false)
    }

    fn key(&mut self, byte: u8) -> Step {
        if byte != b'"' {
            return Err(Outcome::Malformed);
        }
        let start = self.at;
        self.string()?;
        if self.open.len() == 1 {
            self.note_key(Span { start, end: self.at });
        }
        self.expect = Expect::Colon;
        Ok(false)
    }

    fn note_key(&mut self, key: Span) {
        if let Some(free) = self.found.keys.iter_mut().find(|kept| kept.is_empty()) {
            *free = key;
        }
    }

    fn string(&mut self) -> Result<(), Outcome> {
        self.step(1);
        let mut is_one_line = true;
        loop {
            self.plain_text();
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape()?,
                control => {
                    if control == b'\n' && core::mem::take(&mut is_one_line) {
                        self.found.second_line = Some(self.at.saturating_add(1));
                    }
                    self.found.fixes.push(Fix { at: self.at, kind: FixKind::Control });
                    self.step(1);
                }
            }
        }
        self.step(1);
        Ok(())
    }

    fn plain_text(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let special = |byte| byte < 0x20 || byte == b'"' || byte == b'\\';
        self.step(find(rest, special).unwrap_or(rest.len()));
    }

    fn escape(&mut self) -> Result<(), Outcome> {
        self.step(1);
        if self.peek()? == b'u' {
            self.step(1);
            return (0..4).try_for_each(|_| self.expect_byte(u8::is_ascii_hexdigit));
        }
        self.expect_byte(|byte| br#""\/bfnrt"#.contains(byte))
    }

    fn literal(&mut self, word: &[u8]) -> Step {
        word.iter().try_for_each(|letter| self.expect_byte(|byte| byte == letter))?;
        Ok(self.after_value())
    }

    fn number(&mut self, first: u8) -> Step {
        if first == b'-' {
            self.step(1);
        }
        if self.peek()? == b'0' {
            self.step(1);
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.step(1);
            self.digits()?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.step(1);
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.step(1);
            }
            self.digits()?;
        }
        Ok(self.after_value())
    }

    fn digits(&mut self) -> Result<(), Outcome> {
        self.expect_byte(u8::is_ascii_digit)?;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.step(rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        Ok(())
    }

    fn after_value(&mut self) -> bool {
        self.expect = Expect::MoreOrEnd;
        self.open.is_empty()
    }

    fn expect_byte(&mut self, is_right: impl Fn(&u8) -> bool) -> Result<(), Outcome> {
        if !is_right(&self.peek()?) {
            return Err(Outcome::Malformed);
        }
        self.step(1);
        Ok(())
    }

    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// The next byte inside of a token.
    fn peek(&self) -> Result<u8, Outcome> {
        self.bytes.get(self.at).copied().ok_or(Outcome::Incomplete { value_due: false })
    }

    /// The end of the bytes between two tokens.
    const fn border(&self) -> Outcome {
        Outcome::Incomplete { value_due: matches!(self.expect, Expect::Value | Expect::ElementOrEnd) }
    }
}
