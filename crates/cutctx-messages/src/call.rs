//! What became of a tool call.

/// What became of a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallState {
    /// Its result is there.
    Answered,
    /// It is the conversation's last act and has no result yet. Its turn is pinned: a plan must not touch it.
    InFlight,
    /// It waits for a person's consent.
    AwaitingPerson,
    /// The model is still writing it.
    Provisional,
    /// It was stopped, and the file says so.
    Aborted,
    /// It has no result and the conversation went on without one.
    Dangling,
    /// The provider ran it; its result stands in the same message.
    ServerSide,
}

/// One call and its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// Index of the turn that made the call.
    pub turn: usize,
    /// What became of it.
    pub state: CallState,
}

impl CallState {
    /// Whether a plan must not touch the call's turn, because its result is still to come.
    #[must_use]
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::InFlight | Self::AwaitingPerson | Self::Provisional)
    }
}

impl Call {
    pub(crate) const fn new(turn: usize, state: CallState) -> Self {
        Self { turn, state }
    }
}
