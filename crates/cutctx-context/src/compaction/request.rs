//! What a compactor is asked.

use alloc::sync::Arc;

use cutctx_messages::{DurableObject, Message, SpokenText};

use crate::request::CompactionInstructions;
use crate::session::Session;

/// What is to be summarized.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CompactionRequest {
    /// Whose context it is.
    pub session: Session,
    /// The messages that no summary stands for yet, oldest first.
    pub messages: Arc<[Message]>,
    /// The summary of what was before them.
    pub existing_summary: Option<SpokenText>,
    /// The whole transcript as it is shown, for a compactor that wants to see what remains.
    pub context_messages: Arc<[Message]>,
    /// The messages that were sent last, and what came since, for a compactor that wants them: what a provider has
    /// cached begins with them.
    pub cache_prefix: Option<Arc<[Message]>>,
    /// Read bounded input: what was sent did not fit the window.
    pub force_bounded_compaction: bool,
    /// What the compactor is told besides its own instruction.
    pub instructions: Option<CompactionInstructions>,
    /// The most tokens that the summary may take, where the policy says so.
    pub summary_token_budget: Option<u64>,
    /// What the caller tells the compactor.
    pub metadata: DurableObject,
}

impl CompactionRequest {
    /// These messages, and nothing before them.
    #[must_use]
    pub fn new(session: Session, messages: impl Into<Arc<[Message]>>) -> Self {
        Self {
            session,
            messages: messages.into(),
            existing_summary: None,
            context_messages: Arc::default(),
            cache_prefix: None,
            force_bounded_compaction: false,
            instructions: None,
            summary_token_budget: None,
            metadata: DurableObject::empty(),
        }
    }

    /// With the summary of what was before them.
    #[must_use]
    pub fn with_existing_summary(mut self, summary: SpokenText) -> Self {
        self.existing_summary = Some(summary);
        self
    }

    /// With what the compactor is told besides.
    #[must_use]
    pub fn with_instructions(mut self, instructions: CompactionInstructions) -> Self {
        self.instructions = Some(instructions);
        self
    }

    /// With the most tokens that the summary may take.
    #[must_use]
    pub const fn with_summary_token_budget(mut self, tokens: u64) -> Self {
        self.summary_token_budget = Some(tokens);
        self
    }
}
