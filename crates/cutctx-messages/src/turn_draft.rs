//! A turn while its parts are being collected.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::{Part, PartKind, Role, TranscriptTurn, TurnError};

use crate::estimate::MessageEstimator;
use crate::view::{CallView, PartView};

/// The content, the parts and the cost of a turn in the making.
pub(crate) struct TurnDraft<'m> {
    pub(crate) role: Role,
    content: Cow<'m, str>,
    parts: Vec<Part>,
    tokens: u64,
}

impl<'m> TurnDraft<'m> {
    pub(crate) const fn new(role: Role) -> Self {
        Self { role, content: Cow::Borrowed(""), parts: Vec::new(), tokens: 0 }
    }

    /// Appends a message part and returns the index of the turn part that it became. A tool result here is its parts.
    pub(crate) fn add(&mut self, part: &'m PartView<'_>, estimator: &dyn MessageEstimator) -> usize {
        let index = self.parts.len();
        match part {
            PartView::Text(text) => {
                let kind = if self.role == Role::Tool { PartKind::Result } else { PartKind::Text };
                self.append(kind, Cow::Borrowed(text), estimator.text(text));
            }
            PartView::Reasoning(text) => {
                self.append(PartKind::Reasoning, Cow::Borrowed(text), estimator.text(text));
            }
            PartView::OpaqueReasoning { text, hidden_bytes } => {
                let tokens = estimator.text(text).saturating_add(estimator.hidden(*hidden_bytes));
                self.append(PartKind::OpaqueReasoning, Cow::Borrowed(text), tokens);
            }
            PartView::ToolCall(call) => {
                self.append(PartKind::CallArguments, Cow::Owned(call_text(call)), estimator.call(call));
            }
            PartView::Media(media) => {
                self.append(PartKind::Media, Cow::Owned(media.descriptor()), estimator.media(media));
            }
            PartView::ToolResult(result) => {
                for inner in &result.parts {
                    self.add(inner, estimator);
                }
            }
        }
        index
    }

    fn append(&mut self, kind: PartKind, text: Cow<'m, str>, tokens: u64) {
        if self.content.is_empty() {
            self.content = text;
        } else {
            self.content.to_mut().push_str(&text);
        }
        self.parts.push(Part::new(kind, self.content.len(), tokens));
        self.tokens = self.tokens.saturating_add(tokens);
    }

    /// The finished turn. A lone text part is left unsaid.
    pub(crate) fn into_turn(self, id: Arc<str>, framing: u64) -> Result<TranscriptTurn, TurnError> {
        let plain = matches!(self.parts.as_slice(), [] | [Part { kind: PartKind::Text, .. }]);
        let tokens = self.tokens.saturating_add(framing);
        let turn = TranscriptTurn::new(id, self.role, self.content, tokens)?;
        if plain { Ok(turn) } else { turn.with_parts(self.parts) }
    }
}

/// A call reads `[call name {arguments}]`, so that it needs no neighbour to stand apart from; one that says nothing
/// but its name is no text at all, so that a masked turn, whose calls are emptied, reads back as its stub alone.
fn call_text(call: &CallView<'_>) -> String {
    if call.is_bare() { String::new() } else { format!("[call {} {}]", call.name, call.arguments) }
}
