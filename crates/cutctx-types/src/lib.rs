//! The nouns of transcript compaction.
//!
//! A [`Transcript`] is a list of [`TranscriptTurn`]s with token estimates. When it has outgrown its
//! [`CompactionBudget`], a policy proposes a [`PlanDraft`]: one [`TurnAction`] a turn, and a
//! [`SummarizationRequest`] for every span that shall be replaced by a summary. Drafts are plain data
//! that anyone may write; only `cutctx-invariants` turns one into a plan.
//!
//! # A transcript
//!
//! A turn has an id, a speaker, a text and what the text costs. Estimates are the caller's; the plain
//! [`CharRatioEstimator`] is there for those who have none better.
//!
//! ```
//! use cutctx_types::{CharRatioEstimator, Role, TokenEstimator, Transcript, TranscriptTurn};
//!
//! let estimator = CharRatioEstimator::default();
//! let text = "list the files in src";
//! let turn = TranscriptTurn::new("u1", Role::User, text, estimator.estimate(text))?;
//! let transcript = Transcript::new(vec![turn])?;
//! assert_eq!(transcript.token_estimate(), 6);
//! # Ok::<(), cutctx_types::InvalidValue>(())
//! ```
//!
//! A tool call and its results share a call id; together they are one *exchange*, which no plan takes
//! apart. A pinned turn is never touched. Where a format knows more about a text (reasoning, arguments,
//! a result), the turn's [`Part`]s tile it, so that a [`Trim`] can keep some of them.
//!
//! ```
//! use cutctx_types::{Part, PartKind, Role, TranscriptTurn};
//!
//! let call = TranscriptTurn::new("a1", Role::Assistant, "I shall look.{\"path\":\"src\"}", 8)?
//!     .with_tool_call_id("call-1")
//!     .with_tool_name("list")
//!     .with_parts(vec![
//!         Part::new(PartKind::Text, 13, 4),
//!         Part::new(PartKind::CallArguments, 27, 4),
//!     ])?;
//! let result = TranscriptTurn::new("t1", Role::Tool, "lib.rs main.rs", 4)?
//!     .with_tool_call_id("call-1")
//!     .with_pinned(true);
//! assert_eq!(call.tool_call_id(), result.tool_call_id());
//! # Ok::<(), cutctx_types::TurnError>(())
//! ```
//!
//! # A draft
//!
//! A turn is kept, masked by a shorter text, trimmed to some of its parts, folded into a summary, or
//! dropped. A draft says which, for every turn in order.
//!
//! ```
//! use cutctx_types::{Action, PlanDraft, SummarizationRequest, TurnAction, TurnReplacement};
//!
//! let draft = PlanDraft::new("by-hand", "1.0.0", vec![
//!     TurnAction::new("u1", Action::Summarize { group: "start".into() }),
//!     TurnAction::new("t1", Action::Mask(TurnReplacement::new("[cut]", 2))),
//!     TurnAction::new("u2", Action::Keep),
//! ])
//! .with_requests(vec![SummarizationRequest::new("start", vec!["u1".into()], 40, "brief")?]);
//! assert_eq!(draft.summarization_requests[0].summary_turn_id(), "summary:start");
//! # Ok::<(), cutctx_types::RequestError>(())
//! ```
//!
//! # One form for hashing
//!
//! [`canonical_json`] writes any value in the one form that plans are compared and hashed in, and
//! [`sha256_of`] hashes it. It is not to be mixed with other canonical forms.
//!
//! # Errors
//!
//! Every error has a stable [`Code`] and structured [`Details`] beside its sentence: see [`Coded`]. None
//! shows text of a turn, nor does any `Debug` output. A value that comes from JSON is checked like any
//! other. The twins in [`wire`] are for readers that must tell code and details of what they refuse,
//! since serde keeps only an error's sentence:
//!
//! ```
//! use cutctx_types::{Coded, CompactionBudget, wire::WireBudget};
//!
//! let wire: WireBudget = serde_json::from_str(r#"{"max_tokens": -1}"#)?;
//! let error = CompactionBudget::try_from(wire).unwrap_err();
//! assert_eq!(error.code().as_str(), "VALIDATION_ERROR");
//! assert_eq!(serde_json::to_string(&error.details())?, r#"{"max_tokens":-1}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Units
//!
//! *Tokens* are estimates in whole tokens. *Characters* are Unicode code points. *Bytes* are bytes of
//! UTF-8. Positions inside a turn's content are bytes and lie on character borders.
//!
//! # Purity
//!
//! The crate is `no_std` with `alloc`: no clock, file, thread, environment or randomly seeded map.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod action;
mod budget;
mod cache;
mod canonical;
mod classes;
mod code;
mod compacted;
mod cut;
mod digest;
mod draft;
mod estimator;
mod invalid;
mod mark;
mod metadata;
mod part;
mod report;
mod request;
mod retrim;
mod role;
mod transcript;
mod trim;
mod turn;
pub mod wire;

pub use action::{Action, ActionError, ActionKind, TurnAction, TurnReplacement};
pub use budget::{BudgetError, CompactionBudget};
pub use cache::{CacheAccount, CacheEdit, CachePreset, CachePrices, CachePricesError, CacheVerdict};
pub use canonical::{CanonicalError, canonical_json, float_repr};
pub use classes::classify;
pub use code::{Code, Coded, DetailValue, Details, capped_ids};
pub use compacted::CompactedTranscript;
pub use cut::{CutPiece, CutTurn};
pub use digest::{RunningDigest, Sha256Digest, sha256_of, sha256_of_text};
pub use draft::{DeclaredFigures, PlanDraft};
pub use estimator::{CharRatioEstimator, EstimatorError, TokenEstimator};
pub use invalid::InvalidValue;
pub use metadata::Metadata;
pub use part::{Part, PartError, PartKind};
pub use report::CompactionReport;
pub use request::{RequestError, SUMMARY_PREFIX, SummarizationRequest};
pub use role::Role;
pub use transcript::{Transcript, TranscriptError};
pub use trim::{KeptPart, Trim};
pub use turn::{TranscriptTurn, TurnError};
