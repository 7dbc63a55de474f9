//! Vocabularies in the packed form of the crates `splintr-vocab-*`.
//!
//! Eight bytes `SPLNTRV1`, the number of tokens as four bytes with the lowest first; then for each token its rank and
//! its length as LEB128, and its bytes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::ranks::{Rank, Ranks};

const HEADER: usize = 12;

/// Reads a packed vocabulary. What cannot be read ends it; tests hold every token against another reader.
pub(super) fn ranks(packed: &'static [u8]) -> Ranks {
    let mut places = Vec::with_capacity(packed.len() / 9);
    let mut at = HEADER;
    while let Some((start, length, rank)) = token(packed, at) {
        places.push((start, length, rank));
        at = start.saturating_add(length);
    }
    Ranks::new(Cow::Borrowed(packed), &places)
}

fn token(packed: &[u8], at: usize) -> Option<(usize, usize, Rank)> {
    let (rank, at) = number(packed, at)?;
    let (length, at) = number(packed, at)?;
    Some((at, usize::try_from(length).ok()?, rank))
}

fn number(packed: &[u8], mut at: usize) -> Option<(u32, usize)> {
    let mut number = 0_u32;
    for shift in [0, 7, 14, 21, 28] {
        let byte = *packed.get(at)?;
        at = at.saturating_add(1);
        number |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some((number, at));
        }
    }
    None
}
