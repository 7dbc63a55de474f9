//! A bad value, whichever type refused it.

use crate::action::ActionError;
use crate::budget::BudgetError;
use crate::canonical::CanonicalError;
use crate::code::{Code, Coded, DetailValue, Details};
use crate::estimator::EstimatorError;
use crate::request::RequestError;
use crate::transcript::TranscriptError;
use crate::turn::TurnError;

/// A value that its type, or a policy's constructor, refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidValue {
    /// A turn.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// A budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// An action.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// A summarization request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// An estimator.
    #[error(transparent)]
    Estimator(#[from] EstimatorError),
    /// A value that canonical JSON cannot hold.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    /// A policy's setting.
    #[error("the setting `{setting}` {reason}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// The value as the details show it; `None` when there is nothing to show.
        value: Option<DetailValue>,
        /// What is wrong with it, to follow its name in a sentence.
        reason: &'static str,
    },
    /// A sum or a product of tokens that does not fit 64 bits.
    #[error("{quantity} does not fit 64 bits")]
    Overflow {
        /// What was being computed.
        quantity: &'static str,
    },
}

impl Coded for InvalidValue {
    fn code(&self) -> Code {
        match self {
            Self::Turn(error) => error.code(),
            Self::Transcript(error) => error.code(),
            Self::Budget(error) => error.code(),
            Self::Action(error) => error.code(),
            Self::Request(error) => error.code(),
            Self::Estimator(error) => error.code(),
            Self::Canonical(error) => error.code(),
            Self::Setting { .. } => Code::VALIDATION_ERROR,
            Self::Overflow { .. } => Code::TOKEN_OVERFLOW,
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Turn(error) => error.details(),
            Self::Transcript(error) => error.details(),
            Self::Budget(error) => error.details(),
            Self::Action(error) => error.details(),
            Self::Request(error) => error.details(),
            Self::Estimator(error) => error.details(),
            Self::Canonical(error) => error.details(),
            Self::Setting { setting, value: Some(value), .. } => Details::none().with(setting, value.clone()),
            Self::Setting { value: None, .. } => Details::none(),
            Self::Overflow { quantity } => Details::none().with("quantity", *quantity),
        }
    }
}
