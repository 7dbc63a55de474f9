//! What compactors are asked, and what they answer.

mod compactor;
mod digest;
mod extract;
mod failure;
mod message_digest;
mod model;
mod prompt;
mod request;
mod result;

pub use compactor::{CompactionFacts, CompactionStep, ContextCompactor};
pub use digest::TranscriptDigestCompactor;
pub use extract::ExtractiveCompactor;
pub use failure::{CompactionFailure, CompactionOutcome};
pub use message_digest::message_digest;
pub(crate) use message_digest::without_peer_content;
pub use model::{ModelCompletion, ModelFailure, ModelFailureKind, ModelOutcome};
pub use prompt::{CompactionPrompt, default_compaction_prompt};
pub use request::CompactionRequest;
pub use result::{CompactionResult, Label};
