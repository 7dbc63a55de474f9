//! Why there is no tokenizer of a name.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::{Code, Coded, DetailValue, Details, EstimatorError};

use crate::tokenizer::Tokenizer;

/// Why there is no tokenizer of a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenizerError {
    /// No tokenizer, model or family is called so.
    #[error("no tokenizer is called `{name}`; there are {}", Tokenizer::NAMES.join(", "))]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// The name is known, but its vocabulary was left out of this build.
    #[error("`{name}` needs the feature `{feature}`, which this build does not have")]
    NotBuilt {
        /// The name that was asked for.
        name: String,
        /// The feature of this crate that brings it.
        feature: &'static str,
    },
    /// The characters per token are no usable number.
    #[error(transparent)]
    Ratio(#[from] EstimatorError),
    /// The file cannot be read, or is no tokenizer.
    #[error("{path} cannot be used as a tokenizer: {reason}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Coded for TokenizerError {
    fn code(&self) -> Code {
        match self {
            Self::Unknown { .. } => Code::new("TOKENIZER_UNKNOWN"),
            Self::NotBuilt { .. } => Code::new("TOKENIZER_NOT_BUILT"),
            Self::Ratio(error) => error.code(),
            Self::File { .. } => Code::new("TOKENIZER_FILE"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Unknown { name } => Details::none().with("name", name.clone()).with("known", known()),
            Self::NotBuilt { name, feature } => {
                Details::none().with("name", name.clone()).with("feature", *feature)
            }
            Self::Ratio(error) => error.details(),
            Self::File { path, reason } => {
                Details::none().with("path", path.clone()).with("reason", reason.clone())
            }
        }
    }
}

fn known() -> DetailValue {
    let names: Vec<Arc<str>> = Tokenizer::NAMES.iter().map(|name| Arc::from(*name)).collect();
    DetailValue::from(names)
}
