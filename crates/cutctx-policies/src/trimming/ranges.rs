//! Ranges that the rules accept.

use super::TurnPart;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::KeptPart;

/// What is wanted of each part in a form that the rules accept: parts in order and once, ranges in order,
/// apart, not empty, inside their part and on character borders, indivisible parts whole.
pub(super) fn sound(content: &str, parts: &[TurnPart<'_>], mut wanted: Vec<KeptPart>) -> Vec<KeptPart> {
    wanted.sort_by_key(|kept| kept.part);
    let mut kept: Vec<KeptPart> = Vec::with_capacity(wanted.len());
    for same in wanted.chunk_by(|left, right| left.part == right.part) {
        let Some(part) = same.first().and_then(|first| parts.get(first.part)) else { continue };
        let ranges = same.iter().flat_map(|kept| kept.ranges.iter().cloned()).collect();
        kept.extend(sound_part(content, part, ranges));
    }
    kept
}

fn sound_part(content: &str, part: &TurnPart<'_>, ranges: Vec<Range<usize>>) -> Option<KeptPart> {
    if part.kind.is_indivisible() {
        return (!ranges.is_empty()).then(|| part.whole());
    }
    let ranges = joined(ranges.into_iter().map(|range| inside(content, &part.bounds, &range)).collect());
    (!ranges.is_empty()).then(|| KeptPart::new(part.index, ranges))
}

/// The characters of a part that lie wholly inside a range.
fn inside(content: &str, bounds: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    let mut start = range.start.clamp(bounds.start, bounds.end);
    let mut end = range.end.clamp(bounds.start, bounds.end);
    while !content.is_char_boundary(start) {
        start = start.saturating_add(1);
    }
    while !content.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    start..end
}

/// Ranges in order, those that touch made one, empty ones left out.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}
