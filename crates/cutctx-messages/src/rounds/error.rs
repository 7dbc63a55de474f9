//! Why a list of messages is not well formed.

use cutctx_types::{Code, Coded, Details};

/// Why a list of messages cannot be sent. Indexes count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// There are no messages.
    #[error("there are no messages")]
    Empty,
    /// Calls are followed by something that is not their results.
    #[error("message {message} stands where the results of the calls before it should")]
    CallsWithoutResults {
        /// What stands there.
        message: usize,
    },
    /// A call is answered twice in one message.
    #[error("message {message} answers a call twice")]
    DuplicateResultIds {
        /// The message.
        message: usize,
    },
    /// The results are not those of the calls before them: some are missing, or some answer no call.
    #[error("the results of message {message} are not those of the calls before it")]
    ResultIdsMismatch {
        /// The message.
        message: usize,
    },
    /// A result answers no call.
    #[error("message {message} answers no call")]
    OrphanResult {
        /// The message.
        message: usize,
    },
    /// Two calls of one message have the same id.
    #[error("message {message} has two calls of one id")]
    DuplicateCallIds {
        /// The message.
        message: usize,
    },
    /// The last message calls, and nothing follows.
    #[error("the calls of message {message}, the last, have no results")]
    DanglingCalls {
        /// The message.
        message: usize,
    },
}

impl ContextError {
    /// The message at fault.
    #[must_use]
    pub const fn message(self) -> Option<usize> {
        match self {
            Self::Empty => None,
            Self::CallsWithoutResults { message }
            | Self::DuplicateResultIds { message }
            | Self::ResultIdsMismatch { message }
            | Self::OrphanResult { message }
            | Self::DuplicateCallIds { message }
            | Self::DanglingCalls { message } => Some(message),
        }
    }
}

impl Coded for ContextError {
    fn code(&self) -> Code {
        match self {
            Self::Empty => Code::new("EMPTY_CONTEXT"),
            Self::CallsWithoutResults { .. } => Code::new("CALLS_WITHOUT_RESULTS"),
            Self::DuplicateResultIds { .. } => Code::new("DUPLICATE_RESULT_IDS"),
            Self::ResultIdsMismatch { .. } => Code::new("RESULT_IDS_MISMATCH"),
            Self::OrphanResult { .. } => Code::new("ORPHAN_RESULT"),
            Self::DuplicateCallIds { .. } => Code::new("DUPLICATE_CALL_IDS"),
            Self::DanglingCalls { .. } => Code::new("DANGLING_CALLS"),
        }
    }

    fn details(&self) -> Details {
        self.message().map_or_else(Details::none, |message| Details::none().with("message", message))
    }
}
