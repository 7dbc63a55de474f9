//! The policies that remember nothing.

use cutctx_messages::Message;

use super::{ContextPolicy, Step, StepResult};
use crate::project::{strip_old_file_attachments, trim_context_messages, trim_context_turns};
use crate::request::ContextRequest;
use crate::setting::{SettingError, positive};

/// The whole transcript; files that were answered are named only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultContextPolicy {
    max_attachment_results: usize,
}

impl DefaultContextPolicy {
    /// So many tool results keep their files.
    #[must_use]
    pub const fn new(max_attachment_results: usize) -> Self {
        Self { max_attachment_results }
    }
}

impl Default for DefaultContextPolicy {
    /// The last tool result that has files keeps them.
    fn default() -> Self {
        Self::new(1)
    }
}

impl ContextPolicy for DefaultContextPolicy {
    fn begin(&self, request: ContextRequest) -> StepResult {
        shown(&request.messages, self.max_attachment_results)
    }
}

/// The last messages: see [`trim_context_messages`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageWindowContextPolicy {
    max_messages: usize,
    preserve_system: bool,
    max_attachment_results: usize,
}

impl MessageWindowContextPolicy {
    /// At most so many messages, those of the system among them; the last tool result that has files keeps them.
    ///
    /// # Errors
    ///
    /// [`SettingError`] for zero.
    pub const fn new(max_messages: usize) -> Result<Self, SettingError> {
        match positive("max_messages", max_messages) {
            Ok(max_messages) => Ok(Self { max_messages, preserve_system: true, max_attachment_results: 1 }),
            Err(error) => Err(error),
        }
    }

    /// Whether the system messages at the start are kept.
    #[must_use]
    pub const fn preserving_system(mut self, preserve_system: bool) -> Self {
        self.preserve_system = preserve_system;
        self
    }

    /// So many tool results keep their files.
    #[must_use]
    pub const fn with_max_attachment_results(mut self, max_attachment_results: usize) -> Self {
        self.max_attachment_results = max_attachment_results;
        self
    }
}

impl ContextPolicy for MessageWindowContextPolicy {
    fn begin(&self, request: ContextRequest) -> StepResult {
        let window = trim_context_messages(&request.messages, self.max_messages, self.preserve_system)?;
        shown(&window, self.max_attachment_results)
    }
}

/// The last turns of the user: see [`trim_context_turns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecentTurnsContextPolicy {
    max_user_turns: usize,
    preserve_system: bool,
    max_attachment_results: usize,
}

impl RecentTurnsContextPolicy {
    /// At most so many turns; the last tool result that has files keeps them.
    ///
    /// # Errors
    ///
    /// [`SettingError`] for zero.
    pub const fn new(max_user_turns: usize) -> Result<Self, SettingError> {
        match positive("max_user_turns", max_user_turns) {
            Ok(max_user_turns) => {
                Ok(Self { max_user_turns, preserve_system: true, max_attachment_results: 1 })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether the system messages at the start are kept.
    #[must_use]
    pub const fn preserving_system(mut self, preserve_system: bool) -> Self {
        self.preserve_system = preserve_system;
        self
    }

    /// So many tool results keep their files.
    #[must_use]
    pub const fn with_max_attachment_results(mut self, max_attachment_results: usize) -> Self {
        self.max_attachment_results = max_attachment_results;
        self
    }
}

impl ContextPolicy for RecentTurnsContextPolicy {
    fn begin(&self, request: ContextRequest) -> StepResult {
        let turns = trim_context_turns(&request.messages, self.max_user_turns, self.preserve_system)?;
        shown(&turns, self.max_attachment_results)
    }
}

fn shown(messages: &[Message], max_attachment_results: usize) -> StepResult {
    Ok(Step::shown(strip_old_file_attachments(messages, max_attachment_results)?))
}
