//! Summaries by models.
//!
//! Nothing below this crate calls a model: a plan or a context policy *asks* for a summary, and the application
//! fulfils it. Here is what fulfils it, for those who want it ready made.
//!
//! * [`SummaryModel`] and [`TokenCounter`] are what a model must be able to do. Both are object-safe and answer with
//!   boxed futures; no runtime is forced on anyone, and [`block_on`] waits without one.
//! * [`http`] (feature `http`): OpenAI's chat completions, which most local servers speak too, OpenAI's responses,
//!   and Anthropic's messages; counters of tokens by Anthropic, OpenAI and Gemini. Feature `ureq` adds the client.
//! * [`CommandModel`] is a program of yours.
//! * [`ModelCompactor`] and [`PromptCacheCompactor`] make the summaries that context policies want, as machines
//!   without I/O; [`ContextDriver`] answers what policies and compactors ask, awaiting or blocking.
//! * [`RetryPolicy`] says when to ask again, [`Retrying`] does it.
//!
//! ```
//! use cutctx_context::ModelRequest;
//! use cutctx_messages::{Message, TextPart};
//! use cutctx_models::{Completion, SummaryModel, block_on};
//! use cutctx_types::Role;
//!
//! async fn ask(model: &dyn SummaryModel) -> Result<Completion, Box<dyn std::error::Error>> {
//!     let ask = Message::new(Role::User, vec![TextPart::new("sum it up in a line")?.into()])?;
//!     Ok(model.complete(&ModelRequest::new(vec![ask])).await?)
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! [`ModelError`] sorts what can go wrong into what helps: an overflow wants a smaller request, a rate limit wants
//! patience, a refused key wants another key. A [`FailedAttempt`] says what it cost all the same. No error holds text of
//! the conversation or of a key.

extern crate alloc;

mod command;
mod compactor;
mod completion;
mod driver;
mod error;
mod future;
#[cfg(feature = "http")]
pub mod http;
mod model;
mod retry;
mod retrying;

pub use command::CommandModel;
pub use compactor::{CachePrefixBuilder, ModelCompactor, PromptCacheCompactor};
pub use completion::{Completion, FinishReason, TokenUsage};
pub use driver::{ContextDriver, compact_with};
pub use error::{ConnectionFault, FailedAttempt, ModelError};
pub use future::{Abandoned, BoxFuture, block_on, on_a_thread};
pub use model::{SummaryModel, TokenCounter};
pub use retry::RetryPolicy;
pub use retrying::Retrying;
