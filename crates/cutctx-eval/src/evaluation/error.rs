//! Why there is no evaluation.

use cutctx::types::TranscriptError;
use cutctx::{Code, Coded, Details, InvalidValue};

/// Why there is no evaluation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A contender cannot be built.
    #[error("the policy `{name}` cannot be built: {error}")]
    Contender {
        /// The contender.
        name: String,
        /// Why.
        #[source]
        error: InvalidValue,
    },
    /// The beginning of a session is no transcript. None should be so.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl Coded for EvalError {
    fn code(&self) -> Code {
        match self {
            Self::Contender { error, .. } => error.code(),
            Self::Transcript(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Contender { error, .. } => error.details(),
            Self::Transcript(error) => error.details(),
        }
    }
}
