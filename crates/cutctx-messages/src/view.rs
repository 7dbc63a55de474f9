//! A message and its typed parts.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use cutctx_types::Role;

use crate::call::CallState;
use crate::media::Media;

/// One message of a conversation. Text may be borrowed from the file it was read from.
///
/// `Debug` shows roles, kinds and lengths, never text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageView<'a> {
    /// Who speaks. Tool results may come in a `Tool` or in a `User` message.
    pub role: Role,
    /// What is said, in order.
    pub parts: Vec<PartView<'a>>,
    /// The id that the first turn of the message gets; without one the mapper numbers messages.
    pub id: Option<Arc<str>>,
    /// Whether the turns of the message are pinned.
    pub pinned: bool,
    /// Where the words of a user message come from.
    pub origin: Origin,
}

/// Where the words of a user message come from. Harnesses put much into the user's mouth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Origin {
    /// A person says it.
    #[default]
    Person,
    /// Standing instructions that a harness puts in: an instruction file, a reminder, the environment. They are pinned.
    Instructions,
    /// A harness says it for the moment: the output of a local command, a note that the person interrupted.
    Harness,
}

impl<'a> MessageView<'a> {
    /// A message without an id of its own.
    #[must_use]
    pub const fn new(role: Role, parts: Vec<PartView<'a>>) -> Self {
        Self { role, parts, id: None, pinned: false, origin: Origin::Person }
    }

    /// With the id that its first turn gets.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// With where its words come from.
    #[must_use]
    pub const fn with_origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// With its turns pinned, or not.
    #[must_use]
    pub const fn with_pinned(mut self, pinned: bool) -> Self {
        self.pinned = pinned;
        self
    }
}

impl fmt::Debug for MessageView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageView")
            .field("role", &self.role)
            .field("parts", &self.parts)
            .field("id", &self.id)
            .field("pinned", &self.pinned)
            .field("origin", &self.origin)
            .finish()
    }
}

/// One part of a message.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartView<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// Reasoning in readable form, free to be cut.
    Reasoning(Cow<'a, str>),
    /// Reasoning that is signed or encrypted and stays whole or goes.
    OpaqueReasoning {
        /// The part of it that can be read; may be empty.
        text: Cow<'a, str>,
        /// The bytes of encrypted data that stand for what cannot be read.
        hidden_bytes: u64,
    },
    /// A tool call.
    ToolCall(CallView<'a>),
    /// A tool result.
    ToolResult(ResultView<'a>),
    /// An image, a document, a sound, or a block without readable text.
    Media(Media<'a>),
}

impl<'a> PartView<'a> {
    /// A text part.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// The readable characters' length in bytes, for `Debug` and capacity.
    fn length(&self) -> usize {
        match self {
            Self::Text(text) | Self::Reasoning(text) | Self::OpaqueReasoning { text, .. } => text.len(),
            Self::ToolCall(call) => call.arguments.len(),
            Self::ToolResult(result) => result.parts.iter().map(Self::length).fold(0, usize::saturating_add),
            Self::Media(_) => 0,
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "Text",
            Self::Reasoning(_) => "Reasoning",
            Self::OpaqueReasoning { .. } => "OpaqueReasoning",
            Self::ToolCall(_) => "ToolCall",
            Self::ToolResult(_) => "ToolResult",
            Self::Media(_) => "Media",
        }
    }
}

impl fmt::Debug for PartView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({} bytes)", self.name(), self.length())
    }
}

/// A tool call that a model made.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallView<'a> {
    /// The provider's id of the call; not unique within a conversation.
    pub call_id: Cow<'a, str>,
    /// The tool.
    pub name: Cow<'a, str>,
    /// The arguments as JSON text, or whatever the model wrote in its place.
    pub arguments: Cow<'a, str>,
    /// Whether the provider runs the call and puts the result into the same message.
    pub server_side: bool,
    /// What the file itself says became of the call, where it says so.
    pub state: Option<CallState>,
}

impl<'a> CallView<'a> {
    /// A call that the client answers.
    pub fn new(
        call_id: impl Into<Cow<'a, str>>,
        name: impl Into<Cow<'a, str>>,
        arguments: impl Into<Cow<'a, str>>,
    ) -> Self {
        Self {
            call_id: call_id.into(),
            name: name.into(),
            arguments: arguments.into(),
            server_side: false,
            state: None,
        }
    }

    /// The same call, run by the provider.
    #[must_use]
    pub const fn on_server(mut self) -> Self {
        self.server_side = true;
        self
    }

    /// With what the file says became of the call. It holds for as long as no final result is met.
    #[must_use]
    pub const fn in_state(mut self, state: CallState) -> Self {
        self.state = Some(state);
        self
    }

    /// Whether the call says nothing but its name: its arguments are empty or an empty object.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let mut rest = self.arguments.chars().filter(|character| !character.is_whitespace());
        matches!((rest.next(), rest.next(), rest.next()), (None, ..) | (Some('{'), Some('}'), None))
    }
}

impl fmt::Debug for CallView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallView")
            .field("call_id", &self.call_id)
            .field("name", &self.name)
            .field("argument_bytes", &self.arguments.len())
            .field("server_side", &self.server_side)
            .field("state", &self.state)
            .finish()
    }
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultView<'a> {
    /// The provider's id of the call that it answers.
    pub call_id: Cow<'a, str>,
    /// The tool, where the result names it; otherwise the name is taken from the call.
    pub name: Option<String>,
    /// Text and media.
    pub parts: Vec<PartView<'a>>,
    /// Whether the tool reported a failure.
    pub is_error: bool,
    /// Whether the result only says that the tool is at work; the call waits for another one.
    pub provisional: bool,
}

impl<'a> ResultView<'a> {
    /// A result that is one text.
    pub fn new(call_id: impl Into<Cow<'a, str>>, text: impl Into<Cow<'a, str>>) -> Self {
        Self::with_parts(call_id, vec![PartView::text(text)])
    }

    /// A result made of several parts.
    pub fn with_parts(call_id: impl Into<Cow<'a, str>>, parts: Vec<PartView<'a>>) -> Self {
        Self { call_id: call_id.into(), name: None, parts, is_error: false, provisional: false }
    }

    /// As the report of a failure, or not.
    #[must_use]
    pub const fn with_error(mut self, is_error: bool) -> Self {
        self.is_error = is_error;
        self
    }

    /// As a first word of a tool that is still at work.
    #[must_use]
    pub const fn provisionally(mut self) -> Self {
        self.provisional = true;
        self
    }

    /// With the name of the tool.
    #[must_use]
    pub fn with_name(mut self, name: Option<String>) -> Self {
        self.name = name;
        self
    }
}
