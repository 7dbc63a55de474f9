//! A trim of a turn that was trimmed before.

use crate::cut::CutPiece;
use crate::trim::{KeptPart, Trim};
use crate::turn::TranscriptTurn;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

impl Trim {
    /// The one trim of a turn that does what `first` and then this one do: this one is about what the first has left.
    ///
    /// `None` where nothing but marks would be left. The marks of both tell no counts: they would be other ones than those
    /// that this one was measured with.
    ///
    /// ```
    /// use cutctx_types::{KeptPart, Role, TranscriptTurn, Trim};
    /// let turn = TranscriptTurn::new("t", Role::Tool, "0123456789abcdef", 16)?;
    /// // "0123\n…\ncdef", of which "3\n…\nc" stays.
    /// let first = Trim::new(vec![KeptPart::new(0, vec![0..4, 12..16])], 9);
    /// let second = Trim::new(vec![KeptPart::new(0, vec![3..10])], 3);
    /// let both = second.after(&first, &turn);
    /// assert_eq!(both, Some(Trim::new(vec![KeptPart::new(0, vec![3..4, 12..13])], 3)));
    /// # Ok::<(), cutctx_types::TurnError>(())
    /// ```
    #[must_use]
    pub fn after(&self, first: &Self, turn: &TranscriptTurn) -> Option<Self> {
        let mut kept: Vec<KeptPart> = Vec::new();
        for piece in first.cut(turn).pieces {
            let place = self.kept.binary_search_by_key(&piece.into, |kept| kept.part).ok();
            let Some(wanted) = place.and_then(|place| self.kept.get(place)) else { continue };
            let ranges = common(&piece, &wanted.ranges);
            match kept.last_mut().filter(|last| last.part == piece.part) {
                Some(last) => last.ranges.extend(ranges),
                None if ranges.is_empty() => {}
                None => kept.push(KeptPart::new(piece.part, ranges)),
            }
        }
        (!kept.is_empty()).then(|| Self::new(kept, self.token_estimate))
    }
}

/// What of a piece is wanted, as ranges of the turn's own content.
fn common(piece: &CutPiece, wanted: &[Range<usize>]) -> Vec<Range<usize>> {
    if piece.range.is_empty() {
        return vec![piece.range.clone()];
    }
    let end = piece.at.saturating_add(piece.range.len());
    let first = wanted.partition_point(|range| range.end <= piece.at);
    let reaching = wanted.iter().skip(first).take_while(|range| range.start < end);
    let own = |at: usize| at.saturating_sub(piece.at).saturating_add(piece.range.start);
    reaching.map(|range| own(range.start.max(piece.at))..own(range.end.min(end))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Part, PartKind};
    use crate::role::Role;
    use proptest::prelude::*;

    fn keeps(part: usize, range: Range<usize>) -> KeptPart {
        KeptPart::new(part, vec![range])
    }

    #[test]
    fn the_second_trim_is_about_what_the_first_left() {
        let turn = TranscriptTurn::new("t", Role::Tool, "0123456789abcdef", 16).unwrap();
        // "0123\n…\ncdef", of which "3\n…\nc" stays.
        let first = Trim::new(vec![KeptPart::new(0, vec![0..4, 12..16])], 9);
        let second = Trim::new(vec![keeps(0, 3..10)], 3);
        let both = second.after(&first, &turn).unwrap();
        assert_eq!(both, Trim::new(vec![KeptPart::new(0, vec![3..4, 12..13])], 3));
        let only_the_mark = Trim::new(vec![keeps(0, 4..9)], 1);
        assert_eq!(only_the_mark.after(&first, &turn), None);
    }

    #[test]
    fn parts_that_are_gone_do_not_come_back() {
        let kinds = [(PartKind::OpaqueReasoning, 0), (PartKind::Text, 4), (PartKind::OpaqueReasoning, 4)];
        let parts = kinds.into_iter().chain([(PartKind::CallArguments, 8)]);
        let parts = parts.map(|(kind, end)| Part::new(kind, end, 5)).collect();
        let turn =
            TranscriptTurn::new("a", Role::Assistant, "textcall", 20).unwrap().with_parts(parts).unwrap();
        let first = Trim::new(vec![keeps(1, 0..4), keeps(2, 4..4), keeps(3, 4..8)], 15);
        let end = first.cut(&turn).parts[0].end;
        let second = Trim::new(vec![keeps(0, 0..2), keeps(1, end..end)], 9);
        let both = second.after(&first, &turn).unwrap();
        assert_eq!(both.kept, [keeps(1, 0..2), keeps(2, 4..4)]);
    }

    fn ranges(length: usize) -> impl Strategy<Value = Vec<Range<usize>>> {
        prop::collection::btree_set(0..=length, 2..8).prop_map(|borders| {
            let borders: Vec<usize> = borders.into_iter().collect();
            borders.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
        })
    }

    proptest! {
        #[test]
        fn doing_both_at_once_leaves_what_doing_one_after_the_other_leaves(first in ranges(40), seed in any::<u64>()) {
            let text: String = ('a'..='z').chain('A'..='N').collect();
            let turn = TranscriptTurn::new("t", Role::Tool, text, 40).unwrap();
            let first = Trim::new(vec![KeptPart::new(0, first)], 30);
            let left = first.applied_to(&turn);
            let borders: Vec<usize> = (0..=left.content().len())
                .filter(|at| left.content().is_char_boundary(*at) && (seed >> (*at).min(63)) & 1 == 1)
                .collect();
            let second: Vec<_> = borders.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            prop_assume!(!second.is_empty());
            let second = Trim::new(vec![KeptPart::new(0, second)], 20);
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let expected = letters(second.applied_to(&left).content());
            let both = second.after(&first, &turn);
            let left = both.map(|both| letters(both.applied_to(&turn).content())).unwrap_or_default();
            prop_assert_eq!(left, expected);
        }
    }
}
