//! Who speaks in a turn.

use core::fmt;
use serde::{Deserialize, Serialize};

/// The speaker of a turn; the lower-case name is its serialized form.
///
/// The set is closed: every provider's roles map onto these four (`developer` is `system`, `model`
/// is `assistant`), and rules match on all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "rules must decide about every role; a new one is a redesign")]
pub enum Role {
    /// Instructions of the application. Never touched by a plan.
    System,
    /// A human, or text that arrives in a human's place.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

impl Role {
    /// The serialized name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
