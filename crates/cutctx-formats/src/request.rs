//! What a format is asked for when it reads a file.

use core::fmt;

use cutctx_messages::{MessageEstimator, MessageView};

use crate::error::{FormatError, Place};
use crate::marker::Marker;
use crate::opening::Opening;
use crate::raw::Span;
use crate::usage::Usage;

/// How a file is to be read.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ReadRequest<'r> {
    /// Counts tokens.
    pub estimator: &'r dyn MessageEstimator,
    /// Which conversation of a file that holds several, from 0; `None` where the file must hold just one.
    pub conversation: Option<usize>,
    /// Sees every message of the conversation as the format understands it.
    pub observer: Option<&'r dyn Observer>,
    /// Hears of the file before its first message is read.
    pub opening: Option<&'r dyn Fn(&Opening<'_>)>,
}

/// Sees the messages of a conversation while they are read, in order: what checks and conversions work on.
pub trait Observer {
    /// One message. Its texts are borrowed from the file.
    fn message(&self, seen: &Seen<'_>);

    /// What the provider counted for the request that produced the message seen last. Told for messages of the context
    /// whose file says so, and only where it still is about what the transcript holds: not from before a compaction.
    fn usage(&self, usage: &Usage) {
        let _ = usage;
    }

    /// The record of an earlier compaction, told once it is known which turn says its summary.
    fn marker(&self, marker: &Marker) {
        let _ = marker;
    }
}

/// Two that see the same messages.
pub(crate) struct Both<'o>(pub(crate) &'o dyn Observer, pub(crate) &'o dyn Observer);

impl Observer for Both<'_> {
    fn message(&self, seen: &Seen<'_>) {
        self.0.message(seen);
        self.1.message(seen);
    }

    fn usage(&self, usage: &Usage) {
        self.0.usage(usage);
        self.1.usage(usage);
    }

    fn marker(&self, marker: &Marker) {
        self.0.marker(marker);
        self.1.marker(marker);
    }
}

/// A message and where it stands.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Seen<'s> {
    /// What it says.
    pub message: &'s MessageView<'s>,
    /// Where it begins in the file, and where its first record ends.
    pub span: Span,
    /// The first of its turns; the next message's first turn ends them.
    pub first_turn: usize,
}

impl fmt::Debug for ReadRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadRequest").field("conversation", &self.conversation).finish_non_exhaustive()
    }
}

impl<'r> ReadRequest<'r> {
    /// A request for the one conversation of a file, counted by this estimator.
    #[must_use]
    pub fn new(estimator: &'r dyn MessageEstimator) -> Self {
        Self { estimator, conversation: None, observer: None, opening: None }
    }

    /// For this conversation of the file, from 0.
    #[must_use]
    pub const fn of_conversation(mut self, conversation: usize) -> Self {
        self.conversation = Some(conversation);
        self
    }

    /// With somebody who sees the messages.
    #[must_use]
    pub fn observed_by(mut self, observer: &'r dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// With somebody who hears of the file before its first message is read, such as an estimator that is yet to be
    /// chosen.
    #[must_use]
    pub fn opened_before(mut self, opening: &'r dyn Fn(&Opening<'_>)) -> Self {
        self.opening = Some(opening);
        self
    }

    /// Tells the observer of a usage, if there is one.
    pub fn spent(&self, usage: &Usage) {
        if let Some(observer) = self.observer {
            observer.usage(usage);
        }
    }

    /// Tells the observer of an earlier compaction, if there is one.
    pub fn marked(&self, marker: &Marker) {
        if let Some(observer) = self.observer {
            observer.marker(marker);
        }
    }

    /// Tells the observer of a message, if there is one.
    pub fn observe(&self, message: &MessageView<'_>, span: Span, first_turn: usize) {
        if let Some(observer) = self.observer {
            observer.message(&Seen { message, span, first_turn });
        }
    }

    /// Which of several conversations to read; they start at `at`.
    ///
    /// # Errors
    ///
    /// When there are several and none was asked for, or fewer than asked for.
    pub const fn choose(&self, conversations: usize, at: Place) -> Result<usize, FormatError> {
        match self.conversation {
            Some(wanted) if wanted < conversations => Ok(wanted),
            Some(wanted) => Err(FormatError::NoSuchConversation { at, wanted, conversations }),
            None if conversations > 1 => Err(FormatError::SeveralConversations { at, conversations }),
            None => Ok(0),
        }
    }
}
