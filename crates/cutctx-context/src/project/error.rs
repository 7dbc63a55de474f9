//! Why messages cannot be shown.

use cutctx_messages::{ContextError, MessageError};
use cutctx_types::{Code, Coded, Details};

use crate::setting::SettingError;

/// Why a list of messages has no projection. It shows no text of a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectionError {
    /// The messages, or what is left of them, are not well formed.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// No end of the list is short enough and well formed.
    #[error("no {max_messages} messages at the end stand without a tool round that is cut")]
    CannotTrim {
        /// The most messages there may be.
        max_messages: usize,
    },
    /// A message holds something that says that it is a file and is none.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A setting is refused.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl Coded for ProjectionError {
    fn code(&self) -> Code {
        match self {
            Self::Context(error) => error.code(),
            Self::CannotTrim { .. } => Code::new("CANNOT_TRIM"),
            Self::Message(error) => error.code(),
            Self::Setting(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Context(error) => error.details(),
            Self::CannotTrim { max_messages } => Details::none().with("max_messages", *max_messages),
            Self::Message(error) => error.details(),
            Self::Setting(error) => error.details(),
        }
    }
}
