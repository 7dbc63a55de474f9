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
    pub(super) fn estimate(&self, text: &str) -> Result<u64, InvalidValue> {
        match self {
            Self::Own => Ok(CharRatioEstimator::default().estimate(text)),
            Self::Injected(estimator) => Ok(estimator.estimate(text)),
            Self::BelowZero(token_estimate) => {
                Err(ActionError::NegativeTokens { token_estimate: *token_estimate }.into())
            }
        }
    }

    /// Characters per token, if it is nothing but such a ratio.
    pub(super) fn ratio(&self) -> Option<f64> {
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
