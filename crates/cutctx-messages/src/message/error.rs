//! Why something is no message.

use cutctx_types::{Code, Coded, Details, Role};

use crate::json::DurableError;
use crate::part::MessagePartKind;

/// Why a message, or a part of one, is refused. It shows no text of the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// A message says nothing.
    #[error("a message of the role `{role}` has no content")]
    NoContent {
        /// Whose message it is.
        role: Role,
    },
    /// A part is not for messages of this role.
    #[error("a message of the role `{role}` cannot hold a part of the type `{part}`")]
    PartNotAllowed {
        /// Whose message it is.
        role: Role,
        /// What it holds.
        part: MessagePartKind,
    },
    /// A field is at fault.
    #[error("the field `{field}` of a {part} {fault}")]
    Field {
        /// What the field belongs to: `message`, a part's type, `file attachment` or `citation`.
        part: &'static str,
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        fault: FieldFault,
    },
    /// A value somewhere in the message cannot be stored.
    #[error(transparent)]
    Json(#[from] DurableError),
    /// A view holds something that messages to keep have no form for.
    #[error("{what} has no form in a message to keep")]
    NotKept {
        /// What it is.
        what: &'static str,
    },
}

/// What is wrong with a field. The sentences follow the field's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FieldFault {
    /// It is not there.
    #[error("is missing")]
    Missing,
    /// Nobody knows it.
    #[error("is not known")]
    Unknown,
    /// It is of another type.
    #[error("is not {wanted}")]
    WrongType {
        /// The type wanted.
        wanted: &'static str,
    },
    /// A text says nothing.
    #[error("is blank")]
    Blank,
    /// An id or a name has white space around it.
    #[error("begins or ends with white space")]
    OuterWhitespace,
    /// A text does not have the form wanted.
    #[error("is not {wanted}")]
    Pattern {
        /// The form wanted.
        wanted: &'static str,
    },
    /// It is none of the values there are.
    #[error("is none of the values known")]
    NotAChoice,
    /// A number is too small or too large.
    #[error("is out of range")]
    OutOfRange,
    /// It is given without the fields that it belongs with.
    #[error("is given without the fields that belong with it")]
    Alone,
    /// A value cannot be stored.
    #[error("cannot be stored: {0}")]
    Json(#[from] DurableError),
}

impl FieldFault {
    /// As the error of this field.
    pub(crate) const fn of(self, part: &'static str, field: &'static str) -> MessageError {
        MessageError::Field { part, field, fault: self }
    }

    /// A short stable name.
    const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unknown => "unknown",
            Self::WrongType { .. } => "type",
            Self::Blank => "blank",
            Self::OuterWhitespace => "outer-whitespace",
            Self::Pattern { .. } => "pattern",
            Self::NotAChoice => "choice",
            Self::OutOfRange => "range",
            Self::Alone => "alone",
            Self::Json(_) => "json",
        }
    }
}

impl Coded for MessageError {
    fn code(&self) -> Code {
        match self {
            Self::Json(fault) | Self::Field { fault: FieldFault::Json(fault), .. } => fault.code(),
            Self::NoContent { .. } | Self::PartNotAllowed { .. } | Self::Field { .. } => {
                Code::VALIDATION_ERROR
            }
            Self::NotKept { .. } => Code::new("MESSAGE_NOT_KEPT"),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::NoContent { role } => Details::none().with("role", role.as_str()),
            Self::PartNotAllowed { role, part } => {
                Details::none().with("role", role.as_str()).with("part", part.as_str())
            }
            Self::Field { part, field, fault } => {
                Details::none().with("part", *part).with("field", *field).with("fault", fault.name())
            }
            Self::Json(fault) => fault.details(),
            Self::NotKept { what } => Details::none().with("what", *what),
        }
    }
}
