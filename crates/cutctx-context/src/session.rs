//! Whose context it is.

use alloc::sync::Arc;

use cutctx_messages::{CleanText, FieldFault};

/// Whose context is built: what prompts and compactors are told of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// The session's id.
    pub session_id: CleanText,
    /// The agent's name.
    pub agent_name: CleanText,
    /// The session's provider, where known.
    pub provider_name: Option<CleanText>,
    /// The session's model, where known.
    pub model: Option<CleanText>,
}

impl Session {
    /// A session of this id, and the agent that works in it.
    ///
    /// # Errors
    ///
    /// [`FieldFault`] when one of them is blank or has white space around it.
    pub fn new(session_id: impl Into<Arc<str>>, agent_name: impl Into<Arc<str>>) -> Result<Self, FieldFault> {
        let (session_id, agent_name) = (CleanText::new(session_id)?, CleanText::new(agent_name)?);
        Ok(Self { session_id, agent_name, provider_name: None, model: None })
    }

    /// With its provider and model.
    #[must_use]
    pub fn with_model(mut self, provider_name: CleanText, model: CleanText) -> Self {
        self.provider_name = Some(provider_name);
        self.model = Some(model);
        self
    }
}
