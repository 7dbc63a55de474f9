//! Context policies for the model steps of long sessions, without I/O.
//!
//! The transcript of a session is the record and is never rewritten. What a model sees of it at one step is a *context*,
//! and a [`ContextPolicy`] builds it. [`BudgetedContextPolicy`] is the one to use; the others do what the policies of the
//! reference do.
//! [`LiveContext`] is its context for a session that stays in memory, and
//! [`BudgetedContextPolicy::begin_over_turns`] the way in for session files.
//!
//! ```
//! use cutctx_context::{
//!     BudgetedContextPolicy, BudgetedContextSettings, ContextRequest, Session, build_context_locally,
//! };
//! use cutctx_messages::{Message, TextPart};
//! use cutctx_types::Role;
//!
//! let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(200_000))?;
//! let transcript = vec![Message::new(Role::User, vec![TextPart::new("paint the fence")?.into()])?];
//!
//! // Before every request to the model:
//! let request = ContextRequest::new(Session::new("session-1", "painter")?, transcript.clone());
//! let stored_checkpoint = None;
//! let built = build_context_locally(&policy, request, stored_checkpoint)?;
//! // Send `built.messages`; store `built.checkpoint` where there is one.
//! assert_eq!(*built.messages, transcript[..]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Machines
//!
//! A policy holds no connection, clock or task. [`begin_context`] gives a [`Step`]: the context, or a question. Whoever
//! drives it gets the answer in his own way and hands it to the step; dropping the step leaves nothing behind. A
//! [`ContextCompactor`] works the same way: where it needs a model it gives the [`ModelRequest`] and waits.
//! [`build_context_locally`] drives policies whose compactors need none.
//!
//! # Coverage
//!
//! A compactor tells how many of the messages its summary stands for. The others stay word for word, so that each message
//! is in exactly one place; and a summary that takes in the one before proves it by that one's SHA-256. A compactor that
//! can make no progress says so under a key, and is not asked again while nothing has changed.
//!
//! # Pressure
//!
//! [`ObservedDeltaContextEstimator`] estimates what a request takes as the reference does, from what the provider counted
//! for exactly these messages ([`ContextInputCoverage`]) where it did. [`BudgetedContextPolicy`] counts by an estimator of
//! yours, scaled by what the provider counted for whatever was sent.
//!
//! # Errors
//!
//! [`ContextBuildError`] has a stable code and details and shows no text of a message. It may carry a checkpoint: what was
//! reached before the failure, to be stored all the same.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod budgeted;
mod checkpoint;
mod compaction;
mod estimate;
mod measure;
mod model_request;
mod payload;
mod policy;
mod project;
mod request;
mod resume;
mod session;
mod setting;
mod telemetry;

pub use budgeted::{
    BudgetedContextPolicy, BudgetedContextSettings, ContextOutcome, DegradedReason, InvalidatedReason,
    LiveContext, LiveRequest, LiveResult, LiveStep, PendingTurnCompaction, TurnContextRequest,
    TurnContextResult, TurnStep, TurnStepResult, TurnUsage, build_turn_context_locally,
};
pub use checkpoint::{
    CheckpointCompactionContextPolicy, CheckpointCompactionSettings, SizeMode, SummaryPrefix,
};
pub use compaction::{
    CompactionFacts, CompactionFailure, CompactionOutcome, CompactionPrompt, CompactionRequest,
    CompactionResult, CompactionStep, ContextCompactor, ExtractiveCompactor, Label, ModelCompletion,
    ModelFailure, ModelFailureKind, ModelOutcome, TranscriptDigestCompactor, default_compaction_prompt,
    message_digest,
};
pub use estimate::{
    AttachmentFloors, ContextInputCoverage, ContextPressureEstimate, ContextPressureOverhead,
    ContextUsageState, CoverageError, EstimateConfidence, EstimateMethod, ObservedDeltaContextEstimator,
    context_input_coverage, estimate_model_request_context_pressure,
};
pub use model_request::ModelRequest;
pub use policy::{
    BuildFault, CompactionFault, ContextBuildError, ContextBuildResult, ContextPolicy, DefaultContextPolicy,
    MessageWindowContextPolicy, PassStop, PendingCompaction, PendingCount, RecentTurnsContextPolicy,
    RuntimeManagedContextPolicy, Step, StepResult, UsageTriggeredContextPolicy, UsageTriggeredSettings,
    begin_context, build_context_locally,
};
pub use project::{ProjectionError, strip_old_file_attachments, trim_context_messages, trim_context_turns};
pub use request::{CompactionInstructions, ContextRequest, PlaceRuntimeContext};
pub use resume::Resume;
pub use session::Session;
pub use setting::{SettingError, SettingFault};
pub use telemetry::{ContextRecallEvent, ContextRecallTelemetry, ContextTelemetry, ContextTelemetryType};
