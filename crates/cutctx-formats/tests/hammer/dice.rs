//! Numbers from a seed, the same on every machine.

/// A generator of numbers (a Weyl sequence through a mixing function).
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// A generator for a case: the file's name and the seed.
    pub(crate) fn new(name: &str, seed: u64) -> Self {
        let of_name =
            name.bytes().fold(seed, |sum, byte| sum.wrapping_mul(257).wrapping_add(u64::from(byte)));
        Self(of_name)
    }

    /// A number below `sides`; 0 where there is none.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0x7FB5_D329_728E_A185);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x81DA_DEF4_BC2D_D44D);
        usize::try_from((mixed ^ (mixed >> 33)) >> 32).unwrap().checked_rem(sides).unwrap_or(0)
    }

    /// A range of at most `most` bytes of `length`.
    pub(crate) fn range(&mut self, length: usize, most: usize) -> core::ops::Range<usize> {
        let start = self.roll(length + 1);
        let end = (start + self.roll(most + 1)).min(length);
        start..end
    }
}
