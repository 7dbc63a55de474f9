//! Compactors.

use alloc::boxed::Box;
use core::fmt;
use core::time::Duration;

use cutctx_messages::CleanText;

use super::failure::CompactionOutcome;
use super::model::ModelOutcome;
use super::request::CompactionRequest;
use super::result::Label;
use crate::estimate::ContextUsageState;
use crate::model_request::ModelRequest;
use crate::resume::Resume;
use crate::session::Session;

/// Makes one summary out of messages and of the summary before.
///
/// A compactor is a machine without I/O, too: where it needs a model it gives the request and waits for the answer.
/// What a policy must know of it is asked before: its progress key, whether it reads bounded input, whether it wants
/// what was sent last.
pub trait ContextCompactor: fmt::Debug + Send + Sync {
    /// The name that telemetry shows.
    fn name(&self) -> &str;

    /// Begins to compact.
    fn begin(&self, request: &CompactionRequest) -> CompactionStep;

    /// What identifies this configuration. While a checkpoint says that the same key is exhausted, the compactor is not
    /// asked again. `None` for one that is always asked.
    fn progress_key(&self, facts: &CompactionFacts<'_>) -> Option<Label> {
        let _ = facts;
        None
    }

    /// Whether it reads bounded input, where that is known before.
    fn bounded_input(&self, facts: &CompactionFacts<'_>) -> Option<bool> {
        let _ = facts;
        None
    }

    /// Whether it wants the messages that were sent last, to reach what the provider has cached.
    fn wants_cache_prefix(&self, facts: &CompactionFacts<'_>) -> bool {
        let _ = facts;
        false
    }

    /// Which provider and model it will bill in this session. `None` when it calls no model.
    fn provider_budget_identity(&self, session: &Session) -> Option<(CleanText, CleanText)> {
        let _ = session;
        None
    }
}

/// What a compactor is told when it is asked about itself.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a question that some compactor has")]
pub struct CompactionFacts<'a> {
    /// Whose context it is.
    pub session: &'a Session,
    /// What the provider reported for the call before.
    pub usage: &'a ContextUsageState,
    /// Whether there is a summary already.
    pub has_existing_summary: bool,
    /// Whether the checkpoint says that the last attempt made no progress.
    pub was_exhausted: bool,
    /// Whether bounded input is asked for.
    pub force_bounded_compaction: bool,
    /// Whether the model is told about the form of its answer.
    pub has_structured_output_instruction: bool,
    /// Whether the transcript holds what other participants said.
    pub has_peer_content: bool,
    /// Whether what was sent last is known message by message. Only told to a compactor that wants it.
    pub has_cache_prefix: bool,
}

/// Where a compaction stands.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a caller must answer every question that a compactor has")]
pub enum CompactionStep {
    /// There is a summary, or none.
    Done(CompactionOutcome),
    /// A model is wanted.
    Call(Box<ModelRequest>, Resume<ModelOutcome, Self>),
    /// A model failed in a way that time may mend: go on after this long.
    Wait(Duration, Resume<(), Self>),
}
