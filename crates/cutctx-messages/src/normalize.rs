//! Making a list of messages well formed.

mod change;
mod fates;
mod outline;
mod rebuild;
mod weave;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::rounds::RoundMessage;
use crate::text::DurableText;

pub use change::{Change, ChangeKind, Conflict, ConflictKind, OpenCall};
use fates::Fates;
use outline::Outline;
use weave::Weave;

/// Makes a list of messages well formed in the sense of [`check_context`](crate::check_context), and tells everything
/// that it changes.
///
/// Results belong to calls as the mapper pairs them: to the nearest earlier call of their id that has none yet. Then:
///
/// * **Results** of one message's calls are gathered in one message right behind it. Of several final
///   results the first is kept; a final one replaces provisional ones, and of these the newest is kept. Results that
///   answer no call are removed.
/// * **Calls** that were split over messages are put together: what the assistant says while none of its open calls has
///   a result is one message. A second call of one id in such a message begins a new one.
/// * **Dangling calls**, aborted ones among them, get a result that says so, or are removed: see
///   [`Self::removing_dangling`].
/// * **Pending calls** (in flight, awaiting a person, provisional) stay and are listed as open, so the list is well
///   formed but for them; [`Self::closing_pending`] gives them a result that says that they were not completed.
/// * **Pinned messages** lose nothing. What would have to go stays and is listed as a conflict, and the list is well
///   formed but for it. A dangling call in a pinned message gets a result.
///
/// A list that is well formed comes back as it was, and doing it twice is doing it once. It takes one pass, times the
/// logarithm of the number of calls.
///
/// ```
/// use cutctx_messages::{CallView, ChangeKind, MessageView, Normalizer, PartView, check_context};
/// use cutctx_types::Role;
///
/// let call = PartView::ToolCall(CallView::new("call_1", "measure", "{}"));
/// let messages = vec![
///     MessageView::new(Role::Assistant, vec![call]),
///     MessageView::new(Role::User, vec![PartView::text("never mind")]),
/// ];
/// let normalized = Normalizer::new().run(messages);
/// assert_eq!(check_context(&normalized.messages), Ok(()));
/// assert_eq!(normalized.changes[0].kind, ChangeKind::CompletedCall);
/// ```
#[derive(Debug, Clone)]
pub struct Normalizer {
    not_completed: DurableText,
    removes_dangling: bool,
    closes_pending: bool,
    pinned: BTreeSet<usize>,
}

/// What the result of a call says that was not completed.
const NOT_COMPLETED: &str = "This call was not completed: no result was recorded.";

/// A list made well formed, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Normalized<M> {
    /// The messages.
    pub messages: Vec<M>,
    /// What was changed, in order of the messages given.
    pub changes: Vec<Change>,
    /// The calls that still wait for their final result.
    pub open: Vec<OpenCall>,
    /// What pins kept from being changed.
    pub conflicts: Vec<Conflict>,
}

impl Normalizer {
    /// Completes dangling calls and keeps pending ones.
    #[must_use]
    pub fn new() -> Self {
        let not_completed = DurableText::new(NOT_COMPLETED).unwrap_or_else(|_| DurableText::empty());
        Self { not_completed, removes_dangling: false, closes_pending: false, pinned: BTreeSet::new() }
    }

    /// Removes dangling calls, instead of giving them a result. A message that says nothing else goes with them.
    #[must_use]
    pub const fn removing_dangling(mut self) -> Self {
        self.removes_dangling = true;
        self
    }

    /// Gives pending calls without any result one that says that they were not completed: for a list that must be
    /// sent now.
    #[must_use]
    pub const fn closing_pending(mut self) -> Self {
        self.closes_pending = true;
        self
    }

    /// What the results of calls say that were not completed.
    #[must_use]
    pub fn saying(mut self, text: DurableText) -> Self {
        self.not_completed = text;
        self
    }

    /// Pins these messages, by index, besides those that are pinned themselves. Views among them come back pinned.
    #[must_use]
    pub fn pinning(mut self, messages: impl IntoIterator<Item = usize>) -> Self {
        self.pinned.extend(messages);
        self
    }

    /// Makes a list well formed.
    #[must_use]
    pub fn run<M: RoundMessage>(&self, messages: Vec<M>) -> Normalized<M> {
        let woven = {
            let outline = Outline::new(&messages, &self.pinned);
            let fates = Fates::new(&outline, self.removes_dangling, self.closes_pending);
            Weave::new(&outline, &fates).run()
        };
        let (drafts, mut changes, open, conflicts) = woven;
        changes.sort_by_key(|change| change.message);
        let messages = rebuild::rebuild(messages, drafts, &self.not_completed);
        Normalized { messages, changes, open, conflicts }
    }
}

impl Default for Normalizer {
    fn default() -> Self {
        Self::new()
    }
}

/// Makes a list of messages well formed with the usual settings: see [`Normalizer`].
#[must_use]
pub fn normalize<M: RoundMessage>(messages: Vec<M>) -> Normalized<M> {
    Normalizer::new().run(messages)
}
