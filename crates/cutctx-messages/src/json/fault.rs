//! Why a value is not durable.

use cutctx_types::{Code, Coded, Details};

/// Why a JSON value cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum DurableError {
    /// A text or a key holds U+0000.
    #[error("a text holds the null character")]
    NulCharacter,
    /// A whole number does not fit a signed integer of 64 bits.
    #[error("a whole number does not fit 64 bits with a sign")]
    IntegerOutOfRange,
    /// A number is infinite or none at all.
    #[error("a number is not finite")]
    NonFiniteNumber,
    /// Arrays and objects stand in each other too deeply.
    #[error("a value is nested deeper than {levels} levels")]
    NestingTooDeep {
        /// The most levels there may be.
        levels: usize,
    },
    /// The value is too long when it is written.
    #[error("a value is longer than {limit} bytes of JSON")]
    JsonValueTooLarge {
        /// The most bytes there may be.
        limit: usize,
    },
    /// The value is made of too many values.
    #[error("a value is made of more than {limit} values")]
    TooManyJsonNodes {
        /// The most values there may be, counting the value itself and all within it.
        limit: usize,
    },
    /// Something that JSON does not have, such as bytes.
    #[error("a value is of a type that JSON does not have")]
    InvalidJsonType,
}

impl Coded for DurableError {
    fn code(&self) -> Code {
        match self {
            Self::NulCharacter => Code::new("NUL_CHARACTER"),
            Self::IntegerOutOfRange => Code::new("INTEGER_OUT_OF_RANGE"),
            Self::NonFiniteNumber => Code::new("NON_FINITE_NUMBER"),
            Self::NestingTooDeep { .. } => Code::new("NESTING_TOO_DEEP"),
            Self::JsonValueTooLarge { .. } => Code::new("JSON_VALUE_TOO_LARGE"),
            Self::TooManyJsonNodes { .. } => Code::new("TOO_MANY_JSON_NODES"),
            Self::InvalidJsonType => Code::new("INVALID_JSON_TYPE"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::NestingTooDeep { levels } => Details::none().with("levels", *levels),
            Self::JsonValueTooLarge { limit } | Self::TooManyJsonNodes { limit } => {
                Details::none().with("limit", *limit)
            }
            Self::NulCharacter | Self::IntegerOutOfRange | Self::NonFiniteNumber | Self::InvalidJsonType => {
                Details::none()
            }
        }
    }
}
