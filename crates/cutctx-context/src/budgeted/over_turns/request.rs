//! What a context over turns is built from, and what it is.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_exec::{Fate, Summaries};
use cutctx_messages::DurableObject;
use cutctx_types::{Action, Transcript, TranscriptTurn};

use super::super::outcome::{ContextOutcome, InvalidatedReason};
use crate::compaction::{CompactionOutcome, CompactionRequest, ContextCompactor};
use crate::policy::ContextBuildError;
use crate::request::CompactionInstructions;
use crate::resume::Resume;
use crate::session::Session;
use crate::telemetry::ContextTelemetry;

/// What the context of one model step is built from, where the session is held as turns. Cloning copies pointers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnContextRequest {
    /// Whose context it is.
    pub session: Session,
    /// The whole session. Turns that it has pinned are always shown, and whole unless they are pinned for their place
    /// alone.
    pub transcript: Transcript,
    /// What the provider counted last.
    pub usage: Option<TurnUsage>,
    /// What the request takes besides the turns, in tokens by estimate.
    pub overhead_tokens: u64,
    /// Compact now, whatever the size.
    pub force_compaction: bool,
    /// What was sent did not fit the window.
    pub force_bounded_compaction: bool,
    /// What the compactor is told besides.
    pub compaction_instructions: Option<CompactionInstructions>,
    /// What the caller tells compactors.
    pub metadata: DurableObject,
}

impl TurnContextRequest {
    /// A step over these turns; nothing known, nothing forced.
    #[must_use]
    pub fn new(session: Session, transcript: Transcript) -> Self {
        Self {
            session,
            transcript,
            usage: None,
            overhead_tokens: 0,
            force_compaction: false,
            force_bounded_compaction: false,
            compaction_instructions: None,
            metadata: DurableObject::empty(),
        }
    }

    /// With what the provider counted last.
    #[must_use]
    pub const fn with_usage(mut self, usage: TurnUsage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// With what the request takes besides the turns, in tokens by estimate.
    #[must_use]
    pub const fn with_overhead_tokens(mut self, tokens: u64) -> Self {
        self.overhead_tokens = tokens;
        self
    }
}

/// What a provider counted when it was sent the context over the first turns of a session.
///
/// It counts where the context was not rewritten since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnUsage {
    /// The request's input, cached input and tools included, in tokens.
    pub input_tokens: u64,
    /// The reply, in tokens.
    pub output_tokens: Option<u64>,
    /// How many turns the session had when the request was sent; the reply is the one behind them.
    pub turns: usize,
}

impl TurnUsage {
    /// So many tokens for the context over the first so many turns.
    #[must_use]
    pub const fn new(input_tokens: u64, turns: usize) -> Self {
        Self { input_tokens, output_tokens: None, turns }
    }

    /// With the provider's count of the reply, in tokens.
    #[must_use]
    pub const fn with_output_tokens(mut self, tokens: u64) -> Self {
        self.output_tokens = Some(tokens);
        self
    }
}

/// A step, or why there is no context.
pub type TurnStepResult = Result<TurnStep, ContextBuildError>;

/// Where a build over turns stands.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a caller must answer every question that a policy has")]
pub enum TurnStep {
    /// The context is there.
    Done(Box<TurnContextResult>),
    /// A summary is wanted.
    Summarize(Box<PendingTurnCompaction>),
}

/// A build over turns that waits for a summary.
#[derive(Debug)]
#[non_exhaustive]
pub struct PendingTurnCompaction {
    /// The compactor that the policy was made with. The caller may answer by other means.
    pub compactor: Arc<dyn ContextCompactor>,
    /// What is to be summarized, the turns as messages.
    pub request: CompactionRequest,
    /// The way on.
    pub resume: Resume<CompactionOutcome, TurnStepResult>,
}

impl PendingTurnCompaction {
    pub(super) const fn new(
        compactor: Arc<dyn ContextCompactor>,
        request: CompactionRequest,
        resume: Resume<CompactionOutcome, TurnStepResult>,
    ) -> Self {
        Self { compactor, request, resume }
    }

    /// Goes on with a summary, or with why there is none.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`] when there is no context.
    pub fn resume(self, outcome: CompactionOutcome) -> TurnStepResult {
        self.resume.resume(outcome)
    }
}

/// A context over turns.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TurnContextResult {
    /// What became of each turn of the session, over all compactions so far.
    pub actions: Vec<Action>,
    /// The summaries by the groups that actions name.
    pub summaries: Summaries,
    /// The turns that are shown. A summary is a turn of the assistant whose id is `summary:` and the group's.
    pub view: Vec<TranscriptTurn>,
    /// The first turn of the session whose fate changed in this step; `None` where the context goes on as it was.
    pub first_changed_turn: Option<usize>,
    /// What came of it.
    pub outcome: ContextOutcome,
    /// Why what was remembered was not used, where that is so.
    pub invalidated: Option<InvalidatedReason>,
    /// How often the context was rewritten so far, which costs a provider's cache.
    pub rewrites: u64,
    /// How often a compactor was asked so far.
    pub compactor_calls: u64,
    /// The checkpoint that replaces the one before as a whole; `None` where that stays.
    pub checkpoint: Option<DurableObject>,
    /// What may be told about that change.
    pub checkpoint_event_payload: Option<DurableObject>,
    /// What happened on the way.
    pub compaction_telemetry: Vec<ContextTelemetry>,
}

impl TurnContextResult {
    /// What became of each turn of the session, as formats want it.
    #[must_use]
    pub fn fates(&self) -> Vec<Fate<'_>> {
        self.actions.iter().map(Fate::of).collect()
    }
}
