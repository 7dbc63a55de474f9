//! How far estimates are from what is billed.

use core::fmt;

/// How far an estimator was from the truth where the truth was known, in thousandths.
///
/// The figures come from `cargo xtask tokens` and stand, with what they rest on, in `docs/tokens.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accuracy {
    /// The mean error of a text, in thousandths of its true count.
    pub mean: u32,
    /// The error that 95 of 100 texts stay below, in thousandths of the true count.
    pub p95: u32,
    /// The lowest estimate for any kind of text, in thousandths of the true count; where kinds could not be told apart,
    /// what 95 of 100 texts stay above.
    pub lowest: u32,
    /// What it was measured against.
    pub basis: &'static str,
}

impl Accuracy {
    /// Of counts that are the truth.
    pub const EXACT: Self = Self { mean: 0, p95: 0, lowest: 1_000, basis: "the vocabulary itself" };

    /// The estimate of this many tokens with the error that 95 of 100 texts stay below.
    #[must_use]
    pub const fn estimate(&self, tokens: u64) -> Estimate {
        let margin = tokens.saturating_mul(self.p95 as u64).div_ceil(1_000);
        Estimate { tokens, margin }
    }
}

/// A number of tokens and how far it may be off.
///
/// ```
/// use cutctx_tokens::Accuracy;
/// assert_eq!(Accuracy::EXACT.estimate(120).to_string(), "120");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Estimate {
    /// The number of tokens.
    pub tokens: u64,
    /// How far off 19 of 20 such estimates are at most, in tokens; zero where they are exact.
    pub margin: u64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.margin {
            0 => write!(f, "{}", self.tokens),
            margin => write!(f, "{} ± {margin}", self.tokens),
        }
    }
}
