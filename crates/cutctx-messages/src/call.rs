//! What became of a tool call.

/// What became of a tool call. Each state has its own rule.
///
/// | state | may a plan touch its turn? | what [`normalize`](crate::normalize()) does |
/// |---|---|---|
/// | `Answered` | with its results: dropped or summarized together, each result masked alone | gathers the results |
/// | `InFlight` | no, it is pinned | keeps it and lists it as open |
/// | `AwaitingPerson` | no, it is pinned, however old it is and whoever speaks in between | keeps it and lists it as open |
/// | `Provisional` | no, it is pinned, and with it the results that share its exchange stay | keeps the newest provisional result and lists the call as open; a final result replaces it |
/// | `Aborted` | yes, it may go like any turn | gives it a result that says that it was not completed, or removes it |
/// | `Dangling` | yes, it may go like any turn | as `Aborted` |
/// | `ServerSide` | yes; call and result stand in one message | leaves it alone: it needs no result |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallState {
    /// Its final result is there.
    Answered,
    /// It is the conversation's last act and has no result yet. Calls before it that nobody answered are dangling.
    InFlight,
    /// It waits for a person's consent. Only the file knows that: see [`CallView::in_state`](crate::CallView::in_state).
    AwaitingPerson,
    /// The tool is at work and has said so, by a [provisional](crate::ResultView::provisional) result, or the model is
    /// still writing the call.
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

    /// Whether the call has no result and none is to come, so that most providers would refuse the conversation.
    #[must_use]
    pub const fn lacks_result(self) -> bool {
        matches!(self, Self::Aborted | Self::Dangling)
    }
}

impl Call {
    pub(crate) const fn new(turn: usize, state: CallState) -> Self {
        Self { turn, state }
    }
}
