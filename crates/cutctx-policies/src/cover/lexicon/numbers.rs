//! Lists of numbers in little room.

use alloc::vec::Vec;
use core::ops::Range;

/// How many bits of a number a byte holds; the highest bit says that more follow.
const BITS: u32 = 7;
const MORE: u8 = 1 << 7;

/// How many bytes of text there are to a byte of these numbers, about.
const BYTES_OF_TEXT: usize = 7;

/// Numbers one behind the other, small ones in fewer bytes. Names are numbered as they are met, and those that are met early
/// are often those that come again.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<u8>);

impl Numbers {
    /// None yet, with room for the names of a text of so many bytes.
    pub(super) fn for_text(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes / BYTES_OF_TEXT))
    }

    /// How many bytes they take.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn push(&mut self, number: u32) {
        let mut rest = number;
        loop {
            let [lowest, ..] = rest.to_le_bytes();
            let low = lowest & !MORE;
            rest >>= BITS;
            if rest == 0 {
                self.0.push(low);
                return;
            }
            self.0.push(low | MORE);
        }
    }

    /// The numbers in a stretch of bytes.
    pub(super) fn within(&self, bytes: Range<usize>) -> impl Iterator<Item = u32> {
        let mut bytes = self.0.get(bytes).unwrap_or_default().iter();
        core::iter::from_fn(move || {
            let (mut number, mut shift) = (0_u32, 0_u32);
            loop {
                let byte = *bytes.next()?;
                number |= u32::from(byte & !MORE).checked_shl(shift).unwrap_or(0);
                if byte < MORE {
                    return Some(number);
                }
                shift = shift.saturating_add(BITS);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_numbers_take_little_room() {
        let mut numbers = Numbers::default();
        for (number, end) in [(0, 1), (127, 2), (128, 4), (16_383, 6), (16_384, 9), (u32::MAX, 14)] {
            numbers.push(number);
            assert_eq!(numbers.len(), end, "{number}");
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back_as_they_were(list in proptest::collection::vec(any::<u32>(), 0..40), small in 0_u32..300) {
            let mut numbers = Numbers::for_text(70);
            numbers.push(small);
            let start = numbers.len();
            for number in &list {
                numbers.push(*number);
            }
            prop_assert_eq!(numbers.within(0..start).collect::<Vec<u32>>(), [small]);
            prop_assert_eq!(numbers.within(start..numbers.len()).collect::<Vec<u32>>(), list);
        }
    }
}
