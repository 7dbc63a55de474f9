//! The nouns of transcript compaction.
//!
//! A [`Transcript`] is a list of [`TranscriptTurn`]s with token estimates. When it has outgrown its
//! [`CompactionBudget`], a policy proposes a [`PlanDraft`]: one [`TurnAction`] a turn, and a
//! [`SummarizationRequest`] for every span that shall be replaced by a summary. Drafts are plain data
//! that anyone may write; only `cutctx-invariants` turns one into a plan.
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
//! # What else lives here
//!
//! * [`canonical_json`] and [`sha256_of`]: the one JSON form that plans are hashed in.
//! * [`TokenEstimator`]: the seam for token counts, with [`CharRatioEstimator`] as the plain default.
//! * [`Code`], [`Details`] and [`Coded`]: what every error of the workspace carries.
//! * [`wire`]: plain twins of the checked values, for readers that must report code and details.
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
mod canonical;
mod classes;
mod code;
mod compacted;
mod digest;
mod draft;
mod estimator;
mod invalid;
mod metadata;
mod part;
mod report;
mod request;
mod role;
mod transcript;
mod trim;
mod turn;
pub mod wire;

pub use action::{Action, ActionError, ActionKind, TurnAction, TurnReplacement};
pub use budget::{BudgetError, CompactionBudget};
pub use canonical::{CanonicalError, canonical_json, float_repr};
pub use classes::classify;
pub use code::{Code, Coded, DetailValue, Details, capped_ids};
pub use compacted::CompactedTranscript;
pub use digest::{Sha256Digest, sha256_of, sha256_of_text};
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
