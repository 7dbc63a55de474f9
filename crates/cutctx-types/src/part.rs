//! The parts that a turn's content is made of.

use crate::code::{Code, Coded, Details};
use alloc::sync::Arc;
use serde::{Deserialize, Serialize};

/// What a part of a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PartKind {
    /// Text that a human or the model wrote.
    Text,
    /// Reasoning in readable form.
    Reasoning,
    /// Reasoning that is signed or encrypted: whole or gone, never edited.
    OpaqueReasoning,
    /// The arguments of a tool call.
    CallArguments,
    /// The result of a tool call.
    Result,
    /// An image, a document, a sound; its place in the content is a short descriptor.
    Media,
}

impl PartKind {
    /// Whether a trim must keep such a part whole or not at all.
    #[must_use]
    pub const fn is_indivisible(self) -> bool {
        matches!(self, Self::OpaqueReasoning | Self::Media)
    }
}

/// One part of a turn's content.
///
/// The parts of a turn tile its content in order: a part begins where the one before it ends. A turn
/// without parts is one text part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Where it ends, in bytes from the start of the content, on a character border.
    pub end: usize,
    /// Its estimate in tokens.
    pub token_estimate: u64,
}

impl Part {
    /// A part that ends at byte `end` of its turn's content.
    #[must_use]
    pub const fn new(kind: PartKind, end: usize, token_estimate: u64) -> Self {
        Self { kind, end, token_estimate }
    }
}

/// Why a list of parts does not fit its turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// A part ends before its predecessor, or inside a character.
    #[error("part {part} of turn `{turn_id}` ends at byte {end}, which is no place for an end")]
    Misplaced {
        /// The turn.
        turn_id: Arc<str>,
        /// The part's index.
        part: usize,
        /// Where it claims to end, in bytes.
        end: usize,
    },
    /// The last part ends somewhere else than the content.
    #[error("the parts of turn `{turn_id}` cover {covered} of {length} bytes")]
    Uncovered {
        /// The turn.
        turn_id: Arc<str>,
        /// Where the last part ends, in bytes.
        covered: usize,
        /// How long the content is, in bytes.
        length: usize,
    },
}

impl Coded for PartError {
    fn code(&self) -> Code {
        Code::VALIDATION_ERROR
    }

    fn details(&self) -> Details {
        match self {
            Self::Misplaced { turn_id, part, end } => {
                Details::none().with("turn_id", turn_id.clone()).with("part", *part).with("end", *end)
            }
            Self::Uncovered { turn_id, covered, length } => Details::none()
                .with("turn_id", turn_id.clone())
                .with("covered", *covered)
                .with("length", *length),
        }
    }
}

/// Checks that `parts` tile `content`.
pub(crate) fn check_tiling(turn_id: &Arc<str>, content: &str, parts: &[Part]) -> Result<(), PartError> {
    let mut covered = 0;
    for (index, part) in parts.iter().enumerate() {
        if part.end < covered || !content.is_char_boundary(part.end) {
            return Err(PartError::Misplaced { turn_id: turn_id.clone(), part: index, end: part.end });
        }
        covered = part.end;
    }
    if covered == content.len() {
        Ok(())
    } else {
        Err(PartError::Uncovered { turn_id: turn_id.clone(), covered, length: content.len() })
    }
}
