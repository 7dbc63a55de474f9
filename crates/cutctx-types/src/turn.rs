//! One turn of a transcript.

use crate::code::{Code, Coded, Details};
use crate::metadata::Metadata;
use crate::part::{Part, PartError, check_tiling};
use crate::role::Role;
use crate::wire::WireTurn;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

/// One turn: who spoke, what was said, and what it costs.
///
/// Text is shared: cloning a turn copies pointers. `Debug` prints lengths, not text.
///
/// ```
/// use cutctx_types::{Role, TranscriptTurn};
/// let turn = TranscriptTurn::new("t1", Role::Tool, "42", 1)?.with_tool_call_id("call-1");
/// assert_eq!(turn.tool_call_id(), Some("call-1"));
/// # Ok::<(), cutctx_types::TurnError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WireTurn")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about a turn and a member of its JSON")]
pub struct TranscriptTurn {
    turn_id: Arc<str>,
    role: Role,
    content: Arc<str>,
    token_estimate: u64,
    tool_call_id: Option<Arc<str>>,
    pinned: bool,
    #[serde(skip_serializing_if = "is_not_so")]
    pinned_in_place: bool,
    metadata: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Arc<[Part]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<u32>,
    #[serde(skip_serializing_if = "is_not_so")]
    failed: bool,
    #[serde(skip_serializing_if = "is_not_so")]
    holds_reasoning: bool,
}

/// Flags that do not hold are absent from JSON.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a field over by reference")]
const fn is_not_so(flag: &bool) -> bool {
    !*flag
}

impl TranscriptTurn {
    /// A turn with an id, a role, its text and its estimate in tokens.
    ///
    /// # Errors
    ///
    /// [`TurnError::EmptyTurnId`] when the id is empty. Content may be empty.
    pub fn new(
        turn_id: impl Into<Arc<str>>,
        role: Role,
        content: impl Into<Arc<str>>,
        token_estimate: u64,
    ) -> Result<Self, TurnError> {
        let turn_id = turn_id.into();
        if turn_id.is_empty() {
            return Err(TurnError::EmptyTurnId { role });
        }
        Ok(Self::of_id(turn_id, role, content.into(), token_estimate))
    }

    /// A turn whose id is known to be one.
    pub(crate) fn of_id(turn_id: Arc<str>, role: Role, content: Arc<str>, token_estimate: u64) -> Self {
        Self {
            turn_id,
            role,
            content,
            token_estimate,
            tool_call_id: None,
            pinned: false,
            pinned_in_place: false,
            metadata: Metadata::none(),
            tool_name: None,
            parts: None,
            answers: None,
            failed: false,
            holds_reasoning: false,
        }
    }

    /// The turn as a member of the exchange of this call. The empty string is an id like any other.
    ///
    /// An assistant's turn that calls tools needs one. Calls of a turn without one are taken to be run by the provider, as
    /// its web searches are: no client answers them, and trims leave them whole or out.
    #[must_use]
    pub fn with_tool_call_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.tool_call_id = Some(id.into());
        self
    }

    /// The turn with the name of the tool that was called or that answered.
    #[must_use]
    pub fn with_tool_name(mut self, name: impl Into<Arc<str>>) -> Self {
        self.tool_name = Some(name.into());
        self
    }

    /// The turn as the result of the call in this part of the turn that called: the nearest assistant's turn before it
    /// in its exchange. Calls made side by side are told apart by it.
    #[must_use]
    pub const fn with_answers(mut self, part: u32) -> Self {
        self.answers = Some(part);
        self
    }

    /// The turn as a tool's report that it failed, or not.
    #[must_use]
    pub const fn with_failed(mut self, failed: bool) -> Self {
        self.failed = failed;
        self
    }

    /// The turn as one whose opaque reasoning the provider insists on for now, or not: a format keeps it then even
    /// where a plan masks the turn or leaves the part out.
    #[must_use]
    pub const fn with_reasoning_held(mut self, holds: bool) -> Self {
        self.holds_reasoning = holds;
        self
    }

    /// The turn pinned, so that no plan touches it, or not.
    #[must_use]
    pub const fn with_pinned(mut self, pinned: bool) -> Self {
        self.pinned = pinned;
        self.pinned_in_place = false;
        self
    }

    /// The turn pinned in its place: no plan takes it away or puts something else there, but where a budget permits it
    /// ([`CompactionBudget::with_clip_active`](crate::CompactionBudget::with_clip_active)) it may be made shorter. Formats
    /// pin so what a document cannot be without: what a person asked first and last, and what holds its order together.
    #[must_use]
    pub const fn with_pinned_in_place(mut self) -> Self {
        self.pinned = true;
        self.pinned_in_place = true;
        self
    }

    /// The turn pinned as another one is, or not.
    #[must_use]
    pub const fn pinned_like(mut self, other: &Self) -> Self {
        self.pinned = other.pinned;
        self.pinned_in_place = other.pinned_in_place;
        self
    }

    /// The turn with this metadata in place of its own.
    #[must_use]
    pub fn with_metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = metadata;
        self
    }

    /// The turn with its content divided into parts. An empty list means one text part.
    ///
    /// # Errors
    ///
    /// [`TurnError::Parts`] when the parts do not tile the content.
    pub fn with_parts(mut self, parts: Vec<Part>) -> Result<Self, TurnError> {
        if parts.is_empty() {
            self.parts = None;
            return Ok(self);
        }
        check_tiling(&self.turn_id, &self.content, &parts)?;
        self.parts = Some(parts.into());
        Ok(self)
    }

    /// The same turn with other estimates in tokens, its own and one for each of its parts in order. The parts keep what
    /// they are and where they end; those for which there is no estimate keep theirs.
    #[must_use]
    pub fn with_estimates(mut self, token_estimate: u64, parts: impl IntoIterator<Item = u64>) -> Self {
        self.token_estimate = token_estimate;
        if self.parts.is_some() {
            let mut estimated = self.parts().to_vec();
            for (part, tokens) in estimated.iter_mut().zip(parts) {
                part.token_estimate = tokens;
            }
            self.parts = Some(estimated.into());
        }
        self
    }

    /// The same turn saying something else: new content without parts, and its estimate in tokens.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<Arc<str>>, token_estimate: u64) -> Self {
        self.content = content.into();
        self.token_estimate = token_estimate;
        self.parts = None;
        self
    }

    /// The id, unique within a transcript.
    #[must_use]
    pub const fn turn_id(&self) -> &Arc<str> {
        &self.turn_id
    }

    /// The speaker.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The text.
    #[must_use]
    pub const fn content(&self) -> &Arc<str> {
        &self.content
    }

    /// The estimate in tokens.
    #[must_use]
    pub const fn token_estimate(&self) -> u64 {
        self.token_estimate
    }

    /// The id that ties a call and its results into one exchange.
    #[must_use]
    pub fn tool_call_id(&self) -> Option<&str> {
        self.tool_call_id.as_deref()
    }

    /// Whether its owner, or the format of its file, forbade touching it.
    #[must_use]
    pub const fn pinned(&self) -> bool {
        self.pinned
    }

    /// Whether it is pinned for its place alone, and not for what it says.
    #[must_use]
    pub const fn pinned_in_place(&self) -> bool {
        self.pinned_in_place
    }

    /// Whether it is pinned for what it says: nothing may make it shorter.
    #[must_use]
    pub const fn pinned_whole(&self) -> bool {
        self.pinned && !self.pinned_in_place
    }

    /// What its owner attached to it.
    #[must_use]
    pub const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The name of the tool that was called or that answered, where known.
    #[must_use]
    pub fn tool_name(&self) -> Option<&str> {
        self.tool_name.as_deref()
    }

    /// The part of the calling turn that made the call which this result answers, where known.
    #[must_use]
    pub const fn answers(&self) -> Option<u32> {
        self.answers
    }

    /// Whether the tool reported a failure.
    #[must_use]
    pub const fn failed(&self) -> bool {
        self.failed
    }

    /// Whether the provider insists on the opaque reasoning of this turn for now.
    #[must_use]
    pub const fn holds_reasoning(&self) -> bool {
        self.holds_reasoning
    }

    /// The parts that tile the content; empty means one text part.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        self.parts.as_deref().unwrap_or_default()
    }

    /// Whether both turns are the same to a plan: id, role, content, estimate, call id and pin.
    ///
    /// Shared text is recognised by its address first. Metadata, tool names, parts and what else formats tell of a turn
    /// do not count.
    #[must_use]
    pub fn is_same_to_a_plan(&self, other: &Self) -> bool {
        same_text(&self.turn_id, &other.turn_id)
            && self.role == other.role
            && self.token_estimate == other.token_estimate
            && self.tool_call_id == other.tool_call_id
            && self.pinned == other.pinned
            && same_text(&self.content, &other.content)
    }
}

fn same_text(left: &Arc<str>, right: &Arc<str>) -> bool {
    Arc::ptr_eq(left, right) || left == right
}

impl fmt::Debug for TranscriptTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscriptTurn")
            .field("turn_id", &self.turn_id)
            .field("role", &self.role)
            .field("content_bytes", &self.content.len())
            .field("token_estimate", &self.token_estimate)
            .field("tool_call_id", &self.tool_call_id)
            .field("pinned", &self.pinned)
            .field("tool_name", &self.tool_name)
            .field("parts", &self.parts().len())
            .finish_non_exhaustive()
    }
}

/// Why a turn is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The id is empty.
    #[error("a turn of role {role} has an empty id")]
    EmptyTurnId {
        /// The turn's role.
        role: Role,
    },
    /// The estimate is below zero.
    #[error("turn `{turn_id}` has a negative estimate of {token_estimate} tokens")]
    NegativeTokens {
        /// The turn.
        turn_id: Arc<str>,
        /// The estimate as given, in tokens.
        token_estimate: i128,
    },
    /// The estimate does not fit 64 bits.
    #[error("turn `{turn_id}` has an estimate beyond 64 bits")]
    TokensOverflow {
        /// The turn.
        turn_id: Arc<str>,
    },
    /// The parts do not fit the content.
    #[error(transparent)]
    Parts(#[from] PartError),
}

impl Coded for TurnError {
    fn code(&self) -> Code {
        match self {
            Self::EmptyTurnId { .. } | Self::NegativeTokens { .. } => Code::VALIDATION_ERROR,
            Self::TokensOverflow { .. } => Code::TOKEN_OVERFLOW,
            Self::Parts(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::EmptyTurnId { role } => Details::none().with("role", role.as_str()),
            Self::NegativeTokens { turn_id, token_estimate } => {
                Details::none().with("turn_id", turn_id.clone()).with("token_estimate", *token_estimate)
            }
            Self::TokensOverflow { turn_id } => Details::none().with("turn_id", turn_id.clone()),
            Self::Parts(error) => error.details(),
        }
    }
}
