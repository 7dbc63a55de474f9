//! A request to a model.

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{CleanText, DurableObject, Message, MessagePart, RoundMessage as _};

/// What is sent to a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The model, where it is not the session's.
    pub model: Option<CleanText>,
    /// The messages in order.
    pub messages: Arc<[Message]>,
    /// The tools, each with its schema.
    pub tools: Arc<[DurableObject]>,
    /// The options.
    pub options: DurableObject,
}

impl ModelRequest {
    /// A request of these messages.
    #[must_use]
    pub fn new(messages: impl Into<Arc<[Message]>>) -> Self {
        Self { messages: messages.into(), ..Self::default() }
    }

    /// To this model.
    #[must_use]
    pub fn with_model(mut self, model: CleanText) -> Self {
        self.model = Some(model);
        self
    }

    /// With these tools.
    #[must_use]
    pub fn with_tools(mut self, tools: impl Into<Arc<[DurableObject]>>) -> Self {
        self.tools = tools.into();
        self
    }

    /// With these options.
    #[must_use]
    pub fn with_options(mut self, options: DurableObject) -> Self {
        self.options = options;
        self
    }

    /// The messages without what is never sent: copies of answers in a form. A message of nothing else is not sent.
    #[must_use]
    pub fn sent_messages(&self) -> Vec<Message> {
        self.messages.iter().filter_map(sent).collect()
    }
}

fn sent(message: &Message) -> Option<Message> {
    let is_sent = |part: &&MessagePart| !matches!(part, MessagePart::StructuredOutput(_));
    if message.content().iter().all(|part| is_sent(&part)) {
        return Some(message.clone());
    }
    let parts: Vec<MessagePart> = message.content().iter().filter(is_sent).cloned().collect();
    (!parts.is_empty()).then(|| Message::from_pieces(message.role(), parts))
}
