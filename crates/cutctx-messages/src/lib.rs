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
//! assistant's turn, never after the provider's call id. What became of each call is its [`CallState`].
//!
//! # Estimates
//!
//! [`MessageEstimator`] counts tokens per part. Every [`TokenEstimator`](cutctx_types::TokenEstimator) is one.
//! Media are counted by flat rules ([`Media::default_tokens`]), never by the length of their base64 text.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod call;
mod estimate;
mod fresh_ids;
mod mapper;
mod media;
mod pairing;
mod turn_draft;
mod view;

pub use call::{Call, CallState};
pub use estimate::MessageEstimator;
pub use mapper::{Mapped, Placement, TurnMapper};
pub use media::{Media, MediaKind, MediaSource};
pub use view::{CallView, MessageView, Origin, PartView, ResultView};
