//! Neighbouring messages of one side, as providers and clients join them.

use alloc::vec::Vec;

use super::sent::{CallFacts, Message, Part, ResultFacts};

pub(super) use crate::side::Side;

/// Neighbouring messages of one side.
#[derive(Debug)]
pub(super) struct Group<'m> {
    pub(super) side: Side,
    pub(super) messages: &'m [Message],
}

/// Joins neighbours.
pub(super) fn joined(messages: &[Message]) -> Vec<Group<'_>> {
    let runs = messages.chunk_by(|one, next| Side::of(one.role) == Side::of(next.role));
    runs.filter_map(|run| Some(Group { side: Side::of(run.first()?.role), messages: run })).collect()
}

impl<'m> Group<'m> {
    pub(super) fn parts(&self) -> impl Iterator<Item = &'m Part> {
        self.messages.iter().flat_map(|message| &message.parts)
    }

    /// The calls that the client answers, with their messages.
    pub(super) fn client_calls(&self) -> impl Iterator<Item = (&'m Message, &'m CallFacts)> {
        self.messages.iter().flat_map(|message| message.client_calls().map(move |call| (message, call)))
    }

    /// The results, with their messages.
    pub(super) fn results(&self) -> impl Iterator<Item = (&'m Message, &'m ResultFacts)> {
        self.messages.iter().flat_map(|message| message.results().map(move |result| (message, result)))
    }

    /// Whether the model reasons in it.
    pub(super) fn has_reasoning(&self) -> bool {
        self.parts().any(is_reasoning)
    }

    /// Whether it begins with reasoning.
    pub(super) fn begins_with_reasoning(&self) -> bool {
        self.parts().next().is_some_and(is_reasoning)
    }
}

const fn is_reasoning(part: &Part) -> bool {
    matches!(part, Part::Reasoning | Part::SignedReasoning)
}
