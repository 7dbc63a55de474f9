//! Runs of turns that can be summarized without separating an exchange.
//!
//! A span is *closed* when every exchange that touches it lies inside it. Closed spans are what is left
//! when a turn whose exchange reaches out of its run is made a barrier, which splits the run, until no
//! such turn is left. The order in which barriers are found does not matter: a turn that reaches out of
//! a run reaches out of every piece of it.

use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::Exchanges;

/// The maximal closed spans of the turns that `foldable` marks by position, in order.
///
/// Costs `n log n` at the worst: each run is searched from both ends at once, so a barrier is found in
/// the time that the smaller of the two pieces is long.
pub(super) fn closed_spans(exchanges: &Exchanges, foldable: &[bool]) -> Vec<Range<usize>> {
    let reaches = Reaches { exchanges };
    let mut spans = Vec::new();
    let mut open: Vec<Range<usize>> = Vec::new();
    for run in runs(foldable) {
        open.push(run);
        while let Some(run) = open.pop() {
            let Some(barrier) = reaches.barrier_in(&run) else {
                spans.push(run);
                continue;
            };
            // The left piece is taken up first, so that spans come out in order.
            let pieces = [barrier.saturating_add(1)..run.end, run.start..barrier];
            open.extend(pieces.into_iter().filter(|piece| !piece.is_empty()));
        }
    }
    spans
}

/// The maximal runs of marked positions.
fn runs(marked: &[bool]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0_usize;
    marked.chunk_by(|left, right| left == right).filter_map(move |alike| {
        let run = start..start.saturating_add(alike.len());
        start = run.end;
        alike.first().is_some_and(|marked| *marked).then_some(run)
    })
}

/// How far the exchange of a turn reaches.
struct Reaches<'e> {
    exchanges: &'e Exchanges,
}

impl Reaches<'_> {
    /// A turn of the run whose exchange reaches out of it.
    fn barrier_in(&self, run: &Range<usize>) -> Option<usize> {
        let (front, back) = (run.clone(), run.clone().rev());
        let half = run.len().div_ceil(2);
        let mut both_ends = front.zip(back).take(half).flat_map(|(left, right)| [left, right]);
        both_ends.find(|position| self.leaves(*position, run))
    }

    fn leaves(&self, position: usize, run: &Range<usize>) -> bool {
        let members =
            self.exchanges.of(position).map_or(&[][..], |exchange| self.exchanges.members(exchange));
        let ends = [members.first(), members.last()];
        ends.into_iter().flatten().any(|end| !run.contains(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx_invariants::Survey;
    use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
    use proptest::prelude::*;

    /// One turn a call id; `None` stands alone.
    fn transcript_of(calls: &[Option<u8>]) -> Transcript {
        let turn = |(position, call): (usize, &Option<u8>)| {
            let turn = TranscriptTurn::new(format!("t{position}"), Role::Tool, "", 1).unwrap();
            match call {
                Some(call) => turn.with_tool_call_id(format!("c{call}")),
                None => turn,
            }
        };
        Transcript::new(calls.iter().enumerate().map(turn).collect()).unwrap()
    }

    fn with_exchanges<T>(calls: &[Option<u8>], then: impl FnOnce(&Exchanges) -> T) -> T {
        let transcript = transcript_of(calls);
        let budget = CompactionBudget::new(u64::MAX).with_protected_recent_turns(0);
        then(Survey::new(&transcript, &budget).unwrap().exchanges())
    }

    /// The definition, word for word: recompute all runs, make every turn of an exchange that is not
    /// wholly in its run a barrier, start over until nothing changes.
    fn slow_spans(calls: &[Option<u8>], foldable: &[bool]) -> Vec<Range<usize>> {
        let mut marked = foldable.to_vec();
        loop {
            let runs = slow_runs(&marked);
            let before = marked.clone();
            for run in &runs {
                for position in run.clone() {
                    let stays_inside = (0..calls.len())
                        .filter(|other| calls[*other].is_some() && calls[*other] == calls[position])
                        .all(|other| run.contains(&other));
                    marked[position] &= stays_inside;
                }
            }
            if marked == before {
                return runs;
            }
        }
    }

    fn slow_runs(marked: &[bool]) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for position in (0..marked.len()).filter(|position| marked[*position]) {
            match runs.last_mut().filter(|run| run.end == position) {
                Some(run) => run.end = position.saturating_add(1),
                None => runs.push(position..position.saturating_add(1)),
            }
        }
        runs
    }

    fn some_turns() -> impl Strategy<Value = Vec<(Option<u8>, bool)>> {
        let call = prop_oneof![2 => Just(None), 5 => (0_u8..7).prop_map(Some)];
        prop::collection::vec((call, prop::bool::weighted(0.85)), 0..28)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn spans_are_those_of_the_slow_fixed_point(turns in some_turns()) {
            let (calls, foldable): (Vec<_>, Vec<_>) = turns.into_iter().unzip();
            let spans = with_exchanges(&calls, |exchanges| closed_spans(exchanges, &foldable));
            prop_assert_eq!(spans, slow_spans(&calls, &foldable));
        }
    }

    /// Each exchange is `[first, last]`, given by call numbers along the transcript.
    fn nested(depth: u8) -> Vec<Option<u8>> {
        (0..depth).chain((0..depth).rev()).map(Some).collect()
    }

    #[test]
    fn a_transcript_without_calls_is_one_span() {
        let calls = [None; 5];
        let whole: Range<usize> = 0..5;
        let spans = with_exchanges(&calls, |exchanges| closed_spans(exchanges, &[true; 5]));
        assert_eq!(spans, [whole]);
    }

    #[test]
    fn half_an_exchange_is_in_no_span() {
        // The reference's crash: two interleaved calls around a turn that must stay.
        let calls = [Some(1), None, None, None, Some(2), Some(1), None, Some(2)];
        let foldable = [true, true, true, true, true, true, false, true];
        let spans = with_exchanges(&calls, |exchanges| closed_spans(exchanges, &foldable));
        let between: Range<usize> = 1..4;
        assert_eq!(spans, [between]);
    }

    #[test]
    fn nested_calls_around_a_barrier_fall_one_after_the_other() {
        let calls = nested(4);
        let mut foldable = [true; 8];
        foldable[3] = false;
        let spans = with_exchanges(&calls, |exchanges| closed_spans(exchanges, &foldable));
        assert!(spans.is_empty(), "{spans:?}");
    }

    #[test]
    fn a_long_cascade_of_interleaved_calls_falls_one_after_the_other() {
        // Call k holds turns 2k and 2k + 3, so that each barrier uncovers the next one only: a scan of the
        // whole run for each barrier would look at a hundred times a hundred million turns.
        let n = 200_000_usize;
        let call_of = |position: usize| match position % 2 {
            0 => position / 2,
            _ => position.saturating_sub(3) / 2,
        };
        let turn = |position: usize| {
            let turn = TranscriptTurn::new(format!("t{position}"), Role::Tool, "", 1).unwrap();
            turn.with_tool_call_id(format!("c{}", call_of(position)))
        };
        let transcript = Transcript::new((0..n).map(turn).collect()).unwrap();
        let budget = CompactionBudget::new(u64::MAX).with_protected_recent_turns(1);
        let survey = Survey::new(&transcript, &budget).unwrap();
        let foldable: Vec<bool> = (0..n).map(|position| position != n / 2).collect();
        let spans = closed_spans(survey.exchanges(), &foldable);
        // The last even turn is alone in its call.
        let lone: Range<usize> = n - 2..n - 1;
        assert_eq!(spans, [lone]);
    }
}
