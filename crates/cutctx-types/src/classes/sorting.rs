//! Numbering texts by sorting them: slower than a table, and as fast for any input.

use alloc::vec::Vec;

/// The numbers of the texts.
pub(super) fn number(items: &[Option<&str>]) -> Vec<usize> {
    let mut first_of: Vec<usize> = (0..items.len()).collect();
    for equal in sorted(items).chunk_by(|left, right| left.0 == right.0) {
        let Some(((_, first), rest)) = equal.split_first() else { continue };
        for (_, position) in rest {
            if let Some(slot) = first_of.get_mut(*position) {
                *slot = *first;
            }
        }
    }
    in_order(&first_of)
}

/// The texts with their positions; equal ones are neighbours, first position first.
fn sorted<'a>(items: &[Option<&'a str>]) -> Vec<(&'a str, usize)> {
    let texts = items.iter().enumerate().filter_map(|(position, item)| Some(((*item)?, position)));
    let mut texts: Vec<(&str, usize)> = texts.collect();
    texts.sort_unstable();
    texts
}

/// Numbers positions that point at their first equals.
fn in_order(first_of: &[usize]) -> Vec<usize> {
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
