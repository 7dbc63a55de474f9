//! Estimators as JSON spells them.

use super::number::{Bits, Float, double};
use crate::masking::Estimator;
use alloc::borrow::Cow;
use alloc::format;
use alloc::sync::Arc;
use cutctx_types::{CharRatioEstimator, DetailValue, InvalidValue, TokenEstimator};
use serde::{Deserialize, Serialize};

/// An estimator, unchecked.
///
/// ```
/// use cutctx_policies::{EstimatorSpec, PolicySpec};
/// let json = r#"{"kind":"masking","estimator":{"kind":"char_ratio","chars_per_token":3.5}}"#;
/// let PolicySpec::Masking(masking) = serde_json::from_str(json)? else { panic!("another kind") };
/// assert_eq!(masking.estimator, Some(EstimatorSpec::CharRatio { chars_per_token: Some(3.5) }));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WireEstimator", tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EstimatorSpec {
    /// So many characters (code points) a token; four when absent.
    CharRatio {
        /// Characters a token.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "super::number::write_float")]
        chars_per_token: Option<f64>,
    },
    /// Always the same number of tokens; for tests.
    Fixed {
        /// The number.
        tokens: i128,
    },
    /// Characters (code points) divided by a number, rounded down; for tests.
    LenDiv {
        /// The number.
        divisor: i128,
    },
}

impl EstimatorSpec {
    pub(super) fn build(&self) -> Result<Estimator, InvalidValue> {
        Ok(match *self {
            Self::CharRatio { chars_per_token: None } => injected(CharRatioEstimator::default()),
            Self::CharRatio { chars_per_token: Some(ratio) } => injected(CharRatioEstimator::new(ratio)?),
            Self::Fixed { tokens } if tokens < 0 => Estimator::BelowZero(tokens),
            Self::Fixed { tokens } => injected(Fixed { tokens: u64::try_from(tokens).unwrap_or(u64::MAX) }),
            Self::LenDiv { divisor } if divisor < 1 => {
                let value = Some(DetailValue::from(divisor));
                return Err(InvalidValue::Setting { setting: "divisor", value, reason: "is below one" });
            }
            Self::LenDiv { divisor } => {
                injected(LenDiv { divisor: u64::try_from(divisor).unwrap_or(u64::MAX) })
            }
        })
    }
}

fn injected(estimator: impl TokenEstimator + 'static) -> Estimator {
    Estimator::Injected(Arc::new(estimator))
}

/// An estimator as JSON has it: the members of all kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireEstimator {
    kind: EstimatorKind,
    chars_per_token: Option<Float>,
    chars_per_token_bits: Option<Bits>,
    tokens: Option<i128>,
    divisor: Option<i128>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum EstimatorKind {
    CharRatio,
    Fixed,
    LenDiv,
}

impl TryFrom<WireEstimator> for EstimatorSpec {
    type Error = &'static str;

    fn try_from(wire: WireEstimator) -> Result<Self, &'static str> {
        let chars_per_token = double(wire.chars_per_token, wire.chars_per_token_bits);
        match (wire.kind, chars_per_token, wire.tokens, wire.divisor) {
            (EstimatorKind::CharRatio, chars_per_token, None, None) => {
                Ok(Self::CharRatio { chars_per_token })
            }
            (EstimatorKind::Fixed, None, Some(tokens), None) => Ok(Self::Fixed { tokens }),
            (EstimatorKind::LenDiv, None, None, Some(divisor)) => Ok(Self::LenDiv { divisor }),
            _ => Err("an estimator lacks a member of its kind, or has one of another kind"),
        }
    }
}

/// Always the same number.
struct Fixed {
    tokens: u64,
}

impl TokenEstimator for Fixed {
    fn estimate(&self, _: &str) -> u64 {
        self.tokens
    }

    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(format!("fixed/{}", self.tokens))
    }
}

/// Characters divided by a number above zero, rounded down.
struct LenDiv {
    divisor: u64,
}

impl TokenEstimator for LenDiv {
    fn estimate(&self, text: &str) -> u64 {
        let characters = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        characters.checked_div(self.divisor).unwrap_or(u64::MAX)
    }

    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(format!("len-div/{}", self.divisor))
    }
}
