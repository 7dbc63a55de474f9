//! Who speaks, as providers with two sides see it.

use cutctx_types::Role;

/// Who speaks; tools speak for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The system prompt, or a developer.
    System,
    /// A person, a harness, or a tool.
    User,
    /// The model.
    Model,
}

impl Side {
    /// The side of a role.
    pub(crate) const fn of(role: Role) -> Self {
        match role {
            Role::Assistant => Self::Model,
            Role::System => Self::System,
            Role::User | Role::Tool => Self::User,
        }
    }
}
