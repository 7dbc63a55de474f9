//! Trims that are unsound.

use super::{pick, set};
use crate::strategy::drafts::requests_for;
use crate::strategy::trims::{sound_trim, spans};
use crate::survey::Survey;
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_types::{Action, KeptPart, PartKind, PlanDraft, TranscriptTurn, Trim};

/// Makes an unsound trim of a turn, or says that the turn does not allow that kind of fault.
type Fault = fn(&TranscriptTurn, usize) -> Option<Trim>;

/// Gives an unsound trim to one of the turns that allow it; the rest of its exchange is kept.
pub(super) fn spoil(draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize, fault: Fault) {
    let candidates = survey.turns().iter().enumerate().filter(|(at, _)| !survey.is_untouchable(*at));
    let found: Vec<(usize, Trim)> =
        candidates.filter_map(|(at, turn)| Some((at, fault(turn, knob)?))).collect();
    let Some((position, trim)) = pick(&found, knob) else { return };
    let members = survey.exchanges().of(*position).map(|exchange| survey.exchanges().members(exchange));
    members.into_iter().flatten().for_each(|member| set(draft, *member, Action::Keep));
    set(draft, *position, Action::Trim(trim.clone()));
    draft.summarization_requests = requests_for(draft, 1);
}

/// A part that does not exist, or the first part twice.
pub(super) fn misordered(turn: &TranscriptTurn, knob: usize) -> Option<Trim> {
    let spans = spans(turn);
    if knob & 1 == 0 {
        return Some(Trim::new(alloc::vec![KeptPart::new(spans.len(), Vec::new())], 0));
    }
    let (_, first) = spans.first().filter(|(_, span)| !span.is_empty())?;
    let first = KeptPart::new(0, alloc::vec![first.clone()]);
    Some(Trim::new(alloc::vec![first.clone(), first], 0))
}

/// Ranges that are none, in the first part that may be cut.
pub(super) fn misplaced(turn: &TranscriptTurn, knob: usize) -> Option<Trim> {
    let (index, span) = first_part(turn, |kind| !kind.is_indivisible())?;
    Some(Trim::new(alloc::vec![KeptPart::new(index, no_ranges(&span, knob))], 0))
}

/// None at all, an empty one, one past the end, one that runs backwards, two that overlap.
fn no_ranges(span: &Range<usize>, knob: usize) -> Vec<Range<usize>> {
    let Range { start, end } = *span;
    match knob.checked_rem(5) {
        Some(0) => Vec::new(),
        Some(1) => alloc::vec![start..start],
        Some(2) => alloc::vec![start..end.saturating_add(1)],
        Some(3) => alloc::vec![end..start],
        _ => alloc::vec![start..end, start..end],
    }
}

/// An indivisible part kept without its bytes.
pub(super) fn divided(turn: &TranscriptTurn, _: usize) -> Option<Trim> {
    let (index, _) = first_part(turn, PartKind::is_indivisible)?;
    Some(Trim::new(alloc::vec![KeptPart::new(index, Vec::new())], 0))
}

fn first_part(turn: &TranscriptTurn, wanted: impl Fn(PartKind) -> bool) -> Option<(usize, Range<usize>)> {
    let mut spans = spans(turn).into_iter().enumerate();
    spans.find(|(_, (kind, _))| wanted(*kind)).map(|(index, (_, span))| (index, span))
}

#[expect(clippy::unnecessary_wraps, reason = "it is one of several faults of one form")]
pub(super) fn nothing(_: &TranscriptTurn, _: usize) -> Option<Trim> {
    Some(Trim::new(Vec::new(), 0))
}

pub(super) fn everything(turn: &TranscriptTurn, _: usize) -> Option<Trim> {
    let spans = spans(turn);
    if spans.iter().any(|(kind, span)| span.is_empty() && !kind.is_indivisible()) {
        return None;
    }
    let whole = |(index, (_, span))| KeptPart::new(index, alloc::vec![span]);
    Some(Trim::new(spans.into_iter().enumerate().map(whole).collect(), 0))
}

pub(super) fn dearer(turn: &TranscriptTurn, knob: usize) -> Option<Trim> {
    let trim = sound_trim(turn, knob)?;
    Some(Trim::new(trim.kept, turn.token_estimate().saturating_add(1)))
}
