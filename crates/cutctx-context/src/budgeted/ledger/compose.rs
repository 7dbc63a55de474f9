//! Fates one after the other.

use alloc::sync::Arc;

use cutctx_types::{Action, TranscriptTurn, Trim, TurnReplacement};

/// What a turn says by its fate; `None` where it is gone.
pub(super) fn shown_as(source: &TranscriptTurn, action: &Action) -> Option<TranscriptTurn> {
    match action {
        Action::Keep => Some(source.clone()),
        Action::Mask(stub) => {
            Some(source.clone().with_content(Arc::clone(&stub.content), stub.token_estimate))
        }
        Action::Trim(trim) => Some(trim.applied_to(source)),
        Action::Summarize { .. } | Action::Drop => None,
    }
}

/// The one fate of a turn of the source that does what two do one after the other; `shown` is what the first left.
pub(super) fn composed(
    prior: &Action,
    next: &Action,
    source: &TranscriptTurn,
    shown: &TranscriptTurn,
) -> Action {
    match (prior, next) {
        (_, Action::Keep) => prior.clone(),
        (Action::Mask(_), Action::Trim(trim)) => masked(shown, trim),
        (Action::Trim(first), Action::Trim(second)) => {
            second.after(first, source).map_or_else(|| masked(shown, second), Action::Trim)
        }
        (_, next) => next.clone(),
    }
}

/// What a trim leaves, as a text in place of the turn.
fn masked(shown: &TranscriptTurn, trim: &Trim) -> Action {
    let left = trim.applied_to(shown);
    Action::Mask(TurnReplacement::new(Arc::clone(left.content()), trim.token_estimate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use core::ops::Range;
    use cutctx_types::{KeptPart, Role};

    fn trim(ranges: &[Range<usize>]) -> Action {
        Action::Trim(Trim::new(vec![KeptPart::new(0, ranges.to_vec())], 1))
    }

    /// What a turn says after one fate and then after another, and after the one fate that is both.
    fn both_ways(first: &Action, second: &Action) -> (Arc<str>, Arc<str>) {
        let source = TranscriptTurn::new("t", Role::Tool, "0123456789abcdef", 16).unwrap();
        let shown = shown_as(&source, first).unwrap();
        let then = shown_as(&shown, second).unwrap();
        let both = composed(first, second, &source, &shown);
        (Arc::clone(then.content()), Arc::clone(shown_as(&source, &both).unwrap().content()))
    }

    #[test]
    fn one_fate_says_what_two_say_one_after_the_other() {
        // "0123\n…\ncdef", of which "3\n…\nc" stays.
        let first = trim(&[0..4, 12..16]);
        let (_, both) = both_ways(&first, &trim(&[Range { start: 3, end: 10 }]));
        assert_eq!(&*both, "…\n3\n…\nc\n…");
        // Of a mark alone a text is left.
        let (then, both) = both_ways(&first, &trim(&[Range { start: 4, end: 9 }]));
        assert_eq!(then, both);
        let stub = Action::Mask(TurnReplacement::new("a stub of some length", 5));
        for second in [trim(&[Range { start: 2, end: 6 }]), stub.clone()] {
            let (then, both) = both_ways(&stub, &second);
            assert_eq!(then, both, "{second:?}");
        }
        let (then, both) = both_ways(&first, &stub);
        assert_eq!(then, both);
        let (then, both) = both_ways(&first, &Action::Keep);
        assert_eq!(then, both);
    }
}
