//! The parts of durable messages.

mod attachment;
mod hosted;
mod peer;
mod plain;
mod tool;

use cutctx_types::Role;
use serde::{Serialize, Serializer};

use crate::json::{DurableObject, DurableValue, ValueView};
use crate::message::{Dump, FieldFault, MessageError};

pub use attachment::{AttachmentKind, FILE_ATTACHMENT, FileAttachment, FilePart};
pub use hosted::{CitationPart, CitationSpan, HostedCallStatus, HostedTool, HostedToolCallPart};
pub use peer::PeerContentPart;
pub use plain::{ProviderStatePart, StructuredOutputPart, TextPart, ThinkingPart};
pub use tool::{ArgumentsState, Artifacts, RoundIdentity, ToolCallPart, ToolResultPart};

/// One part of a message to keep. `Debug` shows ids, names and lengths, never text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessagePart {
    /// Text.
    Text(TextPart),
    /// A tool call, to be answered by the application.
    ToolCall(ToolCallPart),
    /// The result of a tool call.
    ToolResult(ToolResultPart),
    /// What a provider wants back as it gave it.
    ProviderState(ProviderStatePart),
    /// Reasoning.
    Thinking(ThinkingPart),
    /// A file.
    File(FilePart),
    /// An answer in a form that was asked for.
    StructuredOutput(StructuredOutputPart),
    /// A tool call that the provider ran itself.
    HostedToolCall(HostedToolCallPart),
    /// Where a statement comes from.
    Citation(CitationPart),
    /// What another participant said.
    PeerContent(PeerContentPart),
}

/// What sort of part. Each role has the sorts that it can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MessagePartKind {
    /// [`TextPart`]: user, system and assistant.
    Text,
    /// [`ToolCallPart`]: assistant.
    ToolCall,
    /// [`ToolResultPart`]: tool.
    ToolResult,
    /// [`ProviderStatePart`]: assistant.
    ProviderState,
    /// [`ThinkingPart`]: assistant.
    Thinking,
    /// [`FilePart`]: user.
    File,
    /// [`StructuredOutputPart`]: assistant and tool.
    StructuredOutput,
    /// [`HostedToolCallPart`]: assistant.
    HostedToolCall,
    /// [`CitationPart`]: assistant.
    Citation,
    /// [`PeerContentPart`]: assistant.
    PeerContent,
}

impl MessagePartKind {
    const ALL: [Self; 10] = [
        Self::Text,
        Self::ToolCall,
        Self::ToolResult,
        Self::ProviderState,
        Self::Thinking,
        Self::File,
        Self::StructuredOutput,
        Self::HostedToolCall,
        Self::Citation,
        Self::PeerContent,
    ];

    /// The name that stands in JSON as `type`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::ToolCall => "tool_call",
            Self::ToolResult => "tool_result",
            Self::ProviderState => "provider_state",
            Self::Thinking => "thinking",
            Self::File => "file",
            Self::StructuredOutput => "structured_output",
            Self::HostedToolCall => "hosted_tool_call",
            Self::Citation => "citation",
            Self::PeerContent => "peer_content",
        }
    }

    /// Whether a message of this role may hold such a part.
    #[must_use]
    pub const fn is_allowed_in(self, role: Role) -> bool {
        match role {
            Role::User => matches!(self, Self::Text | Self::File),
            Role::System => matches!(self, Self::Text),
            Role::Assistant => !matches!(self, Self::File | Self::ToolResult),
            Role::Tool => matches!(self, Self::ToolResult | Self::StructuredOutput),
        }
    }
}

impl core::fmt::Display for MessagePartKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl MessagePart {
    /// What sort of part it is.
    #[must_use]
    pub const fn kind(&self) -> MessagePartKind {
        match self {
            Self::Text(_) => MessagePartKind::Text,
            Self::ToolCall(_) => MessagePartKind::ToolCall,
            Self::ToolResult(_) => MessagePartKind::ToolResult,
            Self::ProviderState(_) => MessagePartKind::ProviderState,
            Self::Thinking(_) => MessagePartKind::Thinking,
            Self::File(_) => MessagePartKind::File,
            Self::StructuredOutput(_) => MessagePartKind::StructuredOutput,
            Self::HostedToolCall(_) => MessagePartKind::HostedToolCall,
            Self::Citation(_) => MessagePartKind::Citation,
            Self::PeerContent(_) => MessagePartKind::PeerContent,
        }
    }

    /// The part that an object describes, as it stands in a message's JSON.
    ///
    /// ```
    /// use cutctx_messages::{DurableObject, MessagePart, MessagePartKind};
    ///
    /// let object: DurableObject = serde_json::from_str(r#"{"type": "thinking"}"#)?;
    /// let part = MessagePart::from_object(&object)?;
    /// assert_eq!(part.kind(), MessagePartKind::Thinking);
    /// assert_eq!(serde_json::to_string(&part)?, r#"{"type":"thinking","text":"","provider_state":null}"#);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageError::Field`]: the first field at fault.
    pub fn from_object(object: &DurableObject) -> Result<Self, MessageError> {
        match kind_of(object)? {
            MessagePartKind::Text => TextPart::read(object).map(Self::Text),
            MessagePartKind::ToolCall => ToolCallPart::read(object).map(Self::ToolCall),
            MessagePartKind::ToolResult => ToolResultPart::read(object).map(Self::ToolResult),
            MessagePartKind::ProviderState => ProviderStatePart::read(object).map(Self::ProviderState),
            MessagePartKind::Thinking => ThinkingPart::read(object).map(Self::Thinking),
            MessagePartKind::File => FilePart::read(object).map(Self::File),
            MessagePartKind::StructuredOutput => {
                StructuredOutputPart::read(object).map(Self::StructuredOutput)
            }
            MessagePartKind::HostedToolCall => HostedToolCallPart::read(object).map(Self::HostedToolCall),
            MessagePartKind::Citation => CitationPart::read(object).map(Self::Citation),
            MessagePartKind::PeerContent => PeerContentPart::read(object).map(Self::PeerContent),
        }
    }

    pub(crate) fn dump(&self) -> Dump<'_> {
        match self {
            Self::Text(part) => part.dump(),
            Self::ToolCall(part) => part.dump(),
            Self::ToolResult(part) => part.dump(),
            Self::ProviderState(part) => part.dump(),
            Self::Thinking(part) => part.dump(),
            Self::File(part) => part.dump(),
            Self::StructuredOutput(part) => part.dump(),
            Self::HostedToolCall(part) => part.dump(),
            Self::Citation(part) => part.dump(),
            Self::PeerContent(part) => part.dump(),
        }
    }
}

fn kind_of(object: &DurableObject) -> Result<MessagePartKind, MessageError> {
    let fault = match object.get("type").map(DurableValue::view) {
        None => FieldFault::Missing,
        Some(ValueView::Text(name)) => {
            let known = MessagePartKind::ALL.into_iter().find(|kind| kind.as_str() == name.as_ref());
            return known.ok_or_else(|| FieldFault::NotAChoice.of("part", "type"));
        }
        Some(_) => FieldFault::WrongType { wanted: "a text" },
    };
    Err(fault.of("part", "type"))
}

impl Serialize for MessagePart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.dump().serialize(serializer)
    }
}

macro_rules! part_from {
    ($($part:ident => $variant:ident),+ $(,)?) => {
        $(impl From<$part> for MessagePart {
            fn from(part: $part) -> Self {
                Self::$variant(part)
            }
        })+
    };
}

part_from! {
    TextPart => Text,
    ToolCallPart => ToolCall,
    ToolResultPart => ToolResult,
    ProviderStatePart => ProviderState,
    ThinkingPart => Thinking,
    FilePart => File,
    StructuredOutputPart => StructuredOutput,
    HostedToolCallPart => HostedToolCall,
    CitationPart => Citation,
    PeerContentPart => PeerContent,
}
