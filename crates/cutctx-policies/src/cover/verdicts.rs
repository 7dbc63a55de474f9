//! What becomes of each turn, and what that really costs.

use super::field::{Field, FieldPart, FieldTurn};
use super::least::Least;
use super::selection::Selection;
use crate::masking::Estimator;
use crate::trimming::{ProviderRun, Trimming, TurnPart, parts_of};
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::Survey;
use cutctx_types::{Action, InvalidValue, KeptPart, PartKind, TranscriptTurn};

/// The longest stretch that is not worth a mark, in bytes.
const TINY: usize = 4;

/// Decides turn by turn after a selection.
pub(super) struct Verdicts<'s, 't> {
    pub(super) survey: &'s Survey<'t>,
    pub(super) field: &'s Field,
    pub(super) least: &'s Least<'s>,
    pub(super) estimator: &'s Estimator,
}

/// What becomes of a turn, and what it then costs, in tokens.
pub(super) type Verdict = (Action, u64);

impl Verdicts<'_, '_> {
    /// What becomes of the members of an exchange after so many steps, by position.
    pub(super) fn of_exchange(
        &self,
        members: &[usize],
        selection: &Selection<'_>,
        steps: usize,
    ) -> Result<Vec<(usize, Verdict)>, InvalidValue> {
        let has_units = |member: &usize| self.field.units_of(*member).any(|unit| selection.has(unit, steps));
        let exchange =
            members.first().and_then(|member| self.field.turns.get(*member)).map(|turn| turn.exchange);
        let may_go = exchange.and_then(|exchange| self.field.may_go.get(exchange)).copied().unwrap_or(false);
        let is_worth =
            |member: &usize| self.survey.turns().get(*member).is_some_and(|turn| turn.token_estimate() > 0);
        if may_go && members.iter().any(is_worth) && !members.iter().any(has_units) {
            return Ok(members.iter().map(|member| (*member, (Action::Drop, 0))).collect());
        }
        let verdict = |member: &usize| Ok((*member, self.of_turn(*member, selection, steps)?));
        members.iter().map(verdict).collect()
    }

    fn of_turn(
        &self,
        position: usize,
        selection: &Selection<'_>,
        steps: usize,
    ) -> Result<Verdict, InvalidValue> {
        let Some((turn, field)) = self.survey.turns().get(position).zip(self.field.turns.get(position))
        else {
            return Ok((Action::Keep, 0));
        };
        let whole = (Action::Keep, turn.token_estimate());
        if field.is_fixed || self.survey.is_stand_in(position) {
            return Ok(whole);
        }
        let kept = self.kept_parts(turn, field, selection, steps);
        if kept.is_empty() {
            return self.least.of(turn, self.survey.original(position).unwrap_or(turn));
        }
        let trim = Trimming::measured_by(self.estimator).keeping(turn, kept)?;
        Ok(trim.map_or(whole, |trim| {
            let tokens = trim.token_estimate;
            (Action::Trim(trim), tokens)
        }))
    }

    /// What is kept of a turn; nothing where no unit of it was chosen.
    fn kept_parts(
        &self,
        turn: &TranscriptTurn,
        field: &FieldTurn,
        selection: &Selection<'_>,
        steps: usize,
    ) -> Vec<KeptPart> {
        let parts = self.field.parts.get(field.parts.clone()).unwrap_or_default();
        let turn_parts = parts_of(turn);
        let kept = |part: &FieldPart| {
            if !part.units().any(|unit| selection.has(unit, steps)) {
                return None;
            }
            let of = turn_parts.get(part.index())?;
            let chosen = self.chosen(part, of, selection, steps);
            let is_cut_in_lines = part.frame().is_empty();
            let ranges = if is_cut_in_lines { tidied(turn.content(), &of.bounds, &chosen) } else { chosen };
            Some(KeptPart::new(part.index(), ranges))
        };
        let mut all: Vec<KeptPart> = parts.iter().filter_map(kept).collect();
        ProviderRun::of(turn).whole_or_gone(&turn_parts, &mut all);
        if !all.is_empty() && turn.holds_reasoning() {
            let opaque = turn_parts.iter().filter(|part| part.kind == PartKind::OpaqueReasoning);
            all.extend(opaque.map(TurnPart::whole));
        }
        all
    }

    /// The stretches of chosen units.
    fn chosen(
        &self,
        part: &FieldPart,
        of: &TurnPart<'_>,
        selection: &Selection<'_>,
        steps: usize,
    ) -> Vec<Range<usize>> {
        let ranges = part.units().zip(self.field.ranges(part, of));
        let chosen = ranges.filter(|(unit, _)| selection.has(*unit, steps));
        let mut ranges: Vec<Range<usize>> = chosen.map(|(_, range)| range).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut stretches: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match stretches.last_mut().filter(|last| last.end == range.start) {
                Some(last) => last.end = range.end,
                None => stretches.push(range),
            }
        }
        stretches
    }
}

/// Stretches without the line break before a cut, for which the mark stands; and what is shorter than a mark stays.
fn tidied(content: &str, bounds: &Range<usize>, stretches: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut tidied: Vec<Range<usize>> = Vec::new();
    let mut next = bounds.start;
    for stretch in stretches {
        let start = if is_tiny(content, &(next..stretch.start)) { next } else { stretch.start };
        match tidied.last_mut().filter(|last| start <= last.end) {
            Some(last) => last.end = stretch.end,
            None => tidied.push(start..stretch.end),
        }
        next = stretch.end;
    }
    if let Some(last) = tidied.last_mut().filter(|last| is_tiny(content, &(last.end..bounds.end))) {
        last.end = bounds.end;
    }
    for range in &mut tidied {
        if range.end < bounds.end {
            range.end = without_line_break(content, range);
        }
    }
    tidied
}

/// Whether a stretch is so short that a mark would be no shorter; an earlier mark is.
fn is_tiny(content: &str, range: &Range<usize>) -> bool {
    content
        .get(range.clone())
        .is_some_and(|text| text.trim().len() <= TINY && text.len() <= TINY.saturating_mul(2))
}

/// The end of a range before its last line break, unless nothing is left then.
fn without_line_break(content: &str, range: &Range<usize>) -> usize {
    let text = content.get(range.clone()).unwrap_or_default();
    let shorter = text.strip_suffix('\n').filter(|shorter| !shorter.is_empty());
    range.start.saturating_add(shorter.unwrap_or(text).len())
}
