//! Which of many texts are equal.

use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};
use foldhash::fast::FixedState;

/// Numbers texts so that equal ones share a number, counting up in order of first appearance.
///
/// `None` is equal to nothing and always takes a new number. The result has one entry an item.
///
/// Texts are hashed, the hashes sorted, and texts are compared only where hashes agree. The cost is
/// `n log n` for any input: ids made to collide meet a sort, not a crowded bucket, and no order of a
/// hash map can reach an output.
///
/// ```
/// use cutctx_types::classify;
/// assert_eq!(classify([Some("b"), Some("a"), None, Some("b")]), [0, 1, 2, 0]);
/// ```
#[must_use]
#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
pub fn classify<'a>(items: impl IntoIterator<Item = Option<&'a str>>) -> Vec<usize> {
    let items: Vec<Option<&str>> = items.into_iter().collect();
    let mut first_of: Vec<usize> = (0..items.len()).collect();
    link_repeats(&items, &mut first_of);
    number_in_order(&first_of)
}

/// Points every text at its first equal.
fn link_repeats(items: &[Option<&str>], first_of: &mut [usize]) {
    let mut runs = run_heads(items, first_of);
    runs.sort_unstable_by_key(|head| (head.hash, head.position));
    for alike in runs.chunk_by_mut(|left, right| left.hash == right.hash) {
        link_alike(alike, first_of);
    }
    follow_run_heads(first_of);
}

/// A text whose left neighbour is another text.
struct Head<'a> {
    hash: u64,
    position: usize,
    text: &'a str,
}

/// The heads of runs of equal neighbours; the rest of each run is pointed at its head.
fn run_heads<'a>(items: &[Option<&'a str>], first_of: &mut [usize]) -> Vec<Head<'a>> {
    let mut heads: Vec<Head<'a>> = Vec::with_capacity(items.len());
    let mut previous = None;
    for ((position, item), first) in items.iter().enumerate().zip(first_of.iter_mut()) {
        let Some(text) = *item else {
            previous = None;
            continue;
        };
        match (previous, heads.last()) {
            (Some(before), Some(head)) if before == text => *first = head.position,
            _ => heads.push(Head { hash: hash(text), position, text }),
        }
        previous = Some(text);
    }
    heads
}

fn hash(text: &str) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Points the heads of one hash at their first equals.
fn link_alike(alike: &mut [Head<'_>], first_of: &mut [usize]) {
    if alike.len() < 2 {
        return;
    }
    if alike.windows(2).any(|pair| matches!(pair, [left, right] if left.text != right.text)) {
        alike.sort_unstable_by_key(|head| (head.text, head.position));
    }
    for equal in alike.chunk_by(|left, right| left.text == right.text) {
        let Some((first, rest)) = equal.split_first() else { continue };
        for head in rest {
            if let Some(slot) = first_of.get_mut(head.position) {
                *slot = first.position;
            }
        }
    }
}

/// Run members point at their head; lets them point at what the head points at.
fn follow_run_heads(first_of: &mut [usize]) {
    for position in 0..first_of.len() {
        let target = first_of.get(position).and_then(|head| first_of.get(*head)).copied();
        if let (Some(slot), Some(target)) = (first_of.get_mut(position), target) {
            *slot = target;
        }
    }
}

fn number_in_order(first_of: &[usize]) -> Vec<usize> {
    let mut numbers: Vec<usize> = Vec::with_capacity(first_of.len());
    let mut next = 0_usize;
    for (position, first) in first_of.iter().enumerate() {
        if *first == position {
            numbers.push(next);
            next = next.saturating_add(1);
        } else {
            numbers.push(numbers.get(*first).copied().unwrap_or_default());
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(items: &[Option<&str>]) -> Vec<usize> {
        let is_first =
            |position: usize| items[position].is_none() || !items[..position].contains(&items[position]);
        let firsts: Vec<usize> = (0..items.len()).filter(|position| is_first(*position)).collect();
        let number = |position: usize| {
            let first = if is_first(position) {
                position
            } else {
                items.iter().position(|item| *item == items[position]).unwrap()
            };
            firsts.binary_search(&first).unwrap()
        };
        (0..items.len()).map(number).collect()
    }

    #[test]
    fn texts_of_one_hash_are_told_apart() {
        let mut heads = [
            Head { hash: 7, position: 0, text: "b" },
            Head { hash: 7, position: 1, text: "a" },
            Head { hash: 7, position: 2, text: "b" },
            Head { hash: 7, position: 3, text: "a" },
        ];
        let mut first_of = vec![0, 1, 2, 3];
        link_alike(&mut heads, &mut first_of);
        assert_eq!(first_of, [0, 1, 0, 1]);
    }

    proptest! {
        #[test]
        fn it_agrees_with_comparing_each_with_each(items in prop::collection::vec(prop::option::of("[ab]{0,2}"), 0..40)) {
            let items: Vec<Option<&str>> = items.iter().map(Option::as_deref).collect();
            prop_assert_eq!(classify(items.iter().copied()), slow(&items));
        }
    }
}
