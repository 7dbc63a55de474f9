//! A conversation of two sides that take turns, with the system texts apart.

use alloc::vec::Vec;

use cutctx_messages::Message;
use cutctx_types::Role;
use serde_json::Value;

use super::spoken::Spoken;
use crate::error::ModelError;

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Who asks, and what tools gave.
    User,
    /// The model.
    Model,
}

/// How an interface spells what is said.
pub(super) trait Spelling {
    /// The texts of a message, each as one block.
    fn texts(spoken: &Spoken<'_>) -> Vec<Value>;
    /// All of a message, in the order that the interface wants.
    fn blocks(spoken: &Spoken<'_>) -> Vec<Value>;
}

/// System texts, and turns of blocks: neighbours on one side are one turn.
#[derive(Debug, Default)]
pub(super) struct Sides {
    pub(super) system: Vec<Value>,
    pub(super) turns: Vec<(Side, Vec<Value>)>,
}

impl Sides {
    pub(super) fn of<S: Spelling>(messages: &[Message]) -> Result<Self, ModelError> {
        let mut sides = Self::default();
        for message in messages {
            let spoken = Spoken::of(message)?;
            match message.role() {
                Role::System => sides.system.extend(S::texts(&spoken)),
                Role::User | Role::Tool => sides.add(Side::User, S::blocks(&spoken)),
                Role::Assistant => sides.add(Side::Model, S::blocks(&spoken)),
            }
        }
        Ok(sides)
    }

    fn add(&mut self, side: Side, blocks: Vec<Value>) {
        match self.turns.last_mut() {
            _ if blocks.is_empty() => {}
            Some((open, content)) if *open == side => content.extend(blocks),
            Some(_) | None => self.turns.push((side, blocks)),
        }
    }
}
