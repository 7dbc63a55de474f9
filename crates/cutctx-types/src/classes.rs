//! Which of many texts are equal.

mod sorting;
mod table;

use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};
use foldhash::fast::FixedState;

/// Numbers texts so that equal ones share a number, counting up in order of first appearance.
///
/// `None` is equal to nothing and always takes a new number. The result has one entry an item.
///
/// Texts are found again in a hash table, in linear time. Ids made to collide cannot make that slow: when one of them
/// meets too many others, all of them are sorted instead, in `n log n`. Numbers depend on the order of the items
/// alone, so no order of a hash table can reach an output.
///
/// ```
/// use cutctx_types::classify;
/// assert_eq!(classify([Some("b"), Some("a"), None, Some("b")]), [0, 1, 2, 0]);
/// ```
#[must_use]
#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
pub fn classify<'a>(items: impl IntoIterator<Item = Option<&'a str>>) -> Vec<usize> {
    let state = FixedState::default();
    table::number(items.into_iter(), |text| hash(&state, text))
        .unwrap_or_else(|items| sorting::number(&items))
}

/// Whether no two texts are equal.
///
/// Most ids count up. Such a list is seen to be distinct by comparing neighbours, shorter texts first; any other one is
/// classified.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
pub(crate) fn all_distinct<'a>(texts: impl ExactSizeIterator<Item = &'a str> + Clone) -> bool {
    let count = texts.len();
    let counts_up = texts.clone().zip(texts.clone().skip(1)).all(|(left, right)| comes_before(left, right));
    counts_up || classify(texts.map(Some)).into_iter().max() == count.checked_sub(1)
}

fn comes_before(left: &str, right: &str) -> bool {
    left.len() < right.len() || (left.len() == right.len() && left < right)
}

fn hash(state: &FixedState, text: &str) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn usual_hash(text: &str) -> u64 {
        hash(&FixedState::default(), text)
    }

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

    proptest! {
        #[test]
        fn both_ways_agree_with_comparing_each_with_each(
            items in prop::collection::vec(prop::option::of("[ab]{0,2}"), 0..40)
        ) {
            let items: Vec<Option<&str>> = items.iter().map(Option::as_deref).collect();
            prop_assert_eq!(table::number(items.iter().copied(), usual_hash), Ok(slow(&items)));
            prop_assert_eq!(sorting::number(&items), slow(&items));
        }

        #[test]
        fn the_table_is_right_or_gives_up_under_any_hash(
            items in prop::collection::vec(prop::option::of("[abc]{0,6}"), 0..400),
            bits in 0_u64..4,
        ) {
            let items: Vec<Option<&str>> = items.iter().map(Option::as_deref).collect();
            match table::number(items.iter().copied(), |text| usual_hash(text) & bits) {
                Ok(numbers) => prop_assert_eq!(numbers, slow(&items)),
                Err(same) => prop_assert_eq!(same, items),
            }
        }
    }

    proptest! {
        #[test]
        fn texts_are_distinct_when_none_is_met_twice(texts in prop::collection::vec("[ab]{0,3}", 0..12), sort in any::<bool>()) {
            let mut texts = texts;
            if sort {
                texts.sort_by_key(|text| (text.len(), text.clone()));
            }
            let repeated = (0..texts.len()).any(|at| texts[..at].contains(&texts[at]));
            prop_assert_eq!(all_distinct(texts.iter().map(String::as_str)), !repeated);
        }
    }

    #[test]
    fn many_texts_of_one_hash_are_left_to_sorting() {
        let texts: Vec<String> = (0..1_000).map(|number| format!("id-{number}")).collect();
        let items: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
        assert_eq!(table::number(items.iter().copied(), |_| 7), Err(items.clone()));
        assert_eq!(sorting::number(&items), (0..1_000).collect::<Vec<_>>());
    }
}
