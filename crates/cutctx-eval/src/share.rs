//! Parts of a whole, without floating point.

use core::fmt;
use serde::{Serialize, Serializer};

/// A part of a whole or a difference of two, in millionths.
///
/// It is shown in per cent with one digit, and serialized in per cent with two.
///
/// ```
/// use cutctx_eval::Share;
/// assert_eq!(Share::of(2, 3).unwrap().to_string(), "66.7");
/// assert_eq!(serde_json::to_string(&Share::of(2, 3)).unwrap(), "66.67");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Share(i64);

impl Share {
    /// The whole.
    pub const WHOLE: Self = Self(1_000_000);

    /// So many of so many; `None` of none.
    #[must_use]
    pub fn of(part: usize, whole: usize) -> Option<Self> {
        let part = i128::try_from(part).ok()?.saturating_mul(1_000_000);
        let whole = i128::try_from(whole).ok()?;
        rounded(part, whole).map(Self)
    }

    /// So many tokens of so many; `None` of none.
    #[must_use]
    pub fn of_tokens(part: u64, whole: u64) -> Option<Self> {
        rounded(i128::from(part).saturating_mul(1_000_000), i128::from(whole)).map(Self)
    }

    /// So many per cent.
    #[must_use]
    pub fn percent(percent: u32) -> Self {
        Self(i64::from(percent).saturating_mul(10_000))
    }

    /// So many millionths.
    #[must_use]
    pub const fn millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// The share in millionths.
    #[must_use]
    pub const fn to_millionths(self) -> i64 {
        self.0
    }

    /// This share of a number of tokens, rounded down.
    #[must_use]
    pub fn of_these(self, tokens: u64) -> u64 {
        let part = i128::from(tokens).saturating_mul(i128::from(self.0)) / 1_000_000;
        u64::try_from(part.max(0)).unwrap_or(u64::MAX)
    }

    /// The difference to another share.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The mean of some shares; `None` of none.
    #[must_use]
    pub fn mean(shares: &[Self]) -> Option<Self> {
        let sum = shares.iter().fold(0_i128, |sum, share| sum.saturating_add(i128::from(share.0)));
        rounded(sum, i128::try_from(shares.len()).ok()?).map(Self)
    }

    /// In per cent with so many digits behind the point, half away from zero.
    #[must_use]
    pub fn to_percent(self, digits: u32) -> String {
        let unit = 10_i128.saturating_pow(4_u32.saturating_sub(digits.min(4)));
        let units = rounded(i128::from(self.0), unit).unwrap_or_default();
        let sign = if units < 0 { "-" } else { "" };
        let scale = 10_u64.saturating_pow(digits.min(4));
        let units = units.unsigned_abs();
        let whole = units.checked_div(scale).unwrap_or(units);
        let rest = units.checked_rem(scale).unwrap_or_default();
        if digits == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{rest:0width$}", width = usize::try_from(digits.min(4)).unwrap_or(1))
    }
}

/// The nearest whole number to a quotient, half away from zero.
fn rounded(part: i128, whole: i128) -> Option<i64> {
    let half = whole.checked_div(2)?;
    let shifted = if part < 0 { part.saturating_sub(half) } else { part.saturating_add(half) };
    i64::try_from(shifted.checked_div(whole)?).ok()
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_percent(1))
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let percent = self.to_percent(2);
        serializer.serialize_f64(percent.parse().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_none() {
        assert_eq!(Share::of(1, 0), None);
        assert_eq!(Share::mean(&[]), None);
    }

    #[test]
    fn per_cent_are_rounded_half_away_from_zero() {
        for (millionths, one, none) in [
            (666_667, "66.7", "67"),
            (-45_000, "-4.5", "-5"),
            (500, "0.1", "0"),
            (-400, "0.0", "0"),
            (0, "0.0", "0"),
        ] {
            let share = Share::millionths(millionths);
            assert_eq!((share.to_percent(1).as_str(), share.to_percent(0).as_str()), (one, none));
        }
    }

    #[test]
    fn shares_of_tokens_do_not_overflow() {
        assert_eq!(Share::WHOLE.of_these(u64::MAX), u64::MAX);
        assert_eq!(Share::percent(35).of_these(1_001), 350);
        assert_eq!(Share::of_tokens(u64::MAX, u64::MAX), Some(Share::WHOLE));
    }
}
