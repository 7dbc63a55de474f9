//! What messages take, by an estimator.

use cutctx_messages::{DurableObject, Message, MessageEstimator, MessagePart, PartView, ResultView};

use crate::estimate::ContextPressureOverhead;

/// What messages take, in tokens of an estimator.
#[derive(Clone, Copy)]
pub(super) struct Costs<'e> {
    estimator: &'e dyn MessageEstimator,
    overhead: u64,
}

impl<'e> Costs<'e> {
    pub(super) fn new(estimator: &'e dyn MessageEstimator, overhead: &ContextPressureOverhead) -> Self {
        let text = |object: &DurableObject| {
            if object.is_empty() { 0 } else { estimator.text(&object.to_json()) }
        };
        let tools = overhead.tools.iter().map(text).fold(0, u64::saturating_add);
        let form = overhead.structured_output_instruction.as_deref().map_or(0, |text| estimator.text(text));
        Self { estimator, overhead: tools.saturating_add(form) }
    }

    /// What a request takes besides its messages.
    pub(super) const fn overhead(&self) -> u64 {
        self.overhead
    }

    pub(super) fn of_text(&self, text: &str) -> u64 {
        self.estimator.text(text)
    }

    pub(super) fn of_all(&self, messages: &[Message]) -> u64 {
        messages.iter().map(|message| self.of(message)).fold(0, u64::saturating_add)
    }

    pub(super) fn of(&self, message: &Message) -> u64 {
        let parts = message.content().iter().map(|part| self.part(part)).fold(0, u64::saturating_add);
        parts.saturating_add(self.estimator.framing(message.role()))
    }

    fn part(&self, part: &MessagePart) -> u64 {
        self.view(&PartView::from(part))
    }

    fn view(&self, part: &PartView<'_>) -> u64 {
        match part {
            PartView::Text(text) | PartView::Reasoning(text) => self.estimator.text(text),
            PartView::OpaqueReasoning { text, hidden_bytes } => {
                self.estimator.text(text).saturating_add(self.estimator.hidden(*hidden_bytes))
            }
            PartView::ToolCall(call) => self.estimator.call(call),
            PartView::ToolResult(ResultView { parts, .. }) => {
                parts.iter().map(|part| self.view(part)).fold(0, u64::saturating_add)
            }
            PartView::Media(media) => self.estimator.media(media),
            _ => 0,
        }
    }
}
