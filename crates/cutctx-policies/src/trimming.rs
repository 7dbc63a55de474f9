//! Trims: which are legal, and what they cost.

mod call;
mod ranges;
mod together;

pub(crate) use together::ProviderRun;

use crate::masking::Estimator;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;
use cutctx_types::{CutTurn, InvalidValue, KeptPart, Part, PartKind, Role, TranscriptTurn, Trim};

/// One part of a turn with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnPart<'t> {
    /// Its index in the turn, as a trim names it.
    pub(crate) index: usize,
    /// What it is.
    pub(crate) kind: PartKind,
    /// The bytes of the turn's content that it covers.
    pub(crate) bounds: Range<usize>,
    /// Its text.
    pub(crate) text: &'t str,
    /// Its estimate, in tokens.
    pub(crate) tokens: u64,
}

impl TurnPart<'_> {
    /// All of it.
    pub(crate) fn whole(&self) -> KeptPart {
        KeptPart::new(self.index, alloc::vec![self.bounds.clone()])
    }
}

/// The parts of a turn in order. A turn without parts is one part: the result of a tool, or a text.
pub(crate) fn parts_of(turn: &TranscriptTurn) -> Vec<TurnPart<'_>> {
    let kind = if turn.role() == Role::Tool { PartKind::Result } else { PartKind::Text };
    let alone = [Part::new(kind, turn.content().len(), turn.token_estimate())];
    let parts = if turn.parts().is_empty() { alone.as_slice() } else { turn.parts() };
    let mut end = 0;
    let part = |(index, part): (usize, &Part)| {
        let bounds = mem::replace(&mut end, part.end)..part.end;
        let text = turn.content().get(bounds.clone()).unwrap_or_default();
        TurnPart { index, kind: part.kind, bounds, text, tokens: part.token_estimate }
    };
    parts.iter().enumerate().map(part).collect()
}

/// What a turn costs beyond its parts, in tokens. A trim does not save it.
pub(crate) fn framing_of(turn: &TranscriptTurn) -> u64 {
    let parts = turn.parts().iter().fold(0_u64, |sum, part| sum.saturating_add(part.token_estimate));
    if turn.parts().is_empty() { 0 } else { turn.token_estimate().saturating_sub(parts) }
}

/// Makes trims and says what they cost.
///
/// A part that is cut costs its estimate times the share of its measure that stays, marks included and
/// rounded up. The measure only has to be proportional to tokens, so any estimator will do for estimates that
/// somebody else made. A mark where parts are gone costs what it measures. A call is never gone from a file while its
/// results are there, so its name and what is around it are not cut, and one that a trim leaves out still costs
/// what it does without arguments. What a file has all or none of is completed.
pub(crate) struct Trimming<'m> {
    measure: &'m Estimator,
    counted: bool,
}

impl<'m> Trimming<'m> {
    /// Trims that are measured by an estimator.
    pub(crate) const fn measured_by(measure: &'m Estimator) -> Self {
        Self { measure, counted: false }
    }

    /// Trims whose marks tell how much was cut out.
    pub(crate) const fn counting(mut self) -> Self {
        self.counted = true;
        self
    }

    /// The trim that keeps this much of a turn, if it is one and saves something.
    ///
    /// Ranges are in bytes of the turn's content and may be given in any order. Those of a part are put in
    /// order, joined, moved inwards to character borders and to the part's bounds; of an indivisible part
    /// any range keeps all. Parts that are not named go.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when the estimator answers with a number below zero.
    pub(crate) fn keeping(
        &self,
        turn: &TranscriptTurn,
        kept: Vec<KeptPart>,
    ) -> Result<Option<Trim>, InvalidValue> {
        let parts = parts_of(turn);
        let kept = ranges::sound(turn.content(), &parts, kept);
        if kept.is_empty() {
            return Ok(None);
        }
        let kept = together::completed(turn, &parts, &kept);
        if is_everything(&parts, &kept) {
            return Ok(None);
        }
        let mut trim = Trim::new(kept, 0).with_counts(self.counted);
        trim.token_estimate = self.cost_of(turn, &parts, &trim)?;
        Ok(Some(trim).filter(|trim| trim.token_estimate < turn.token_estimate()))
    }

    /// What a turn costs under a sound trim, in tokens; it may be more than the turn.
    fn cost_of(
        &self,
        turn: &TranscriptTurn,
        parts: &[TurnPart<'_>],
        trim: &Trim,
    ) -> Result<u64, InvalidValue> {
        let whole = trim.kept.iter().filter_map(|kept| {
            let part = parts.get(kept.part)?;
            is_whole(part, kept).then_some(part.tokens)
        });
        let mut cost = whole.fold(framing_of(turn), u64::saturating_add);
        cost = cost.saturating_add(self.cost_of_gone_calls(parts, trim)?);
        let cut = trim.cut(turn);
        let mut pieces = cut.pieces.iter().peekable();
        let mut start = 0;
        for (index, end) in ends_of(&cut).into_iter().enumerate() {
            let said = cut.content.get(start..end).unwrap_or_default();
            let mut of = None;
            while let Some(piece) = pieces.next_if(|piece| piece.into <= index) {
                of = parts.get(piece.part);
            }
            cost = cost.saturating_add(self.cost_of_part(of, trim, said)?);
            start = end;
        }
        Ok(cost)
    }

    /// What a part of a trimmed turn costs beyond what is counted as whole: a part that was cut, or a mark.
    fn cost_of_part(&self, of: Option<&TurnPart<'_>>, trim: &Trim, said: &str) -> Result<u64, InvalidValue> {
        let Some(part) = of else { return if said.is_empty() { Ok(0) } else { self.measure.estimate(said) } };
        let kept = together::named(&trim.kept, part);
        if kept.is_some_and(|kept| is_whole(part, kept)) { Ok(0) } else { self.share(part, said) }
    }

    /// What calls cost that a trim leaves out, in tokens.
    fn cost_of_gone_calls(&self, parts: &[TurnPart<'_>], trim: &Trim) -> Result<u64, InvalidValue> {
        let names = |part: &TurnPart<'_>| together::named(&trim.kept, part).is_some();
        let mut calls = parts.iter().filter(|part| part.kind == PartKind::CallArguments && !names(part));
        let cost = |sum: u64, part| Ok(sum.saturating_add(call::cost(self.measure, part, "")?));
        calls.try_fold(0, cost)
    }

    /// What a part costs once it says this, in tokens.
    fn share(&self, part: &TurnPart<'_>, said: &str) -> Result<u64, InvalidValue> {
        if part.kind == PartKind::CallArguments {
            return call::cost(self.measure, part, said);
        }
        let (stays, all) = (self.measure.measure(said)?, self.measure.measure(part.text)?);
        Ok(share_of(part.tokens, stays, all))
    }
}

/// The share of tokens that falls to what stays of a measure, rounded up.
fn share_of(tokens: u64, stays: u64, all: u64) -> u64 {
    let share = u128::from(tokens).saturating_mul(u128::from(stays.max(1))).div_ceil(u128::from(all.max(1)));
    u64::try_from(share).unwrap_or(u64::MAX)
}

fn is_whole(part: &TurnPart<'_>, kept: &KeptPart) -> bool {
    matches!(kept.ranges.as_slice(), [only] if *only == part.bounds)
}

/// Where the parts of a trimmed turn end. One without parts is one.
fn ends_of(cut: &CutTurn) -> Vec<usize> {
    if cut.parts.is_empty() {
        alloc::vec![cut.content.len()]
    } else {
        cut.parts.iter().map(|part| part.end).collect()
    }
}

/// Whether nothing that a trim could leave out is left out.
fn is_everything(parts: &[TurnPart<'_>], kept: &[KeptPart]) -> bool {
    let mut pending = kept.iter().peekable();
    parts.iter().all(|part| match pending.next_if(|kept| kept.part == part.index) {
        Some(kept) => is_whole(part, kept),
        None => part.bounds.is_empty() && !part.kind.is_indivisible(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::sync::Arc;
    use alloc::vec;
    use cutctx_types::{CharRatioEstimator, TokenEstimator};
    use proptest::prelude::*;

    fn turn(content: &str, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new("t", Role::Assistant, content, tokens).unwrap()
    }

    /// This range of a part.
    fn only(part: usize, range: Range<usize>) -> KeptPart {
        KeptPart::new(part, core::iter::once(range).collect())
    }

    fn keep(turn: &TranscriptTurn, kept: Vec<KeptPart>) -> Option<Trim> {
        Trimming::measured_by(&Estimator::Own).keeping(turn, kept).unwrap()
    }

    #[test]
    fn ranges_are_put_in_order_joined_and_moved_to_borders() {
        let turn = turn(&"é123456789".repeat(20), 50);
        let kept = vec![KeptPart::new(0, vec![100..150, 1..60, 50..80, 7..7])];
        assert_eq!(keep(&turn, kept).unwrap().kept, [KeptPart::new(0, vec![2..80, 101..150])]);
    }

    #[test]
    fn a_cut_part_costs_its_share_marks_included_and_framing_stays() {
        let parts = vec![Part::new(PartKind::Text, 40, 100), Part::new(PartKind::Text, 80, 30)];
        let turn = turn(&"x".repeat(80), 137).with_parts(parts).unwrap();
        // 7 for framing, 30 whole, and 10 characters with the mark's line of the 40 that cost 100.
        let trim = keep(&turn, vec![only(0, 0..10), only(1, 40..80)]).unwrap();
        assert_eq!(trim.token_estimate, 7 + 30 + (100 * 13_u64).div_ceil(40));
        // A part that is gone leaves a mark, two characters at four a token.
        let trim = keep(&turn, vec![only(1, 40..80)]).unwrap();
        assert_eq!(trim.token_estimate, 7 + 1 + 30);
    }

    #[test]
    fn opaque_parts_stay_whole_or_go_also_without_text() {
        let parts = vec![Part::new(PartKind::OpaqueReasoning, 0, 900), Part::new(PartKind::Text, 8, 2)];
        let turn = turn("opening.", 902).with_parts(parts).unwrap();
        let trim = keep(&turn, vec![only(1, 0..8)]).unwrap();
        assert_eq!((trim.token_estimate, trim.kept.len()), (2, 1));
        let all = vec![only(0, 0..0), only(1, 0..8)];
        assert_eq!(keep(&turn, all), None);
    }

    /// A text of eight tokens and calls of `write`, each of four hundred characters, by an assistant with an exchange.
    fn calling(calls: usize) -> TranscriptTurn {
        let call = format!("[call write {{\"text\":\"{}\"}}]", "x".repeat(376));
        let mut parts = vec![Part::new(PartKind::Text, 32, 8)];
        let ends = (1..=calls).map(|nth| call.len().saturating_mul(nth).saturating_add(32));
        parts.extend(ends.map(|end| Part::new(PartKind::CallArguments, end, 110)));
        let tokens = parts.iter().map(|part| part.token_estimate).sum();
        let text = "y".repeat(32) + &call.repeat(calls);
        turn(&text, tokens).with_tool_call_id("e").with_parts(parts).unwrap()
    }

    #[test]
    fn the_name_of_a_call_and_what_is_around_it_stay_however_little_of_the_rest_does() {
        let turn = calling(1);
        let cost = |range| keep(&turn, vec![only(0, 0..32), only(1, range)]).unwrap().token_estimate;
        // The arguments are 387 characters, 97 tokens; name and surroundings are the other 13. No arguments are `{}`.
        assert_eq!(cost(32..44), 8 + 13 + 1);
        // 100 characters and the mark stay of the arguments.
        assert_eq!(cost(32..144), 8 + 13 + (97 * 101_u64).div_ceil(387));
    }

    #[test]
    fn a_call_that_is_left_out_costs_what_it_does_without_arguments() {
        let trim = keep(&calling(3), vec![only(0, 0..32), only(1, 32..432)]).unwrap();
        // Two calls of 14 tokens and one mark.
        assert_eq!(trim.token_estimate, 8 + 110 + 2 * 14 + 1);
        let spoken = vec![Part::new(PartKind::Text, 80, 20), Part::new(PartKind::CallArguments, 80, 11)];
        let spoken = turn(&"z".repeat(80), 31).with_tool_call_id("e").with_parts(spoken).unwrap();
        assert_eq!(keep(&spoken, vec![only(0, 0..10)]).unwrap().token_estimate, 3 + 11);
    }

    #[test]
    fn what_the_provider_ran_or_signed_is_kept_whole_if_at_all() {
        let kinds = [PartKind::Text, PartKind::CallArguments, PartKind::Media, PartKind::Text];
        let parts = (1..).zip(kinds).map(|(nth, kind)| Part::new(kind, nth * 40, 10)).collect();
        let ran = turn(&"[call a {\"b\":\"01234567890123456789012\"}]".repeat(4), 40);
        let ran = ran.with_parts(parts).unwrap();
        let trim = keep(&ran, vec![only(1, 40..60)]).unwrap();
        assert_eq!(trim.kept, [only(1, 40..80), only(2, 80..120)]);
        let trim = keep(&ran, vec![only(3, 120..160)]).unwrap();
        assert_eq!(trim.kept, [only(3, 120..160)]);

        let kinds = [(PartKind::Text, 40), (PartKind::OpaqueReasoning, 40), (PartKind::CallArguments, 80)];
        let parts = kinds.map(|(kind, end)| Part::new(kind, end, 10)).to_vec();
        let signed =
            turn(ran.content().get(..80).unwrap(), 30).with_tool_call_id("e").with_parts(parts).unwrap();
        let wish = || vec![only(0, 0..4), only(1, 40..40), only(2, 40..50)];
        let held = signed.clone().with_reasoning_held(true);
        assert_eq!(keep(&held, wish()).unwrap().kept[2], only(2, 40..80));
        assert_eq!(keep(&signed, wish()).unwrap().kept[2], only(2, 40..50));
    }

    #[test]
    fn what_keeps_nothing_or_saves_nothing_is_no_trim() {
        let turn = turn("short", 2);
        for kept in [vec![], vec![only(0, 0..5)], vec![only(0, 0..4)]] {
            assert_eq!(keep(&turn, kept), None);
        }
    }

    #[test]
    fn the_measure_has_no_scale_of_its_own() {
        let turn = turn(&"words ".repeat(100), 1_000);
        let estimator = |ratio| Estimator::Injected(Arc::new(CharRatioEstimator::new(ratio).unwrap()));
        let cost = |ratio| {
            let trim = Trimming::measured_by(&estimator(ratio)).keeping(&turn, vec![only(0, 0..300)]);
            trim.unwrap().unwrap().token_estimate
        };
        assert_eq!((cost(4.0), cost(1.5)), (cost(2.0), cost(2.0)));
    }

    fn cut_turn() -> impl Strategy<Value = (TranscriptTurn, Vec<KeptPart>)> {
        let kinds = prop::sample::select(vec![
            PartKind::Text,
            PartKind::Result,
            PartKind::CallArguments,
            PartKind::OpaqueReasoning,
            PartKind::Media,
        ]);
        let parts = prop::collection::vec((kinds, "(\\PC|\n){0,60}"), 0..5);
        let kept = prop::collection::vec((0_usize..6, 0_usize..200, 0_usize..90), 0..8);
        (parts, kept).prop_map(|(parts, kept)| {
            let content: String = parts.iter().map(|(_, text)| text.as_str()).collect();
            let mut end = 0;
            let tiles = parts.iter().map(|(kind, text)| {
                end = text.len().saturating_add(end);
                Part::new(*kind, end, CharRatioEstimator::default().estimate(text))
            });
            let tiles: Vec<Part> = tiles.collect();
            let tokens = if tiles.is_empty() {
                5
            } else {
                tiles.iter().map(|part| part.token_estimate).fold(3, u64::saturating_add)
            };
            let turn = turn(&content, tokens).with_parts(tiles).unwrap();
            let range = |(part, start, length): (usize, usize, usize)| {
                only(part, start..start.saturating_add(length))
            };
            (turn, kept.into_iter().map(range).collect())
        })
    }

    proptest! {
        #[test]
        fn any_wish_makes_a_trim_that_costs_no_less_than_what_it_leaves((turn, kept) in cut_turn()) {
            if let Some(trim) = keep(&turn, kept) {
                let left = trim.applied_to(&turn);
                let counted = |part: &TurnPart<'_>| CharRatioEstimator::default().estimate(part.text);
                let real = parts_of(&left).iter().map(counted).fold(framing_of(&turn), u64::saturating_add);
                // What was counted is counted again by at most one token a part more.
                prop_assert!(trim.token_estimate >= real, "{} {real}", trim.token_estimate);
                let most = u64::try_from(left.parts().len().max(1)).unwrap().saturating_mul(2);
                prop_assert!(trim.token_estimate <= real.saturating_add(most));
            }
        }
    }
}
