//! Counts that are remembered.

use alloc::borrow::Cow;
use core::sync::atomic::{AtomicU64, Ordering};

use cutctx_tokens::Cached;
use cutctx_types::TokenEstimator;

/// Counts bytes, and how many it was asked to count.
#[derive(Default)]
struct Bytes {
    counted: AtomicU64,
}

impl TokenEstimator for Bytes {
    fn estimate(&self, text: &str) -> u64 {
        let length = u64::try_from(text.len()).unwrap();
        self.counted.fetch_add(length, Ordering::Relaxed);
        length
    }

    fn name(&self) -> Cow<'_, str> {
        "bytes".into()
    }
}

fn turn(number: usize) -> String {
    format!("turn {number}: ").repeat(200)
}

#[test]
fn an_appended_turn_costs_that_turn_alone() {
    let cached = Cached::new(Bytes::default());
    let turns: Vec<String> = (0..50).map(turn).collect();
    for upto in 1..=turns.len() {
        let before = cached.estimator().counted.load(Ordering::Relaxed);
        for turn in &turns[..upto] {
            assert_eq!(cached.estimate(turn), u64::try_from(turn.len()).unwrap());
        }
        let work = cached.estimator().counted.load(Ordering::Relaxed) - before;
        assert_eq!(work, u64::try_from(turns[upto - 1].len()).unwrap());
    }
}

#[test]
fn it_holds_a_bounded_number_of_counts_and_keeps_those_in_use() {
    let cached = Cached::holding(8, Bytes::default());
    for number in 0..1_000 {
        cached.estimate(&turn(number));
        cached.estimate(&turn(0));
    }
    assert_eq!(cached.hits(), 1_000);
    let before = cached.estimator().counted.load(Ordering::Relaxed);
    cached.estimate(&turn(1));
    assert!(cached.estimator().counted.load(Ordering::Relaxed) > before, "the oldest is forgotten");
}

#[test]
fn threads_agree() {
    let cached = Cached::new(Bytes::default());
    let count = || {
        for number in 0..100 {
            assert_eq!(cached.estimate(&turn(number)), Bytes::default().estimate(&turn(number)));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(count))));
}
