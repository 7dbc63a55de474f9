//! Messages as turns, unit by unit.

use alloc::format;
use alloc::vec::Vec;

use cutctx_messages::{
    ContextError, Message, MessageEstimator, MessagePart, MessageView, TurnMapper, check_context,
};
use cutctx_types::{TranscriptTurn, TurnError};

/// The messages of a session, and which turns they became.
#[derive(Debug, Clone, Default)]
pub(super) struct Messages {
    all: Vec<Message>,
    /// The first turn of each message, and behind them where the next one will begin.
    first_turns: Vec<usize>,
    /// Whether any holds what another participant said.
    has_peer_content: bool,
}

/// A turn of a message that became one, or several.
pub(super) type UnitTurns = Vec<Vec<TranscriptTurn>>;

impl Messages {
    pub(super) fn as_slice(&self) -> &[Message] {
        &self.all
    }

    pub(super) const fn has_peer_content(&self) -> bool {
        self.has_peer_content
    }

    /// How many messages have become turns: all but calls that wait for their results.
    pub(super) fn mapped(&self) -> usize {
        self.first_turns.len()
    }

    /// Whether the last message calls and is not answered yet.
    pub(super) fn is_open(&self) -> bool {
        self.mapped() < self.all.len()
    }

    /// The message that a turn is of.
    pub(super) fn message_of(&self, turn: usize) -> Option<(usize, &Message)> {
        let at = self.first_turns.partition_point(|first| *first <= turn).checked_sub(1)?;
        Some((at, self.all.get(at)?))
    }

    /// The first turn of a message.
    pub(super) fn first_turn(&self, message: usize) -> usize {
        self.first_turns.get(message).copied().unwrap_or(0)
    }

    /// How many of the first messages hold the first so many turns.
    pub(super) fn holding(&self, turns: usize) -> usize {
        self.first_turns.partition_point(|first| *first < turns)
    }

    /// Checks that a message may stand behind the others.
    pub(super) fn check_next(&self, message: &Message) -> Result<(), ContextError> {
        let before = self.all.len();
        let checked = match self.all.last().filter(|_| self.is_open()) {
            Some(calling) => check_context(&[calling.clone(), message.clone()])
                .map_err(|error| shifted(error, before.saturating_sub(1))),
            None => check_context(core::slice::from_ref(message)).map_err(|error| shifted(error, before)),
        };
        match checked {
            Err(ContextError::DanglingCalls { message }) if message == before => Ok(()),
            checked => checked,
        }
    }

    /// Puts a message that may stand there behind the others. The turns of the unit that it ends, by message; none
    /// while calls wait for their results. `first_turn` is how many turns there are.
    pub(super) fn push(
        &mut self,
        message: Message,
        first_turn: usize,
        estimator: &dyn MessageEstimator,
    ) -> Result<UnitTurns, TurnError> {
        let opens = !self.is_open() && calls(&message);
        self.has_peer_content |= message.content().iter().any(is_peer_content);
        self.all.push(message);
        if opens {
            return Ok(Vec::new());
        }
        let first = self.mapped();
        let unit = self.all.get(first..).unwrap_or_default();
        let turns = turns_of(unit, first, estimator)?;
        let mut next = first_turn;
        for turns in &turns {
            self.first_turns.push(next);
            next = next.saturating_add(turns.len());
        }
        Ok(turns)
    }
}

/// The turns of the messages of one unit, of which the first is the message of this number.
fn turns_of(
    unit: &[Message],
    first: usize,
    estimator: &dyn MessageEstimator,
) -> Result<UnitTurns, TurnError> {
    let mut mapper = TurnMapper::new(estimator);
    let mut ends = Vec::with_capacity(unit.len());
    for (message, at) in unit.iter().zip(first..) {
        mapper.push(&MessageView::from(message).with_id(format!("m{at}")))?;
        ends.push(mapper.turn_count());
    }
    let mut turns = mapper.finish().turns.into_iter();
    let mut start = 0;
    let of_message = ends.into_iter().map(|end| {
        let count = end.saturating_sub(start);
        start = end;
        turns.by_ref().take(count).collect()
    });
    Ok(of_message.collect())
}

fn calls(message: &Message) -> bool {
    message.content().iter().any(|part| matches!(part, MessagePart::ToolCall(_)))
}

pub(super) const fn is_peer_content(part: &MessagePart) -> bool {
    matches!(part, MessagePart::PeerContent(_))
}

/// The same fault so many messages later.
const fn shifted(error: ContextError, by: usize) -> ContextError {
    match error {
        ContextError::CallsWithoutResults { message } => {
            ContextError::CallsWithoutResults { message: message.saturating_add(by) }
        }
        ContextError::DuplicateResultIds { message } => {
            ContextError::DuplicateResultIds { message: message.saturating_add(by) }
        }
        ContextError::ResultIdsMismatch { message } => {
            ContextError::ResultIdsMismatch { message: message.saturating_add(by) }
        }
        ContextError::OrphanResult { message } => {
            ContextError::OrphanResult { message: message.saturating_add(by) }
        }
        ContextError::DuplicateCallIds { message } => {
            ContextError::DuplicateCallIds { message: message.saturating_add(by) }
        }
        ContextError::DanglingCalls { message } => {
            ContextError::DanglingCalls { message: message.saturating_add(by) }
        }
        ContextError::Empty | _ => error,
    }
}
