//! Why a replay fails.

use cutctx::{Code, Coded, Details, Error, InvalidValue};

/// Why a replay fails.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A policy cannot be built, or the limits contradict each other.
    #[error("{policy}: {error}")]
    Refused {
        /// What it is called.
        policy: String,
        /// Why.
        #[source]
        error: InvalidValue,
    },
    /// The oracle knows the future of one cut, not that of a loop.
    #[error("`{policy}` cannot be replayed: it knows what follows one cut, not a loop")]
    NoLoop {
        /// What it is called.
        policy: String,
    },
    /// A compaction failed, and not because what must be kept is above the limit.
    #[error("`{policy}` fails on `{session}`: {error}")]
    Failed {
        /// The session.
        session: String,
        /// The policy.
        policy: String,
        /// Why.
        #[source]
        error: Box<Error>,
    },
    /// A request differs from the one before it although nothing was compacted in between.
    #[error(
        "`{policy}` changes turn {position} of `{session}` at request {request} although nothing is compacted"
    )]
    Unstable {
        /// The session.
        session: String,
        /// The policy.
        policy: String,
        /// The request, from 0.
        request: usize,
        /// The position of the first turn that differs.
        position: usize,
    },
}

impl Coded for ReplayError {
    fn code(&self) -> Code {
        match self {
            Self::Refused { error, .. } => error.code(),
            Self::NoLoop { .. } => Code::new("REPLAY_NO_LOOP"),
            Self::Failed { error, .. } => error.code(),
            Self::Unstable { .. } => Code::new("REPLAY_UNSTABLE"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Refused { error, .. } => error.details(),
            Self::NoLoop { policy } => Details::none().with("policy", policy.as_str()),
            Self::Failed { error, .. } => error.details(),
            Self::Unstable { session, policy, request, position } => Details::none()
                .with("session", session.as_str())
                .with("policy", policy.as_str())
                .with("request", *request)
                .with("position", *position),
        }
    }
}
