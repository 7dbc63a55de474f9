//! The messages that are shown.

use alloc::vec::Vec;

use cutctx_messages::{Message, MessageError, MessagesDigest, TextPart};
use cutctx_types::{Role, TranscriptTurn};

use super::super::ledger::{Ledger, Place, Shown};
use super::shown::{Turn, shown};
use super::source::Messages;
use crate::checkpoint::SummaryPrefix;
use crate::estimate::ContextInputCoverage;

/// What a context begins with that would otherwise begin with the model's words.
const LEFT_OUT: &str = "[earlier messages were left out]";

/// The messages that are shown, what they take, and their digest as far as it was asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    messages: Vec<Message>,
    /// What the first so many messages take, by estimate, without the first zero.
    tokens: Vec<u64>,
    digest: MessagesDigest,
    hashed: usize,
}

impl View {
    /// The view that a ledger leaves of messages.
    pub(super) fn of(
        ledger: &Ledger,
        source: &Messages,
        prefix: &SummaryPrefix,
    ) -> Result<Self, MessageError> {
        let mut view = Self::default();
        let groups = ledger.shown().chunk_by(|left, right| {
            let (left, right) = (message_at(left, source), message_at(right, source));
            left.is_some() && left == right
        });
        for group in groups {
            let tokens = group.iter().map(|shown| shown.turn.token_estimate()).fold(0, u64::saturating_add);
            if let Some(message) = message_of(group, ledger, source, prefix)? {
                view.push(message, tokens);
            }
        }
        view.begin_with_user(source)?;
        Ok(view)
    }

    /// Puts a message that takes so much behind the others.
    pub(super) fn push(&mut self, message: Message, tokens: u64) {
        self.tokens.push(self.taken(self.messages.len()).saturating_add(tokens));
        self.messages.push(message);
    }

    /// Where the user spoke first in the source, he does so here.
    fn begin_with_user(&mut self, source: &Messages) -> Result<(), MessageError> {
        let first = |messages: &[Message]| messages.iter().position(|message| message.role() != Role::System);
        let role = |messages: &[Message]| Some(messages.get(first(messages)?)?.role());
        let wants = role(source.as_slice()) == Some(Role::User);
        if let Some(at) = first(&self.messages).filter(|_| wants && role(&self.messages) != Some(Role::User))
        {
            let note = Message::new(Role::User, alloc::vec![TextPart::new(LEFT_OUT)?.into()])?;
            let before = self.taken(at);
            self.messages.insert(at, note);
            self.tokens.insert(at, before);
        }
        Ok(())
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// What the first so many messages take, by estimate.
    pub(super) fn taken(&self, count: usize) -> u64 {
        count.checked_sub(1).and_then(|last| self.tokens.get(last)).copied().unwrap_or(0)
    }

    /// The digest of the first so many messages.
    fn digest(&mut self, count: usize) -> MessagesDigest {
        if count < self.hashed {
            (self.digest, self.hashed) = (MessagesDigest::default(), 0);
        }
        for message in self.messages.get(self.hashed..count).unwrap_or_default() {
            self.digest.push(message);
        }
        self.hashed = count;
        self.digest.clone()
    }

    /// The coverage of all messages.
    pub(super) fn coverage(&mut self, cursor: usize) -> Option<ContextInputCoverage> {
        let count = self.messages.len();
        let digest = self.digest(count).digest().to_hex();
        let number = |value: usize| u64::try_from(value).unwrap_or(u64::MAX);
        ContextInputCoverage::new(number(cursor), number(count), digest).ok()
    }

    /// How many of the first messages a coverage is about, where it is about these.
    pub(super) fn covered(&mut self, coverage: &ContextInputCoverage) -> Option<usize> {
        let count = usize::try_from(coverage.message_count()).ok()?;
        let is_same = count <= self.messages.len()
            && self.digest(count).digest().to_hex() == *coverage.messages_sha256();
        is_same.then_some(count)
    }
}

/// The number of the message that a turn is of; `None` for a summary.
fn message_at(shown: &Shown, source: &Messages) -> Option<usize> {
    if let Place::Source(turn) = &shown.place { source.message_of(*turn).map(|(at, _)| at) } else { None }
}

/// The message that turns in a row stand for.
fn message_of(
    group: &[Shown],
    ledger: &Ledger,
    source: &Messages,
    prefix: &SummaryPrefix,
) -> Result<Option<Message>, MessageError> {
    let Some(first) = group.first() else { return Ok(None) };
    let Place::Source(turn) = &first.place else { return summary(&first.turn, prefix).map(Some) };
    let Some((at, message)) = source.message_of(*turn) else { return Ok(None) };
    let first_turn = source.first_turn(at);
    let turns = group.iter().filter_map(|shown| {
        let Place::Source(turn) = &shown.place else { return None };
        let action = ledger.actions().get(*turn)?;
        Some((turn.saturating_sub(first_turn), Turn { action, source: shown.source() }))
    });
    let turns: Vec<(usize, Turn<'_>)> = turns.collect();
    shown(message, &turns)
}

/// A summary as a message of the user.
fn summary(turn: &TranscriptTurn, prefix: &SummaryPrefix) -> Result<Message, MessageError> {
    let text = [prefix.as_str(), "\n", turn.content()].concat();
    Message::new(Role::User, alloc::vec![TextPart::new(text)?.into()])
}
