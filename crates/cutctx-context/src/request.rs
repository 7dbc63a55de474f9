//! What a policy builds a context from.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use cutctx_messages::{CleanText, DurableObject, Message, SpokenText};

use crate::estimate::{ContextPressureOverhead, ContextUsageState};
use crate::session::Session;
use crate::setting::{SettingError, SettingFault};

/// What a policy builds the context of one model step from. Cloning copies pointers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ContextRequest {
    /// Whose context it is.
    pub session: Session,
    /// The durable transcript.
    pub messages: Arc<[Message]>,
    /// Which step of the run this is, from 1.
    pub step: u64,
    /// The interaction that the step belongs to.
    pub interaction_id: Option<CleanText>,
    /// The id of the step.
    pub model_step_id: Option<CleanText>,
    /// The environment that the agent works in.
    pub environment_name: Option<CleanText>,
    /// What the caller tells compactors.
    pub metadata: DurableObject,
    /// What the provider reported for the call before.
    pub context_usage: ContextUsageState,
    /// What the request will hold besides messages.
    pub pressure_overhead: Arc<ContextPressureOverhead>,
    /// Whether the caller can answer [`Step::Count`](crate::Step::Count).
    pub can_count_input_tokens: bool,
    /// What the caller will put between the messages before they are sent, where it does: estimates see it.
    pub place_runtime_context: Option<Arc<dyn PlaceRuntimeContext>>,
    /// Compact now, whatever the size.
    pub force_compaction: bool,
    /// Compact with bounded input: what was sent did not fit the window.
    pub force_bounded_compaction: bool,
    /// What the compactor is told besides.
    pub compaction_instructions: Option<CompactionInstructions>,
}

impl ContextRequest {
    /// The first step over these messages; nothing known, nothing forced.
    #[must_use]
    pub fn new(session: Session, messages: impl Into<Arc<[Message]>>) -> Self {
        Self {
            session,
            messages: messages.into(),
            step: 1,
            interaction_id: None,
            model_step_id: None,
            environment_name: None,
            metadata: DurableObject::empty(),
            context_usage: ContextUsageState::unknown(),
            pressure_overhead: Arc::default(),
            can_count_input_tokens: false,
            place_runtime_context: None,
            force_compaction: false,
            force_bounded_compaction: false,
            compaction_instructions: None,
        }
    }

    /// With what the provider reported for the call before.
    #[must_use]
    pub fn with_usage(mut self, usage: ContextUsageState) -> Self {
        self.context_usage = usage;
        self
    }

    /// With what the request will hold besides messages.
    #[must_use]
    pub fn with_overhead(mut self, overhead: impl Into<Arc<ContextPressureOverhead>>) -> Self {
        self.pressure_overhead = overhead.into();
        self
    }
}

/// What a caller puts between the messages of a context before they are sent. It must be a pure function.
pub trait PlaceRuntimeContext: fmt::Debug + Send + Sync {
    /// The messages as they will be sent.
    fn place(&self, messages: &[Message]) -> Vec<Message>;
}

/// What a compactor is told besides its own instruction: not blank, at most 32,768 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionInstructions(SpokenText);

impl CompactionInstructions {
    /// The most characters.
    const MOST: usize = 32_768;

    /// Checks a text.
    ///
    /// # Errors
    ///
    /// [`SettingError`] when it is blank, too long, or holds U+0000.
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, SettingError> {
        let fault = SettingFault::BadText.of("compaction_instructions");
        let text = SpokenText::new(text).map_err(|_| fault)?;
        if text.chars().nth(Self::MOST).is_some() { Err(fault) } else { Ok(Self(text)) }
    }
}

impl Deref for CompactionInstructions {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
