//! A trim keeps sound ranges of a turn's parts, not everything and not nothing, and costs no more.

use super::Proposal;
use crate::violation::{TrimFault, Violation};
use core::ops::Range;
use cutctx_types::{Action, KeptPart, Part, PartKind, TranscriptTurn, Trim};

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    proposal.rows().find_map(|(_, turn, action)| match &action.action {
        Action::Trim(trim) => {
            Some(Violation::Trim { turn_id: turn.turn_id().clone(), fault: fault_of(turn, trim)? })
        }
        Action::Keep | Action::Mask(_) | Action::Summarize { .. } | Action::Drop => None,
    })
}

fn fault_of(turn: &TranscriptTurn, trim: &Trim) -> Option<TrimFault> {
    let whole = [Part::new(PartKind::Text, turn.content().len(), turn.token_estimate())];
    let parts = if turn.parts().is_empty() { whole.as_slice() } else { turn.parts() };
    let mut next = 0;
    for kept in &trim.kept {
        if let Some(fault) = part_fault(turn.content(), parts, kept, next) {
            return Some(fault);
        }
        next = kept.part.saturating_add(1);
    }
    amount_fault(turn, trim)
}

fn part_fault(content: &str, parts: &[Part], kept: &KeptPart, next: usize) -> Option<TrimFault> {
    let index = kept.part;
    let Some(part) = parts.get(index).filter(|_| index >= next) else {
        return Some(TrimFault::PartOrder { part: index });
    };
    let start = index.checked_sub(1).and_then(|before| parts.get(before)).map_or(0, |before| before.end);
    let bounds = start..part.end;
    if part.kind.is_indivisible() {
        return (kept.ranges != [bounds]).then_some(TrimFault::Divided { part: index });
    }
    range_fault(content, index, &bounds, &kept.ranges)
}

fn range_fault(
    content: &str,
    part: usize,
    bounds: &Range<usize>,
    ranges: &[Range<usize>],
) -> Option<TrimFault> {
    let mut least = bounds.start;
    if ranges.is_empty() {
        return Some(TrimFault::Range { part, start: bounds.start, end: bounds.start });
    }
    for &Range { start, end } in ranges {
        let on_borders = content.is_char_boundary(start) && content.is_char_boundary(end);
        if start < least || start >= end || end > bounds.end || !on_borders {
            return Some(TrimFault::Range { part, start, end });
        }
        least = end;
    }
    None
}

fn amount_fault(turn: &TranscriptTurn, trim: &Trim) -> Option<TrimFault> {
    let ranges = trim.kept.iter().flat_map(|kept| &kept.ranges);
    let kept = ranges.fold(0_usize, |sum, range| sum.saturating_add(range.len()));
    let (before, after) = (turn.token_estimate(), trim.token_estimate);
    if trim.kept.is_empty() {
        return Some(TrimFault::Nothing);
    }
    if kept == turn.content().len() && trim.kept.len() >= turn.parts().len() {
        return Some(TrimFault::Everything);
    }
    (after > before).then_some(TrimFault::Dearer { before, after })
}
