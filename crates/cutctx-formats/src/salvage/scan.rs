//! One JSON value, byte by byte. Raw control characters are let through where people really have them: line ends
//! between tokens, anything inside strings. Each of them is noted.

mod token;

use alloc::vec::Vec;
use core::cell::Cell;

use crate::raw::Span;

/// Reads values of one file and counts the bytes that it looks at.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    /// The containers that are open, kept between values so that most values need no memory of their own.
    open: Vec<Container>,
    steps: Cell<usize>,
}

/// What a scan found.
#[derive(Debug)]
pub(super) struct Scan {
    /// The byte after the value, or the byte at which reading stopped.
    pub(super) end: usize,
    pub(super) outcome: Outcome,
    /// Raw control characters, in order.
    pub(super) fixes: Vec<Fix>,
    /// The first two keys of the object that the value is, with their quotes; empty spans where there are fewer.
    pub(super) keys: [Span; 2],
    /// Where the second line begins of the last string that goes over several, when no other line followed it.
    pub(super) second_line: Option<usize>,
    /// Where objects begin that fill lines of their own inside of the value; the largest ones, in order.
    pub(super) lines_of_their_own: Vec<usize>,
    /// Such an object was followed by a comma.
    pub(super) separated: bool,
}

/// How a scan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The value is whole.
    Complete,
    /// No JSON goes on like this.
    Malformed,
    /// The bytes end inside of the value, at a place where another value is due or not.
    Incomplete { value_due: bool },
}

/// A raw control character and what it stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fix {
    pub(super) at: usize,
    pub(super) kind: FixKind,
}

/// Where a raw control character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FixKind {
    /// Between tokens: a line end that JSON Lines do not allow there.
    LineEnd,
    /// Inside a string.
    Control,
}

/// An open container; eight flags' worth of memory a level, so that deep nesting is cheap.
#[derive(Debug, Clone, Copy)]
struct Container {
    is_object: bool,
    /// It is the first thing on a line inside of the value.
    opens_line: bool,
}

impl Scan {
    const fn new(start: usize) -> Self {
        Self {
            end: start,
            outcome: Outcome::Malformed,
            fixes: Vec::new(),
            keys: [Span::at(0); 2],
            second_line: None,
            lines_of_their_own: Vec::new(),
            separated: false,
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.outcome == Outcome::Complete
    }

    /// Whether the value is an object with at least one member.
    pub(super) fn has_members(&self) -> bool {
        self.keys.iter().any(|key| !key.is_empty())
    }
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, open: Vec::new(), steps: Cell::new(0) }
    }

    /// Bytes looked at so far, repeated looks counted.
    pub(super) const fn steps(&self) -> usize {
        self.steps.get()
    }

    /// Counts bytes that were looked at, also by others than the scanner.
    pub(super) fn count(&self, bytes: usize) {
        self.steps.set(self.steps.get().saturating_add(bytes).saturating_add(1));
    }

    /// The value that begins at `start` and ends before `limit`.
    pub(super) fn value(&mut self, start: usize, limit: usize) -> Scan {
        let bytes = self.bytes.get(..limit).unwrap_or(self.bytes);
        self.open.clear();
        let scan = token::read(bytes, start, &mut self.open);
        self.count(scan.end.saturating_sub(start));
        scan
    }

    /// Where the object begins that ends just before `end`, not before `start`. In JSON the way back is as certain as
    /// the way forward: outside of strings a quote ends a string, whose first quote has an even number of backslashes
    /// before it. That the bytes between are JSON is for [`Scanner::value`] to say.
    pub(super) fn opening(&mut self, start: usize, end: usize) -> Option<usize> {
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        let found = opening(bytes);
        let reached = found.unwrap_or_default();
        self.count(bytes.len().saturating_sub(reached));
        found.map(|inside| start.saturating_add(inside))
    }
}

fn opening(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut end = bytes.len();
    loop {
        let at = end.checked_sub(1)?;
        end = at;
        match bytes.get(at)? {
            b'"' => end = opening_quote(bytes.get(..at)?)?,
            b'}' | b']' => depth = depth.saturating_add(1),
            bracket @ (b'{' | b'[') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (*bracket == b'{').then_some(at);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
}

/// The first quote of the string whose last quote comes just after `bytes`.
fn opening_quote(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    loop {
        let quote = rest.iter().rposition(|byte| *byte == b'"')?;
        let before = rest.get(..quote)?;
        let escapes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        if escapes.is_multiple_of(2) {
            return Some(quote);
        }
        rest = before;
    }
}
