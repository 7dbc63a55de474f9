//! Messages as providers exchange them, free of any provider's spelling, and how they become turns.
//!
//! A [`MessageView`] has a speaker and typed parts: text, reasoning, tool calls, tool results, media. A transcript has
//! *turns*, and the two do not match one to one: a message that carries three tool results is three turns, so that
//! each result can be masked alone, while an assistant message with two calls is one turn, because neither call can
//! go without the other. [`TurnMapper`] does that mapping in one pass and says for every part which turn and which
//! part of that turn it became ([`Placement`]); formats use it to find the way back.
//!
//! ```
//! use cutctx_messages::{MessageView, PartView, CallView, ResultView, TurnMapper};
//! use cutctx_types::{CharRatioEstimator, Role};
//!
//! let estimator = CharRatioEstimator::default();
//! let mut mapper = TurnMapper::new(&estimator).pinning_first_user();
//! mapper.push(&MessageView::new(Role::User, vec![PartView::text("how tall is pole 7?")]))?;
//! mapper.push(&MessageView::new(
//!     Role::Assistant,
//!     vec![PartView::ToolCall(CallView::new("call_1", "measure", r#"{"pole":7}"#))],
//! ))?;
//! mapper.push(&MessageView::new(Role::Tool, vec![PartView::ToolResult(ResultView::new("call_1", "4.2 m"))]))?;
//!
//! let mapped = mapper.finish();
//! let call = mapped.turns[1].tool_call_id();
//! assert!(call.is_some());
//! assert_eq!(mapped.turns[2].tool_call_id(), call);
//! assert_eq!(mapped.turns[2].tool_name(), Some("measure"));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Pairing
//!
//! Call ids repeat in real sessions: models copy old ids, resumed sessions replay them. So a result belongs to the
//! nearest earlier call of its id that has no result yet, and the exchange that the two form is named after the
//! assistant's turn, never after the provider's call id. What became of each call is its [`CallState`], and each state
//! has its own rule.
//!
//! # Messages to keep
//!
//! A view borrows from the file that it was read from. A [`Message`] owns what it says and keeps promises: each role
//! has its parts, ids are clean, texts say something, JSON values are [durable](DurableValue). Cloning one copies a
//! pointer. It has one canonical form, by which [`messages_digest`] tells whether two lists are the same.
//!
//! ```
//! use cutctx_messages::{DurableObject, Message, TextPart, ToolCallPart, ToolResultPart, messages_digest};
//! use cutctx_types::Role;
//!
//! let pole: DurableObject = serde_json::from_str(r#"{"pole": 7.0}"#)?;
//! let messages = vec![
//!     Message::new(Role::User, vec![TextPart::new("how tall is pole 7?")?.into()])?,
//!     Message::new(Role::Assistant, vec![ToolCallPart::new("call_1", "measure", pole)?.into()])?,
//!     Message::new(Role::Tool, vec![ToolResultPart::new("call_1", "measure", "4.2 m")?.into()])?,
//! ];
//! let json = serde_json::to_string(&messages)?;
//! let read: Vec<Message> = serde_json::from_str(&json)?;
//! assert_eq!(messages_digest(&read), messages_digest(&messages));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! `MessageView::from(&message)` is the way from there to turns, [`Message::from_view`] the way back where there is
//! one.
//!
//! # Rounds
//!
//! A list of messages may be sent when every calling message is followed at once by the results of exactly its calls:
//! [`check_context`]. Where it may be cut is what [`compaction_boundaries`] and [`atomic_prefix_counts`] say. A list
//! that is not well formed is made so by [`normalize()`], which gathers results, joins what was split, completes or
//! removes calls that nobody answered, and tells every change that it makes:
//!
//! ```
//! use cutctx_messages::{ChangeKind, DurableObject, Message, ToolCallPart, ToolResultPart, check_context, normalize};
//! use cutctx_types::Role;
//!
//! let call = |id| ToolCallPart::new(id, "measure", DurableObject::empty());
//! let result = |id| ToolResultPart::new(id, "measure", "4.2 m");
//! let exported = vec![
//!     Message::new(Role::Assistant, vec![call("call_1")?.into()])?,
//!     Message::new(Role::Assistant, vec![call("call_2")?.into()])?,
//!     Message::new(Role::Tool, vec![result("call_2")?.into()])?,
//!     Message::new(Role::Tool, vec![result("call_1")?.into()])?,
//! ];
//! let normalized = normalize(exported);
//! assert_eq!(normalized.messages.len(), 2);
//! assert_eq!(normalized.changes[0].kind, ChangeKind::MergedMessage { into: 0 });
//! assert_eq!(check_context(&normalized.messages), Ok(()));
//! # Ok::<(), cutctx_messages::MessageError>(())
//! ```
//!
//! All of this works on messages and on views alike, and on any type of yours that is a [`RoundMessage`].
//!
//! # Estimates
//!
//! [`MessageEstimator`] counts tokens per part. Every [`TokenEstimator`](cutctx_types::TokenEstimator) is one.
//! Media are counted by flat rules ([`Media::default_tokens`]), never by the length of their base64 text.
//!
//! # Errors
//!
//! [`MessageError`], [`DurableError`] and [`ContextError`] have a stable code and details, and show no text of a
//! message. A reader that must tell them of what it refuses reads [`WireMessage`] and [`WireValue`] first.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod call;
mod estimate;
mod fresh_ids;
mod json;
mod mapper;
mod media;
mod message;
mod normalize;
mod pairing;
mod part;
mod rounds;
mod text;
mod turn_draft;
mod view;

pub use call::{Call, CallState};
pub use estimate::MessageEstimator;
pub use json::{DurableError, DurableObject, DurableValue, ValueView, WireValue};
pub use mapper::{Mapped, Placement, TurnMapper};
pub use media::{Detail, Media, MediaKind, MediaSource};
pub use message::{FieldFault, Message, MessageError, MessagesDigest, WireMessage, messages_digest};
pub use normalize::{
    Change, ChangeKind, Conflict, ConflictKind, Normalized, Normalizer, OpenCall, normalize,
};
pub use part::{
    ArgumentsState, Artifacts, AttachmentKind, CitationPart, CitationSpan, FILE_ATTACHMENT, FileAttachment,
    FilePart, HostedCallStatus, HostedTool, HostedToolCallPart, MessagePart, MessagePartKind,
    PeerContentPart, ProviderStatePart, RoundIdentity, StructuredOutputPart, TextPart, ThinkingPart,
    ToolCallPart, ToolResultPart,
};
pub use rounds::{
    ContextError, PartRole, RoundMessage, atomic_prefix_counts, check_context, compaction_boundaries,
    is_compaction_boundary, system_prefix,
};
pub use text::{CleanText, DurableText, HexDigest, ModelAttemptId, ModelStepId, SpokenText, ToolRoundId};
pub use view::{CallView, MessageView, Origin, PartView, ResultView};
