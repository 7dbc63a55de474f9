//! Turn objects to turns.

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::{Metadata, Part, Role, Transcript, TranscriptTurn, TurnError};

use super::{NativeLens, records};
use crate::document::Document;
use crate::error::{FormatError, Place, RecordFault};
use crate::format::Reading;
use crate::raw::{Node, Object};

pub(super) fn read(document: &Document<'_>) -> Result<Reading, FormatError> {
    let (container, nodes) = records(document)
        .ok_or_else(|| FormatError::Unrecognized { at: document.start(), looks_like: None })?;
    let mut turns = Vec::with_capacity(nodes.len());
    for (index, (_, node)) in nodes.iter().enumerate() {
        let at = || Place::of(node.start(), document.text());
        let fields = fields(*node).map_err(|fault| FormatError::Record {
            format: "native",
            at: at(),
            record: index,
            fault,
        })?;
        turns.push(fields.into_turn()?);
    }
    let records = nodes.iter().map(|(record, node)| (*record, node.span())).collect();
    Ok(Reading::new(Transcript::new(turns)?, NativeLens { container, records }))
}

/// The fields of a turn, each of the right type.
struct Fields {
    turn_id: Arc<str>,
    role: Role,
    content: Arc<str>,
    token_estimate: i128,
    tool_call_id: Option<Arc<str>>,
    tool_name: Option<Arc<str>>,
    pinned: bool,
    metadata: Metadata,
    parts: Vec<Part>,
}

fn fields(node: Node<'_>) -> Result<Fields, RecordFault> {
    let turn = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let estimate = turn.get("token_estimate").and_then(|number| number.text().parse().ok());
    Ok(Fields {
        turn_id: text(&turn, "turn_id")?,
        role: role(&turn)?,
        content: text(&turn, "content")?,
        token_estimate: estimate.ok_or(RecordFault::Field("token_estimate"))?,
        tool_call_id: optional_text(&turn, "tool_call_id")?,
        tool_name: optional_text(&turn, "tool_name")?,
        pinned: pinned(&turn)?,
        metadata: read_field(&turn, "metadata")?.unwrap_or_default(),
        parts: read_field(&turn, "parts")?.unwrap_or_default(),
    })
}

fn text(turn: &Object<'_>, key: &'static str) -> Result<Arc<str>, RecordFault> {
    turn.string(key).map(Arc::from).ok_or(RecordFault::Field(key))
}

fn optional_text(turn: &Object<'_>, key: &'static str) -> Result<Option<Arc<str>>, RecordFault> {
    match turn.get(key).filter(|value| !value.is_null()) {
        None => Ok(None),
        Some(value) => value.string().map(|text| Some(Arc::from(text))).ok_or(RecordFault::Field(key)),
    }
}

fn role(turn: &Object<'_>) -> Result<Role, RecordFault> {
    let name = turn.string("role").ok_or(RecordFault::Field("role"))?;
    let roles = [Role::System, Role::User, Role::Assistant, Role::Tool];
    roles.into_iter().find(|role| role.as_str() == name).ok_or(RecordFault::Role)
}

fn pinned(turn: &Object<'_>) -> Result<bool, RecordFault> {
    match turn.get("pinned").map(|value| value.text()) {
        None | Some("null" | "false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(RecordFault::Field("pinned")),
    }
}

fn read_field<T: serde::de::DeserializeOwned>(
    turn: &Object<'_>,
    key: &'static str,
) -> Result<Option<T>, RecordFault> {
    match turn.get(key) {
        None => Ok(None),
        Some(value) => serde_json::from_str(value.text()).map_err(|_| RecordFault::Field(key)),
    }
}

impl Fields {
    fn into_turn(self) -> Result<TranscriptTurn, TurnError> {
        let turn_id = self.turn_id;
        let id = Arc::clone(&turn_id);
        let tokens = match u64::try_from(self.token_estimate) {
            Ok(tokens) => tokens,
            Err(_) if self.token_estimate < 0 => {
                return Err(TurnError::NegativeTokens { turn_id, token_estimate: self.token_estimate });
            }
            Err(_) => return Err(TurnError::TokensOverflow { turn_id }),
        };
        let turn = TranscriptTurn::new(id, self.role, self.content, tokens)?;
        let turn = turn.with_pinned(self.pinned).with_metadata(self.metadata);
        let turn = match self.tool_call_id {
            Some(id) => turn.with_tool_call_id(id),
            None => turn,
        };
        let turn = match self.tool_name {
            Some(name) => turn.with_tool_name(name),
            None => turn,
        };
        turn.with_parts(self.parts)
    }
}
