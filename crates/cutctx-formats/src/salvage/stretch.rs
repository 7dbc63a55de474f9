//! What can be said about the bytes before any JSON is read: blocks of zeros, and what is no UTF-8.

use alloc::vec::Vec;
use core::str;

use crate::raw::Span;

/// So many zero bytes in a row are no character of a text but a hole in the file. Nothing is joined across one.
const BLOCK: usize = 8;

/// The stretches between blocks of zeros, some of them empty: one more than there are blocks, which fill the room
/// between each two of them.
pub(super) fn between_zeros(bytes: &[u8], start: usize) -> Vec<Span> {
    let mut stretches = Vec::new();
    let mut stretch = Span::at(start);
    let mut at = start;
    while let Some(zero) = find_zero(bytes, at) {
        let rest = bytes.get(zero..).unwrap_or_default();
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        at = zero.saturating_add(zeros);
        if zeros >= BLOCK {
            stretches.push(Span { start: stretch.start, end: zero });
            stretch = Span::at(at);
        }
    }
    stretches.push(Span { start: stretch.start, end: bytes.len() });
    stretches
}

fn find_zero(bytes: &[u8], from: usize) -> Option<usize> {
    let inside = find(bytes.get(from..)?, |byte| byte == 0)?;
    Some(from.saturating_add(inside))
}

/// The stretches that are no UTF-8, in order.
pub(super) fn not_utf8(bytes: &[u8]) -> Vec<Span> {
    if str::from_utf8(bytes).is_ok() {
        return Vec::new();
    }
    let mut found: Vec<Span> = Vec::new();
    let mut at = 0_usize;
    for chunk in bytes.utf8_chunks() {
        let start = at.saturating_add(chunk.valid().len());
        at = start.saturating_add(chunk.invalid().len());
        match found.last_mut() {
            Some(last) if last.end == start => last.end = at,
            _ if start < at => found.push(Span { start, end: at }),
            _ => {}
        }
    }
    found
}

/// The part of ordered, disjoint spans that lies inside of `range`.
pub(super) fn inside(spans: &[Span], range: Span) -> &[Span] {
    let from = spans.partition_point(|span| span.start < range.start);
    let rest = spans.get(from..).unwrap_or_default();
    rest.get(..rest.partition_point(|span| span.start < range.end)).unwrap_or_default()
}

/// Whether a byte is white space in JSON.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The index of the first byte that is wanted. It looks at many bytes at once while none of them is.
pub(super) fn find(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let (chunks, _) = bytes.as_chunks::<32>();
    let has_none = |chunk: &&[u8; 32]| !chunk.iter().fold(false, |found, byte| found | is_wanted(*byte));
    let skipped = chunks.iter().take_while(has_none).count().saturating_mul(32);
    let inside = bytes.get(skipped..)?.iter().position(|byte| is_wanted(*byte))?;
    Some(skipped.saturating_add(inside))
}
