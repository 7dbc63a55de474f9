//! The tokens of a vocabulary and their ranks.

mod short;

use alloc::vec;
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use short::Short;

/// The rank of a token: its id, and the order in which pairs are joined. No token has the highest number.
pub(super) type Rank = u32;

/// No such token.
pub(super) const NONE: Rank = Rank::MAX;

/// The tokens of a vocabulary, found by their bytes. Short ones, which nearly all of a text is made of, stand in a table
/// themselves. The bytes of the others stay where they are; an open table holds their places.
pub(super) struct Ranks {
    /// The ranks of all tokens of two bytes: most look-ups while pairs are joined.
    pairs: Vec<Rank>,
    short: Short,
    bytes: alloc::borrow::Cow<'static, [u8]>,
    tokens: Vec<Token>,
    /// Places in `tokens`, one up; zero is free. Its length is a power of two, at least twice that of `tokens`.
    table: Vec<u32>,
    hasher: FixedState,
}

struct Token {
    start: u32,
    length: u32,
    rank: Rank,
}

impl Ranks {
    /// Tokens as places in `bytes`: start, length and rank.
    pub(super) fn new(bytes: alloc::borrow::Cow<'static, [u8]>, places: &[(usize, usize, Rank)]) -> Self {
        let short = places.iter().filter(|(_, length, _)| Short::holds(*length)).count();
        let long = places.len().saturating_sub(short);
        let mut ranks = Self {
            pairs: vec![NONE; 1 << 16],
            short: Short::of(short),
            bytes,
            tokens: Vec::with_capacity(long),
            table: vec![0; table_size(long)],
            hasher: FixedState::with_seed(0x0063_7574_6374_7874),
        };
        for (start, length, rank) in places {
            ranks.add(*start, *length, *rank);
        }
        ranks
    }

    fn add(&mut self, start: usize, length: usize, rank: Rank) {
        let (Ok(start), Ok(length)) = (u32::try_from(start), u32::try_from(length)) else { return };
        let token = Token { start, length, rank };
        let Some(bytes) = bytes_of(&self.bytes, &token) else { return };
        if let [first, second] = bytes
            && let Some(pair) = self.pairs.get_mut(pair_index(*first, *second))
        {
            *pair = rank;
        } else if Short::holds(bytes.len()) {
            self.short.add(bytes, rank);
        } else {
            let slot = self.free_slot(bytes);
            self.tokens.push(token);
            if let (Some(free), Ok(place)) = (self.table.get_mut(slot), u32::try_from(self.tokens.len())) {
                *free = place;
            }
        }
    }

    fn free_slot(&self, bytes: &[u8]) -> usize {
        let mut slot = self.slot(bytes);
        while self.table.get(slot).is_some_and(|taken| *taken != 0) {
            slot = self.after(slot);
        }
        slot
    }

    /// The rank of the token of these bytes, or [`NONE`].
    pub(super) fn rank(&self, bytes: &[u8]) -> Rank {
        if let [first, second] = bytes {
            return self.pairs.get(pair_index(*first, *second)).copied().unwrap_or(NONE);
        }
        if Short::holds(bytes.len()) { self.short.rank(bytes) } else { self.long_rank(bytes) }
    }

    fn long_rank(&self, bytes: &[u8]) -> Rank {
        let mut slot = self.slot(bytes);
        loop {
            let place = self.table.get(slot).copied().unwrap_or_default();
            let Some(place) = place.checked_sub(1) else { return NONE };
            let token = usize::try_from(place).ok().and_then(|place| self.tokens.get(place));
            let Some(token) = token else { return NONE };
            if bytes_of(&self.bytes, token) == Some(bytes) {
                return token.rank;
            }
            slot = self.after(slot);
        }
    }

    fn slot(&self, bytes: &[u8]) -> usize {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(bytes);
        let hash = usize::try_from(hasher.finish() & u64::from(u32::MAX)).unwrap_or_default();
        hash & self.table.len().saturating_sub(1)
    }

    const fn after(&self, slot: usize) -> usize {
        slot.saturating_add(1) & self.table.len().saturating_sub(1)
    }
}

/// How many slots a table for so many tokens has: a power of two, so that half of them are free.
fn table_size(tokens: usize) -> usize {
    tokens.saturating_mul(2).next_power_of_two().max(2)
}

fn bytes_of<'b>(bytes: &'b [u8], token: &Token) -> Option<&'b [u8]> {
    let start = usize::try_from(token.start).ok()?;
    bytes.get(start..)?.get(..usize::try_from(token.length).ok()?)
}

fn pair_index(first: u8, second: u8) -> usize {
    usize::from(u16::from_be_bytes([first, second]))
}
