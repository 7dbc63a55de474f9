//! The trusted kernel of CutCtx: what may be wrong without harm ends here.
//!
//! A [`Survey`] says what there is to know about a transcript under a budget. A [`CompactionPolicy`]
//! reads it and proposes a draft. [`CompactionPlan::check`] judges the draft by the rules; nothing
//! else makes a plan. A plan at rest is a [`PlanRecord`], and loading one goes through the same check.
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
//! Coverage, untouchable turns, whole exchanges, summary groups (five rules), figures: the
//! reference's. Then ours: a finite estimator ratio, and sound trims.
//!
//! # Two floors
//!
//! The reference refuses a budget below the *untouchable* turns (system, pinned, protected tail).
//! Turns that share an exchange with one of those can be neither dropped nor summarized; version 2 of
//! the policies counts them too ([`Floor::total`]).

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod exchanges;
mod floor;
mod groups;
mod plan;
mod policy;
mod record;
mod rejected;
mod rule;
mod survey;
mod violation;

pub use exchanges::Exchanges;
pub use floor::{BudgetUnsatisfiable, Floor, LockedCosts};
pub use plan::CompactionPlan;
pub use policy::{CompactionPolicy, PolicyError};
pub use record::{PlanRecord, RecordError, transcript_digest};
pub use rejected::Rejected;
pub use survey::Survey;
pub use violation::{TrimFault, Violation};
