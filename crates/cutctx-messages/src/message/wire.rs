//! Messages as JSON has them.

use alloc::vec::Vec;

use cutctx_types::Role;
use serde::{Deserialize, Deserializer};

use super::Message;
use super::error::{FieldFault, MessageError};
use super::fields::Fields;
use crate::json::{DurableError, DurableObject, DurableValue, MESSAGE_LEVELS, read_within};
use crate::part::MessagePart;

/// A message before anything is checked.
///
/// serde keeps only an error's sentence. A reader that must tell code and details reads this twin first and converts
/// it.
///
/// ```
/// use cutctx_messages::{Message, WireMessage};
/// use cutctx_types::Coded;
///
/// let wire: WireMessage = serde_json::from_str(r#"{"role": "user", "content": [{"type": "text", "text": " "}]}"#)?;
/// let error = Message::try_from(wire).unwrap_err();
/// assert_eq!(error.to_string(), "the field `text` of a text is blank");
/// assert_eq!(serde_json::to_string(&error.details())?, r#"{"part":"text","field":"text","fault":"blank"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WireMessage(Result<DurableValue, DurableError>);

impl<'de> Deserialize<'de> for WireMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_within(deserializer, MESSAGE_LEVELS).map(Self)
    }
}

impl TryFrom<WireMessage> for Message {
    type Error = MessageError;

    fn try_from(wire: WireMessage) -> Result<Self, MessageError> {
        let value = wire.0?;
        let fields = Fields::new("message", object(&value, "message")?, &["role", "content"])?;
        let role = fields.choice("role", &fields.text("role")?, &ROLES)?;
        let parts: Result<Vec<MessagePart>, MessageError> =
            fields.list("content")?.iter().map(part).collect();
        Self::new(role, parts?)
    }
}

const ROLES: [(&str, Role); 4] =
    [("user", Role::User), ("assistant", Role::Assistant), ("system", Role::System), ("tool", Role::Tool)];

fn part(value: &DurableValue) -> Result<MessagePart, MessageError> {
    MessagePart::from_object(object(value, "part")?)
}

fn object<'v>(value: &'v DurableValue, part: &'static str) -> Result<&'v DurableObject, MessageError> {
    value.as_object().ok_or_else(|| FieldFault::WrongType { wanted: "an object" }.of(part, "(itself)"))
}
