//! The size of an image, from its first bytes.

use cutctx_messages::Media;

use super::base64;

/// The longest edge that is believed, in pixels: that of the largest JPEG. What claims more is damaged or a trap, and no
/// provider takes it.
const LONGEST_EDGE: u64 = 65_535;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pixels {
    /// Pixels from left to right.
    pub width: u64,
    /// Pixels from top to bottom.
    pub height: u64,
}

impl Pixels {
    /// A size.
    #[must_use]
    pub const fn new(width: u64, height: u64) -> Self {
        Self { width, height }
    }

    /// The size of an image that is in the message; none behind a link, or in a format that is not known.
    ///
    /// A few hundred bytes tell it, mostly. Photographs may carry a preview or a colour profile before it, so more is
    /// decoded where that does not suffice, up to a megabyte.
    #[must_use]
    pub fn of(media: &Media<'_>) -> Option<Self> {
        let data = super::data(media)?;
        [512, 1 << 16, 1 << 20].into_iter().find_map(|most| Self::of_bytes(&base64::prefix(data, most)))
    }

    /// The size of an image of which this is the beginning.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let size = imagesize::blob_size(bytes).ok()?;
        let [width, height] = [size.width, size.height].map(|edge| u64::try_from(edge).unwrap_or(u64::MAX));
        let is_edge = |edge: u64| (1..=LONGEST_EDGE).contains(&edge);
        (is_edge(width) && is_edge(height)).then_some(Self { width, height })
    }

    /// Scaled down, if need be, so that no edge is longer than this.
    pub(crate) const fn within(self, edge: u64) -> Self {
        let longest = if self.width > self.height { self.width } else { self.height };
        self.scaled(edge, longest)
    }

    /// Scaled down, if need be, so that the shorter edge is no longer than this.
    pub(crate) const fn shorter_within(self, edge: u64) -> Self {
        let shortest = if self.width < self.height { self.width } else { self.height };
        self.scaled(edge, shortest)
    }

    /// Times `to / from`, where that is less than one.
    const fn scaled(self, to: u64, from: u64) -> Self {
        if from <= to {
            return self;
        }
        Self { width: portion(self.width, to, from), height: portion(self.height, to, from) }
    }

    /// How many squares of this edge cover it.
    pub(crate) const fn squares(self, edge: u64) -> u64 {
        self.width.div_ceil(edge).saturating_mul(self.height.div_ceil(edge))
    }

    /// Scaled down, if need be, until at most so many squares of this edge cover it.
    pub(crate) fn within_squares(self, edge: u64, most: u64) -> Self {
        if self.squares(edge) <= most {
            return self;
        }
        // The longest edge that still fits, by halving the doubt: fewer than 64 steps.
        let (mut fits, mut not) = (1, self.width.max(self.height));
        while not.saturating_sub(fits) > 1 {
            let middle = fits.midpoint(not);
            if self.within(middle).squares(edge) <= most { fits = middle } else { not = middle }
        }
        self.within(fits)
    }
}

/// `edge * to / from`, rounded to the nearest and at least one.
const fn portion(edge: u64, to: u64, from: u64) -> u64 {
    let doubled = edge.saturating_mul(to).saturating_mul(2).saturating_add(from);
    match doubled.checked_div(from.saturating_mul(2)) {
        None | Some(0) => 1,
        Some(scaled) => scaled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_keeps_the_proportions() {
        assert_eq!(Pixels::new(4_000, 3_000).within(2_048), Pixels::new(2_048, 1_536));
        assert_eq!(Pixels::new(2_048, 1_536).shorter_within(768), Pixels::new(1_024, 768));
        assert_eq!(Pixels::new(10, 20).within(2_048), Pixels::new(10, 20));
    }

    #[test]
    fn a_line_of_one_pixel_stays_one() {
        assert_eq!(Pixels::new(100_000, 1).within(100), Pixels::new(100, 1));
    }

    #[test]
    fn squares_are_rounded_up_and_can_be_bounded() {
        assert_eq!(Pixels::new(1_024, 1_025).squares(32), 32 * 33);
        let scaled = Pixels::new(4_000, 3_000).within_squares(32, 1_536);
        assert!(scaled.squares(32) <= 1_536 && scaled.squares(32) > 1_400, "{scaled:?}");
    }
}
