//! The ranks of short tokens.

use alloc::vec;
use alloc::vec::Vec;

use super::{NONE, Rank, table_size};

/// How long a token may be, in bytes: its length has the eighth byte of a word.
const LONGEST: usize = 7;

/// Tokens of a few bytes with their ranks, in an open table: one look into memory finds most of them, or tells that they
/// are not there.
pub(super) struct Short {
    /// Its length is a power of two.
    slots: Vec<Slot>,
    /// How far to shift a product for the number of a slot.
    shift: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    /// The token's bytes and its length; zero is free.
    key: u64,
    rank: Rank,
}

impl Short {
    /// Whether a token of so many bytes is short.
    pub(super) const fn holds(length: usize) -> bool {
        length <= LONGEST
    }

    /// A table for so many tokens.
    pub(super) fn of(tokens: usize) -> Self {
        let size = table_size(tokens);
        let shift = u64::BITS.saturating_sub(size.trailing_zeros());
        Self { slots: vec![Slot { key: 0, rank: NONE }; size], shift }
    }

    /// Adds a short token.
    pub(super) fn add(&mut self, bytes: &[u8], rank: Rank) {
        let key = key(bytes);
        let mut number = self.first(key);
        while self.slots.get(number).is_some_and(|slot| slot.key != 0 && slot.key != key) {
            number = self.after(number);
        }
        if let Some(slot) = self.slots.get_mut(number).filter(|slot| slot.key == 0) {
            *slot = Slot { key, rank };
        }
    }

    /// The rank of a short token, or [`NONE`].
    pub(super) fn rank(&self, bytes: &[u8]) -> Rank {
        let key = key(bytes);
        let mut number = self.first(key);
        loop {
            match self.slots.get(number) {
                Some(slot) if slot.key == key => return slot.rank,
                Some(slot) if slot.key != 0 => number = self.after(number),
                _ => return NONE,
            }
        }
    }

    fn first(&self, key: u64) -> usize {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::try_from(product.wrapping_shr(self.shift)).unwrap_or_default()
    }

    const fn after(&self, number: usize) -> usize {
        number.saturating_add(1) & self.slots.len().saturating_sub(1)
    }
}

/// The bytes of a short token, with its length on top: never zero unless it is empty.
fn key(bytes: &[u8]) -> u64 {
    let length = u64::try_from(bytes.len()).unwrap_or_default();
    bytes.iter().fold(length, |key, byte| key.wrapping_shl(8) | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_and_nothing_else() {
        let tokens: Vec<Vec<u8>> = (0..2_000_u32)
            .map(|number| number.to_be_bytes().into_iter().cycle().take(1 + number as usize % 7).collect())
            .collect();
        let mut short = Short::of(tokens.len());
        let mut known = alloc::collections::BTreeMap::new();
        for (rank, token) in (0..).zip(&tokens) {
            short.add(token, rank);
            known.entry(token.as_slice()).or_insert(rank);
        }
        for token in &tokens {
            assert_eq!(Some(&short.rank(token)), known.get(token.as_slice()));
        }
        assert_eq!(short.rank(b"absent"), NONE);
    }
}
