//! Numbers that look random and are the same every time.

use crate::fingerprint::mixed;

/// A generator of numbers (`SplitMix64`). The same seed gives the same numbers, on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Generator(u64);

impl Generator {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below a limit; 0 where the limit is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        let high = (u128::from(self.next()).saturating_mul(u128::from(limit))) >> 64;
        usize::try_from(high).unwrap_or_default()
    }

    /// Puts items into an order of chance.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end.saturating_add(1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_their_limit_and_all_come_up() {
        let mut generator = Generator::new(1);
        let mut seen = [0; 5];
        for _ in 0..500 {
            seen[generator.below(5)] += 1;
        }
        assert!(seen.iter().all(|count| (70..130).contains(count)), "{seen:?}");
        assert_eq!(generator.below(0), 0);
    }

    #[test]
    fn a_shuffle_keeps_all_items_and_repeats_itself() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..50).collect();
            Generator::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..50));
    }
}
