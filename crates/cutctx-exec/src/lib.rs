//! Applies a compaction plan: the view to send, the report, and the account.
//!
//! A plan says what happens to each turn. A [`CompactionExecutor`] does it, with the texts of the
//! [`Summaries`] that the plan asks for, and gives back [`Applied`]: the turns of the view, the report
//! in the reference's keys, and the [`Account`] of what came of it.
//!
//! ```
//! use cutctx_exec::{CompactionExecutor, Summaries};
//! use cutctx_invariants::{CompactionPlan, Survey};
//! use cutctx_types::{
//!     Action, CompactionBudget, PlanDraft, Role, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
//! };
//!
//! let transcript = Transcript::new(vec![
//!     TranscriptTurn::new("s", Role::System, "be brief", 2)?,
//!     TranscriptTurn::new("u", Role::User, "tabs or spaces, and why, at length?", 9)?,
//!     TranscriptTurn::new("a", Role::Assistant, "tabs, for many reasons", 6)?,
//! ])?;
//! let budget = CompactionBudget::new(10).with_protected_recent_turns(0);
//!
//! // A policy would write this draft.
//! let fold = Action::Summarize { group: "g".into() };
//! let actions = vec![
//!     TurnAction::new("s", Action::Keep),
//!     TurnAction::new("u", fold.clone()),
//!     TurnAction::new("a", fold),
//! ];
//! let request = SummarizationRequest::new("g", vec!["u".into(), "a".into()], 4, "prompt-1")?;
//! let draft = PlanDraft::new("mine", "1.0.0", actions).with_requests(vec![request]);
//! let plan = CompactionPlan::check(draft, &Survey::new(&transcript, &budget)?)?;
//!
//! // The application supplies the summary. It is longer than the plan counted on.
//! let summaries = Summaries::none().with("g", "they agreed on tabs");
//! let applied = CompactionExecutor::new().apply(&transcript, &plan, &summaries)?;
//!
//! assert_eq!(applied.compacted.turns.len(), 2);
//! assert_eq!(applied.compacted.report.tokens_after_estimate, 6);
//! assert_eq!(applied.account.tokens_after_measured, 7);
//! assert_eq!(applied.account.overruns[0].measured_tokens, 5);
//! assert_eq!(applied.account.first_changed_position, Some(1));
//! assert!(!applied.account.over_budget);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two executors
//!
//! [`CompactionExecutor::new`] is strict: it refuses a transcript in which a planned turn has changed,
//! accepts turns that were appended since, and measures summaries. [`CompactionExecutor::reference`]
//! compares ids and takes each target at its word, as the Python reference does; version-1 plans and
//! stored audit records are served by it.
//!
//! # Report and account
//!
//! The report repeats the plan's figures and lists the turns by fate, appended ones among the kept.
//! The account is where the truth is: measured tokens, overruns, the first position at which a prompt
//! cache breaks, and for every turn its fate and the reason why.
//!
//! # Marks in the view
//!
//! A turn that is not what it was says so in its metadata: `cutctx.kind` is `masked`, `trimmed` or
//! `summary`. A summary turn also names its group (`cutctx.summary_group`) and counts the turns behind
//! it (`cutctx.replaced_turn_count`). Where a turn is trimmed, each stretch that was cut out leaves a
//! line with a single `…`.
//!
//! # Rendering elsewhere
//!
//! Whoever writes a session back in a format of its own needs [`Fate`]s, not finished turns: see
//! [`fates`] and [`fates_with_appended`].

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod account;
mod error;
mod executor;
mod fate;
mod mismatch;
mod moved_calls;
mod report;
mod summaries;
mod trimmed;
mod view;

pub use account::{Account, FateCounts, KeptReason, Overrun, SummaryAccount, TurnAccount, TurnFate};
pub use error::ApplyError;
pub use executor::{Applied, CompactionExecutor};
pub use fate::{Fate, fates, fates_with_appended};
pub use mismatch::{Mismatch, StrictMismatch};
pub use summaries::Summaries;
