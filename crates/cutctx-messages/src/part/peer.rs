//! What another participant said.

use crate::json::DurableObject;
use crate::message::{Dump, Field, FieldFault, Fields, MessageError};
use crate::text::{CleanText, DurableText, HexDigest, SpokenText};

/// What another participant of a conversation said, delivered into it. It is never summarized, and never executed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeerContentPart {
    /// What was said.
    pub text: SpokenText,
    /// Who said it.
    pub sender_participant_id: CleanText,
    /// Which life of that participant.
    pub sender_participant_incarnation: CleanText,
    /// The session it was said in.
    pub sender_session_id: CleanText,
    /// Which run of that session.
    pub sender_session_instance_id: CleanText,
    /// The event of saying it.
    pub occurrence_id: CleanText,
    /// The key under which it was appended, as JSON text.
    pub append_key_json: DurableText,
    /// The operation that delivered it.
    pub operation_key: CleanText,
    /// The projection that it belongs to.
    pub projection_id: CleanText,
    /// The digest of where it comes from.
    pub provenance_sha256: HexDigest,
}

const FIELDS: [&str; 12] = [
    "type",
    "text",
    "sender_participant_id",
    "sender_participant_incarnation",
    "sender_session_id",
    "sender_session_instance_id",
    "occurrence_id",
    "append_key_json",
    "operation_key",
    "projection_id",
    "provenance_sha256",
    "executable",
];

impl PeerContentPart {
    pub(super) fn read(object: &DurableObject) -> Result<Self, MessageError> {
        let fields = Fields::new("peer_content", object, &FIELDS)?;
        let clean = |field: &'static str| fields.checked(field, CleanText::new(fields.text(field)?));
        if fields.flag("executable")? {
            return Err(fields.error("executable", FieldFault::NotAChoice));
        }
        Ok(Self {
            text: fields.checked("text", SpokenText::new(fields.text("text")?))?,
            sender_participant_id: clean("sender_participant_id")?,
            sender_participant_incarnation: clean("sender_participant_incarnation")?,
            sender_session_id: clean("sender_session_id")?,
            sender_session_instance_id: clean("sender_session_instance_id")?,
            occurrence_id: clean("occurrence_id")?,
            append_key_json: fields
                .checked("append_key_json", DurableText::new(fields.text("append_key_json")?))?,
            operation_key: clean("operation_key")?,
            projection_id: clean("projection_id")?,
            provenance_sha256: fields
                .checked("provenance_sha256", HexDigest::new(fields.text("provenance_sha256")?))?,
        })
    }

    pub(super) fn dump(&self) -> Dump<'_> {
        Dump::of([
            ("type", Field::Text("peer_content")),
            ("text", Field::Text(&self.text)),
            ("sender_participant_id", Field::Text(&self.sender_participant_id)),
            ("sender_participant_incarnation", Field::Text(&self.sender_participant_incarnation)),
            ("sender_session_id", Field::Text(&self.sender_session_id)),
            ("sender_session_instance_id", Field::Text(&self.sender_session_instance_id)),
            ("occurrence_id", Field::Text(&self.occurrence_id)),
            ("append_key_json", Field::Text(&self.append_key_json)),
            ("operation_key", Field::Text(&self.operation_key)),
            ("projection_id", Field::Text(&self.projection_id)),
            ("provenance_sha256", Field::Text(&self.provenance_sha256)),
            ("executable", Field::Bool(false)),
        ])
    }
}
