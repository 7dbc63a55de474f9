//! What measures the stubs.

use alloc::sync::Arc;
use core::fmt;
use cutctx_types::{ActionError, CharRatioEstimator, InvalidValue, TokenEstimator};

/// What measures the stubs of a masking policy.
#[derive(Clone)]
pub(crate) enum Estimator {
    /// The policy's own: four characters a token.
    Own,
    /// One that the application injected.
    Injected(Arc<dyn TokenEstimator>),
    /// One that always answers with this number below zero: a way to write a test of the refusal.
    BelowZero(i128),
}

impl Estimator {
    /// What a text costs, in tokens.
    pub(crate) fn estimate(&self, text: &str) -> Result<u64, InvalidValue> {
        match self {
            Self::Own => Ok(CharRatioEstimator::default().estimate(text)),
            Self::Injected(estimator) => Ok(estimator.estimate(text)),
            Self::BelowZero(token_estimate) => {
                Err(ActionError::NegativeTokens { token_estimate: *token_estimate }.into())
            }
        }
    }

    /// A measure that is proportional to tokens: characters for a ratio, without its rounding, and else tokens.
    pub(crate) fn measure(&self, text: &str) -> Result<u64, InvalidValue> {
        match self.ratio() {
            Some(_) => Ok(u64::try_from(text.chars().count()).unwrap_or(u64::MAX)),
            None => self.estimate(text),
        }
    }

    /// Characters per token, if it is nothing but such a ratio.
    pub(crate) fn ratio(&self) -> Option<f64> {
        match self {
            Self::Own => CharRatioEstimator::default().ratio(),
            Self::Injected(estimator) => estimator.ratio().filter(|ratio| ratio.is_finite()),
            Self::BelowZero(_) => None,
        }
    }

    /// Whether it is the policy's own.
    pub(super) const fn is_own(&self) -> bool {
        matches!(self, Self::Own)
    }
}

impl fmt::Debug for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("Own"),
            Self::Injected(estimator) => f.debug_tuple("Injected").field(&estimator.name()).finish(),
            Self::BelowZero(tokens) => f.debug_tuple("BelowZero").field(tokens).finish(),
        }
    }
}
