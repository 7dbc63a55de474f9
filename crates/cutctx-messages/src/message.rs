//! Durable messages.

mod digest;
mod dump;
mod error;
mod fields;
mod from_view;
mod to_view;
mod wire;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::Role;
use serde::{Deserialize, Serialize, Serializer};

use crate::part::MessagePart;

pub use digest::{MessagesDigest, messages_digest};
pub(crate) use dump::{Dump, Field};
pub use error::{FieldFault, MessageError};
pub(crate) use fields::Fields;
pub use wire::WireMessage;

/// A message to keep: owned, checked, and cheap to clone.
///
/// Its JSON is `{"role", "content": [part, ...]}` with every field of every part written, defaults and nulls included.
/// `Debug` shows kinds, ids and lengths, never text.
///
/// ```
/// use cutctx_messages::{Message, MessagePart, TextPart};
/// use cutctx_types::Role;
///
/// let message = Message::new(Role::User, vec![TextPart::new("how tall is pole 7?")?.into()])?;
/// let json = serde_json::to_string(&message).unwrap_or_default();
/// assert_eq!(json, r#"{"role":"user","content":[{"type":"text","text":"how tall is pole 7?"}]}"#);
/// assert_eq!(serde_json::from_str::<Message>(&json).ok(), Some(message));
/// # Ok::<(), cutctx_messages::MessageError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WireMessage")]
pub struct Message {
    role: Role,
    content: Arc<[MessagePart]>,
}

impl Message {
    /// A message of these parts.
    ///
    /// # Errors
    ///
    /// [`MessageError::NoContent`] without parts, [`MessageError::PartNotAllowed`] for a part that this role cannot
    /// say: see [`MessagePartKind`](crate::MessagePartKind).
    pub fn new(role: Role, content: Vec<MessagePart>) -> Result<Self, MessageError> {
        if content.is_empty() {
            return Err(MessageError::NoContent { role });
        }
        match content.iter().map(MessagePart::kind).find(|kind| !kind.is_allowed_in(role)) {
            Some(part) => Err(MessageError::PartNotAllowed { role, part }),
            None => Ok(Self::of_checked(role, content)),
        }
    }

    /// A message of parts that come from messages of this role.
    pub(crate) fn of_checked(role: Role, content: Vec<MessagePart>) -> Self {
        Self { role, content: content.into() }
    }

    /// Who speaks.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// What is said, in order; never empty.
    #[must_use]
    pub fn content(&self) -> &[MessagePart] {
        &self.content
    }

    /// The canonical JSON of the message, which it is hashed in: see [`DurableValue::durable_json`].
    ///
    /// [`DurableValue::durable_json`]: crate::DurableValue::durable_json
    #[must_use]
    pub fn durable_json(&self) -> String {
        let mut out = String::new();
        self.write_durable_json(&mut out);
        out
    }

    pub(crate) fn write_durable_json(&self, out: &mut String) {
        self.dump().write_canonical(out);
    }

    fn dump(&self) -> Dump<'_> {
        let parts = self.content.iter().map(MessagePart::dump).collect();
        Dump::of([("role", Field::Text(self.role.as_str())), ("content", Field::List(parts))])
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.dump().serialize(serializer)
    }
}
