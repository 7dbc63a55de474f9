//! Transcript compaction for LLM agents: decide, prove and apply what to keep, mask, summarize or drop.
//!
//! A transcript has outgrown its window. A *policy* proposes what to do with each turn so that it fits a token budget;
//! *rules* judge the proposal and make a *plan* of it; an *executor* applies the plan and gives the view to send, a
//! *report* and an *account*. All of that is deterministic and needs no model, clock, disk or network.
//!
//! # In one call
//!
//! ```
//! use cutctx::{
//!     CompactionBudget, ObservationMaskingPolicy, Role, Summaries, Transcript, TranscriptTurn, compact,
//! };
//!
//! let log = "line of a log\n".repeat(200);
//! let turns = vec![
//!     TranscriptTurn::new("u", Role::User, "why does it fail?", 5)?,
//!     TranscriptTurn::new("a", Role::Assistant, "let me look", 3)?.with_tool_call_id("c"),
//!     TranscriptTurn::new("t", Role::Tool, log, 700)?.with_tool_call_id("c"),
//!     TranscriptTurn::new("b", Role::Assistant, "the disk is full", 4)?,
//! ];
//! let transcript = Transcript::new(turns)?;
//! let budget = CompactionBudget::new(100).with_protected_recent_turns(1);
//! let policy = ObservationMaskingPolicy::new().with_keep_recent_results(0);
//!
//! let outcome = compact(&transcript, &budget, &policy, &Summaries::none())?;
//! let view = &outcome.applied.compacted.turns;
//! assert!(view[2].content().starts_with("[tool result masked by cutctx]"));
//! assert!(!outcome.applied.account.over_budget);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Plan, fulfil, apply
//!
//! The library never calls a model by itself. A plan that wants a span summarized carries a request; the application has it
//! answered and hands the text back:
//!
//! ```
//! use cutctx::{
//!     CompactionBudget, CompactionExecutor, CompactionPolicy, Role, Summaries, SummarizingPolicy, Transcript,
//!     TranscriptTurn,
//! };
//!
//! let turn = |n: usize| TranscriptTurn::new(format!("t{n}"), Role::User, "a long story", 100);
//! let transcript = Transcript::new((0..10).map(turn).collect::<Result<_, _>>()?)?;
//! let budget = CompactionBudget::new(600);
//!
//! // Plan.
//! let plan = SummarizingPolicy::new("my-prompt")?.decide(&transcript, &budget)?;
//! // Fulfil.
//! let mut summaries = Summaries::none();
//! for request in plan.summarization_requests() {
//!     let text = format!("a summary of {} turns, by a model", request.turn_ids().len());
//!     summaries = summaries.with(request.group_id().clone(), text);
//! }
//! // Apply.
//! let applied = CompactionExecutor::new().apply(&transcript, &plan, &summaries)?;
//! assert!(applied.account.tokens_after_measured <= 600);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! Everything of the layers below is re-exported: the names that an application needs at the root, whole crates as
//! [`types`], [`invariants`], [`policies`], [`exec`], [`messages`] and [`formats`], and behind their features `context`,
//! `models` and `tokens`.
//!
//! * [`compact()`]: the one-call path.
//! * [`StickyView`]: what an agent loop sends, stable for the prompt cache between compactions.
//! * [`session`]: the same for session files (feature `formats`).
//! * [`pins`]: which turns must stay, as people express it (feature `pins`).
//! * [`batch`]: the same spelled in JSON, a line a job (feature `pins`, which jobs can name).
//! * `counting`: one counter for everything, checked against what the provider counted (features `formats` and
//!   `tokens`); `tokens` has the tokenizers themselves.
//! * `fulfil`: the summaries that a plan asks for, by an extract, or by a model (features `context` and `models`).
//! * [`documents`]: policies and summaries from JSON.
//!
//! # Crate features
//!
//! * `formats` (default): session files and provider messages. It adds no third-party crate.
//! * `pins` (default): pins by id, role, tool and regular expression. It adds regex.
//! * `context`: context policies for the model steps of long sessions. It adds no third-party crate.
//! * `models`: summaries by models, `models` and `fulfil::by_model`; with `http` also a client for OpenAI, Anthropic and
//!   servers like theirs. It adds ureq, and with it TLS.
//! * `tokens`: token counts by model, and `counting` beside `formats`. It adds foldhash and imagesize.
//! * `openai`: the vocabularies of OpenAI's models for `tokens`, about 4 MB.
//! * `huggingface`: any `tokenizer.json` for `tokens`, about 2 MB.
//! * `parallel`: `batch::parallel`, many jobs at once. It adds rayon.

extern crate alloc;

mod compact;
mod error;
mod sticky;

#[cfg(feature = "pins")]
pub mod batch;
#[cfg(all(feature = "formats", feature = "tokens"))]
pub mod counting;
pub mod documents;
#[cfg(feature = "context")]
pub mod fulfil;
#[cfg(feature = "pins")]
pub mod pins;
#[cfg(feature = "formats")]
pub mod session;

pub use compact::{Outcome, compact};
pub use error::Error;
pub use sticky::{StickyStep, StickyView};

#[cfg(feature = "context")]
pub use cutctx_context as context;
pub use cutctx_exec as exec;
#[cfg(feature = "formats")]
pub use cutctx_formats as formats;
pub use cutctx_invariants as invariants;
pub use cutctx_messages as messages;
#[cfg(feature = "models")]
pub use cutctx_models as models;
pub use cutctx_policies as policies;
#[cfg(feature = "tokens")]
pub use cutctx_tokens as tokens;
pub use cutctx_types as types;

pub use cutctx_exec::{
    Account, Applied, ApplyError, CompactionExecutor, Fate, FateCounts, KeptReason, Summaries, TurnAccount,
    TurnFate,
};
pub use cutctx_invariants::{
    BudgetUnsatisfiable, CompactionPlan, CompactionPolicy, Floor, PlanRecord, PolicyError, RecordError,
    Rejected, Reserved, Survey, Violation,
};
pub use cutctx_policies::{
    BoxedPolicy, CoverPolicy, DropOldestPolicy, Exemptions, FrozenHeadPolicy, ManualPolicy, MaskStub,
    ObservationMaskingPolicy, PaysBackPolicy, PolicyChain, PolicySpec, PolicyVersion, Recommended,
    RecommendedPolicy, SummarizingPolicy, TargetShare, default_chain, recommended,
};
pub use cutctx_types::{
    Action, ActionKind, CacheAccount, CacheEdit, CachePreset, CachePrices, CacheVerdict, CharRatioEstimator,
    Code, Coded, CompactedTranscript, CompactionBudget, CompactionReport, DetailValue, Details, InvalidValue,
    Metadata, Part, PartKind, PlanDraft, Role, SummarizationRequest, TokenEstimator, Transcript,
    TranscriptTurn, Trim, TurnAction, TurnReplacement,
};
