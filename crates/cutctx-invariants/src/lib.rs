//! The trusted kernel of CutCtx: what may be wrong without harm ends here.
//!
//! A [`Survey`] says what there is to know about a transcript under a budget. A [`CompactionPolicy`]
//! reads it and proposes a draft. [`CompactionPlan::check`] judges the draft by the rules; nothing
//! else makes a plan. A plan at rest is a [`PlanRecord`], and loading one goes through the same check.
//!
//! # Judging a draft
//!
//! ```
//! use cutctx_invariants::{CompactionPlan, Survey};
//! use cutctx_types::{Action, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn, TurnAction};
//!
//! let transcript = Transcript::new(vec![
//!     TranscriptTurn::new("a", Role::Assistant, "look", 1)?.with_tool_call_id("c"),
//!     TranscriptTurn::new("t", Role::Tool, "found", 2)?.with_tool_call_id("c"),
//! ])?;
//! let budget = CompactionBudget::new(2).with_protected_recent_turns(0);
//! let survey = Survey::new(&transcript, &budget)?;
//!
//! // Half of an exchange cannot go.
//! let half = vec![TurnAction::new("a", Action::Drop), TurnAction::new("t", Action::Keep)];
//! let rejected = CompactionPlan::check(PlanDraft::new("mine", "1", half), &survey).unwrap_err();
//! assert_eq!(rejected.first().rule(), "exchange");
//!
//! // All of it can.
//! let all = vec![TurnAction::new("a", Action::Drop), TurnAction::new("t", Action::Drop)];
//! let plan = CompactionPlan::check(PlanDraft::new("mine", "1", all), &survey)?;
//! assert_eq!((plan.tokens_before(), plan.tokens_after_estimate()), (3, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rules, in order
//!
//! | rule | what it asks |
//! |---|---|
//! | `coverage` | one action a turn, in order; when it fails nothing else is asked |
//! | `untouchable` | system turns, pinned turns and the protected tail are kept |
//! | `exchange` | a call and its results stay, or go the same way |
//! | `repeated-request` | no group is requested twice |
//! | `groups-and-requests` | every group is requested, every request has turns |
//! | `request-turns` | a request names its group's turns in order |
//! | `summary-id` | no summary takes the id of a turn |
//! | `request-order` | requests stand in order of their first turns |
//! | `figures` | claimed figures are the derived ones, and they fit 64 bits |
//! | `estimator-ratio` | the ratio is finite, so that every plan has a hash |
//! | `trim` | a trim keeps sound ranges, not all, not nothing, and costs no more |
//!
//! The last two are ours, the others the reference's. A plan may stay above the budget, and says so; and
//! the rules do not ask that it saves anything. Those are laws for policies.
//!
//! # Two floors
//!
//! The reference refuses a budget below the *untouchable* turns (system, pinned, protected tail).
//! Turns that share an exchange with one of those can be neither dropped nor summarized; version 2 of
//! the policies counts them too ([`Floor::total`]).
//!
//! # Storing a plan
//!
//! ```
//! use cutctx_invariants::{CompactionPlan, PlanRecord, Survey};
//! # use cutctx_types::{Action, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn, TurnAction};
//! # let turns = vec![TranscriptTurn::new("u", Role::User, "a long story", 3)?];
//! # let (transcript, budget) = (Transcript::new(turns)?, CompactionBudget::new(3));
//! # let keep = PlanDraft::new("mine", "1", vec![TurnAction::new("u", Action::Keep)]);
//! # let plan = CompactionPlan::check(keep, &Survey::new(&transcript, &budget)?)?;
//! let stored = serde_json::to_string(&PlanRecord::of(&plan, None, "chars/4"))?;
//!
//! // Later, perhaps elsewhere: nothing that was stored is taken on trust.
//! let again = PlanRecord::from_json(&stored)?.check(&transcript)?;
//! assert_eq!(again.plan_hash(), plan.plan_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A policy of your own
//!
//! Implement [`CompactionPolicy`]; its documentation has an example. With the feature `proptest1` the
//! module `conformance` tests it against the laws that a good policy keeps, in five lines, and
//! `strategy` has the transcripts, budgets and drafts for tests of your own:
//!
//! ```toml
//! [dev-dependencies]
//! cutctx-invariants = { version = "0.1", features = ["proptest1"] }
//! ```
//!
//! # Purity
//!
//! The crate is `no_std` with `alloc`, except for the feature `proptest1`, which is for tests.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

#[cfg(feature = "proptest1")]
pub mod conformance;
mod exchanges;
mod floor;
mod groups;
mod plan;
mod policy;
mod record;
mod rejected;
mod rule;
#[cfg(feature = "proptest1")]
pub mod strategy;
mod survey;
mod violation;

pub use exchanges::Exchanges;
pub use floor::{BudgetUnsatisfiable, Floor, LockedCosts};
pub use plan::CompactionPlan;
pub use policy::{CompactionPolicy, PolicyError};
pub use record::{PlanRecord, RecordError, Reserved, transcript_digest};
pub use rejected::Rejected;
pub use survey::Survey;
pub use violation::{TrimFault, Violation};
