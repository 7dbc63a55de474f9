//! One error for the whole way.

#[cfg(feature = "pins")]
use crate::pins::PinError;
use cutctx_exec::ApplyError;
#[cfg(feature = "formats")]
use cutctx_formats::FormatError;
use cutctx_invariants::{PolicyError, RecordError};
use cutctx_types::{Code, Coded, Details, InvalidValue};

/// Whatever can go wrong between a transcript and its view. Each case hands its cause through: message, code and
/// details are the cause's own.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value is refused: a turn, a transcript, a budget, a policy's setting.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
    /// No plan came about.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A stored plan cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A plan cannot be applied.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// A pin finds no turn.
    #[cfg(feature = "pins")]
    #[error(transparent)]
    Pin(#[from] PinError),
    /// A session file cannot be read or written back.
    #[cfg(feature = "formats")]
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Error {
    fn cause(&self) -> &dyn Coded {
        match self {
            Self::Invalid(error) => error,
            Self::Policy(error) => error,
            Self::Record(error) => error,
            Self::Apply(error) => error,
            #[cfg(feature = "pins")]
            Self::Pin(error) => error,
            #[cfg(feature = "formats")]
            Self::Format(error) => error,
        }
    }
}

impl Coded for Error {
    fn code(&self) -> Code {
        self.cause().code()
    }

    fn details(&self) -> Details {
        self.cause().details()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_fail_hands_little_around() {
        // A result is as large as its error.
        assert!(size_of::<Error>() <= 96, "{}", size_of::<Error>());
        #[cfg(feature = "formats")]
        assert!(size_of::<FormatError>() <= 96, "{}", size_of::<FormatError>());
    }
}
