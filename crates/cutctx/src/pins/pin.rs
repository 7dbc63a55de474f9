//! One pin, and how it is written.

use super::{Pattern, PinError};
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;
use cutctx_types::Role;

/// What is to stay as it is. [The module](crate::pins) lists the texts that it is read from; `to_string` gives such a
/// text back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pin {
    /// The turn with this id, or the only one whose id begins so with eight characters or more.
    Turn(Arc<str>),
    /// The first turn of the user.
    FirstUser,
    /// The newest turn of the user.
    LastUser,
    /// All turns of a role.
    Role(Role),
    /// All turns that carry the name of one of these tools: its results. Names are compared letter by letter.
    Tool(Vec<String>),
    /// All turns whose content the pattern matches.
    Regex(Pattern),
    /// The newest result of each of these tools. The name `todo` stands for all of [`TODO_TOOLS`](super::TODO_TOOLS).
    Latest(Vec<String>),
}

impl FromStr for Pin {
    type Err = PinError;

    fn from_str(text: &str) -> Result<Self, PinError> {
        match (text, text.split_once(':')) {
            ("first-user", _) => Ok(Self::FirstUser),
            ("last-user", _) => Ok(Self::LastUser),
            (_, Some(("turn", id))) => turn(id),
            (_, Some(("role", name))) => role(name),
            (_, Some(("tool", names))) => tools("tool", names).map(Self::Tool),
            (_, Some(("latest", names))) => tools("latest", names).map(Self::Latest),
            (_, Some(("regex", pattern))) => pattern.parse().map(Self::Regex),
            _ => turn(text),
        }
    }
}

fn turn(id: &str) -> Result<Pin, PinError> {
    if id.is_empty() {
        return Err(PinError::Syntax { kind: "turn", fault: "needs the id of a turn" });
    }
    Ok(Pin::Turn(id.into()))
}

const ROLES: [Role; 4] = [Role::System, Role::User, Role::Assistant, Role::Tool];

fn role(name: &str) -> Result<Pin, PinError> {
    let fault = "needs one of system, user, assistant and tool";
    let known = ROLES.into_iter().find(|role| role.as_str() == name);
    known.map(Pin::Role).ok_or(PinError::Syntax { kind: "role", fault })
}

fn tools(kind: &'static str, names: &str) -> Result<Vec<String>, PinError> {
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
    if names.iter().any(String::is_empty) {
        return Err(PinError::Syntax { kind, fault: "needs the name of a tool" });
    }
    Ok(names)
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // An id that would be read as another kind of pin says that it is one.
            Self::Turn(id) if id.parse() == Ok(self.clone()) => f.write_str(id),
            Self::Turn(id) => write!(f, "turn:{id}"),
            Self::FirstUser => f.write_str("first-user"),
            Self::LastUser => f.write_str("last-user"),
            Self::Role(role) => write!(f, "role:{role}"),
            Self::Tool(names) => write!(f, "tool:{}", names.join(",")),
            Self::Regex(pattern) => write!(f, "regex:{}", pattern.as_str()),
            Self::Latest(names) => write!(f, "latest:{}", names.join(",")),
        }
    }
}
