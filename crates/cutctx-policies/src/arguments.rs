//! Less of the arguments of a call.

use crate::calls::spelled;
use crate::clip::Limits;
use crate::json::{escape_or_character, members, value_texts};
use crate::trimming::TurnPart;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::KeptPart;

/// A call without its arguments: what stays is its tool and the brackets of an object, where there was one that held
/// something.
pub(crate) fn emptied(part: &TurnPart<'_>) -> Option<KeptPart> {
    let arguments = object_of(part)?;
    let inner = arguments.start.saturating_add(1)..arguments.end.saturating_sub(1);
    let holds = part.text.get(inner.clone()).is_some_and(|inner| !inner.trim().is_empty());
    let kept = [0..inner.start, inner.end..part.text.len()];
    holds.then(|| KeptPart::new(part.index, kept.into_iter().map(|range| placed(part, &range)).collect()))
}

/// A call with the texts among its arguments cut to these limits, each to its two ends, where one is too long. What was
/// JSON stays JSON.
pub(crate) fn clipped(part: &TurnPart<'_>, limits: &Limits) -> Option<KeptPart> {
    let arguments = object_of(part)?;
    let text = part.text.get(arguments.clone())?;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for value in value_texts(text) {
        let Some(cut) = cut_of(text, &value, limits) else { continue };
        ranges.push(from..cut.start.saturating_add(arguments.start));
        from = cut.end.saturating_add(arguments.start);
    }
    if from == 0 {
        return None;
    }
    ranges.push(from..part.text.len());
    Some(KeptPart::new(part.index, ranges.iter().map(|range| placed(part, range)).collect()))
}

/// Where the arguments of a call stand in its part, if they are an object.
fn object_of(part: &TurnPart<'_>) -> Option<Range<usize>> {
    let (_, arguments) = spelled(part.text)?;
    let text = part.text.get(arguments.clone())?;
    let start = arguments.start.saturating_add(text.len().saturating_sub(text.trim_start().len()));
    let end = start.saturating_add(text.trim().len());
    members(text).map(|_| start..end)
}

/// What goes of a text that is too long; its borders part no escape.
fn cut_of(text: &str, value: &Range<usize>, limits: &Limits) -> Option<Range<usize>> {
    let inner = text.get(value.clone())?;
    let count = characters(inner).count();
    if count <= limits.max() {
        return None;
    }
    let places = || characters(inner);
    let head = places().nth(limits.head()).unwrap_or(inner.len());
    let tail = places().nth(count.saturating_sub(limits.tail())).unwrap_or(inner.len());
    Some(value.start.saturating_add(head)..value.start.saturating_add(tail))
}

/// Where each character of the inside of a JSON text begins.
fn characters(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let length = escape_or_character(text.get(at..)?)?;
        let start = at;
        at = at.saturating_add(length);
        Some(start)
    })
}

fn placed(part: &TurnPart<'_>, range: &Range<usize>) -> Range<usize> {
    let start = part.bounds.start;
    start.saturating_add(range.start)..start.saturating_add(range.end)
}
