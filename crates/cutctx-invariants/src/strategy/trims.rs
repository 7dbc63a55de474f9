//! Sound trims of a turn.

use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::{KeptPart, Part, PartKind, TranscriptTurn, Trim};

/// The parts of a turn with the bytes they cover; a turn without parts is one text part.
pub(super) fn spans(turn: &TranscriptTurn) -> Vec<(PartKind, Range<usize>)> {
    let whole = [Part::new(PartKind::Text, turn.content().len(), 0)];
    let parts = if turn.parts().is_empty() { whole.as_slice() } else { turn.parts() };
    let mut start = 0;
    let span = |part: &Part| (part.kind, core::mem::replace(&mut start, part.end)..part.end);
    parts.iter().map(span).collect()
}

/// A trim that the rules accept, if the turn allows one: the knob says which part suffers, and how.
pub(super) fn sound_trim(turn: &TranscriptTurn, knob: usize) -> Option<Trim> {
    let spans = spans(turn);
    let victim = knob.checked_rem(spans.len())?;
    let kept: Vec<KeptPart> = spans
        .iter()
        .enumerate()
        .filter_map(|(index, (kind, span))| {
            let ranges = if index == victim { cut(turn, *kind, span, knob) } else { whole(*kind, span) };
            ranges.map(|ranges| KeptPart::new(index, ranges))
        })
        .collect();
    let estimate = turn.token_estimate().checked_div(2).unwrap_or_default();
    (!kept.is_empty()).then(|| Trim::new(kept, estimate).with_counts(knob & 0x800 != 0))
}

/// The whole of a part; an empty part can be kept only when it is indivisible.
fn whole(kind: PartKind, span: &Range<usize>) -> Option<Vec<Range<usize>>> {
    (kind.is_indivisible() || !span.is_empty()).then(|| alloc::vec![span.clone()])
}

/// The victim goes, or loses its first or its middle character.
fn cut(turn: &TranscriptTurn, kind: PartKind, span: &Range<usize>, knob: usize) -> Option<Vec<Range<usize>>> {
    let text = turn.content().get(span.clone())?;
    let borders: Vec<usize> =
        text.char_indices().map(|(at, _)| span.start.saturating_add(at)).chain([span.end]).collect();
    match borders.as_slice() {
        _ if kind.is_indivisible() || knob & 0x300 == 0 => None,
        [first, second, third, rest @ ..] if !rest.is_empty() && knob & 0x400 == 0 => {
            Some(alloc::vec![*first..*second, *third..span.end])
        }
        [_, second, _, ..] => Some(alloc::vec![*second..span.end]),
        _ => None,
    }
}
