//! Counting the tokens of a text.

use crate::canonical::float_repr;
use crate::code::{Code, Coded, Details};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

/// Counts the tokens of a text: the seam for tokenizers.
///
/// An estimator is pure: the same text gives the same number, always. Numbers too large for 64 bits
/// saturate.
pub trait TokenEstimator: Send + Sync {
    /// The estimate for this text, in tokens.
    fn estimate(&self, text: &str) -> u64;

    /// A short name for outputs, such as `chars/4`.
    fn name(&self) -> Cow<'_, str>;

    /// Characters per token, for estimators that are nothing but this ratio.
    fn ratio(&self) -> Option<f64> {
        None
    }
}

/// Estimates one token for every so many characters, rounded up; nothing for an empty text.
///
/// ```
/// use cutctx_types::{CharRatioEstimator, TokenEstimator};
/// let estimator = CharRatioEstimator::new(4.0)?;
/// assert_eq!(estimator.estimate("five!"), 2);
/// # Ok::<(), cutctx_types::EstimatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CharRatioEstimator {
    chars_per_token: f64,
}

impl CharRatioEstimator {
    /// An estimator of this many characters (code points) a token.
    ///
    /// # Errors
    ///
    /// [`EstimatorError::Ratio`] when the ratio is not finite or not above zero.
    pub fn new(chars_per_token: f64) -> Result<Self, EstimatorError> {
        if chars_per_token.is_finite() && chars_per_token > 0.0 {
            Ok(Self { chars_per_token })
        } else {
            Err(EstimatorError::Ratio { chars_per_token: float_repr(chars_per_token) })
        }
    }

    /// Characters (code points) a token.
    #[must_use]
    pub const fn chars_per_token(&self) -> f64 {
        self.chars_per_token
    }
}

impl Default for CharRatioEstimator {
    /// Four characters a token.
    fn default() -> Self {
        Self { chars_per_token: 4.0 }
    }
}

impl TokenEstimator for CharRatioEstimator {
    fn estimate(&self, text: &str) -> u64 {
        ceil_of_quotient(text.chars().count(), self.chars_per_token)
    }

    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(format!("chars/{}", self.chars_per_token))
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.chars_per_token)
    }
}

/// `ceil(characters / ratio)` by one double division; `core` has no `ceil`.
#[expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the formula is defined in doubles; casts from a double saturate, which is meant"
)]
fn ceil_of_quotient(characters: usize, ratio: f64) -> u64 {
    let quotient = characters as f64 / ratio;
    let whole = quotient as u64;
    if quotient > whole as f64 { whole.saturating_add(1) } else { whole }
}

/// Why an estimator cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EstimatorError {
    /// The ratio is not finite or not above zero.
    #[error("{chars_per_token} characters a token make no estimator")]
    Ratio {
        /// The ratio as text.
        chars_per_token: String,
    },
}

impl Coded for EstimatorError {
    fn code(&self) -> Code {
        Code::VALIDATION_ERROR
    }

    fn details(&self) -> Details {
        let Self::Ratio { chars_per_token } = self;
        Details::none().with("chars_per_token", chars_per_token.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_code_points_and_rounding_is_up() {
        let estimator = CharRatioEstimator::default();
        for (text, tokens) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("日本語日本", 2)] {
            assert_eq!(estimator.estimate(text), tokens, "{text}");
        }
    }

    #[test]
    fn a_tiny_ratio_saturates() {
        let estimator = CharRatioEstimator::new(5e-324).unwrap();
        assert_eq!(estimator.estimate("a"), u64::MAX);
        assert_eq!(estimator.estimate(""), 0);
    }

    #[test]
    fn ratios_that_are_no_ratio_are_shown_as_text() {
        for (ratio, shown) in
            [(0.0, "0.0"), (-0.0, "-0.0"), (f64::NAN, "nan"), (f64::INFINITY, "inf"), (-1e-300, "-1e-300")]
        {
            let error = CharRatioEstimator::new(ratio).unwrap_err();
            assert_eq!(error, EstimatorError::Ratio { chars_per_token: shown.into() });
        }
    }
}
