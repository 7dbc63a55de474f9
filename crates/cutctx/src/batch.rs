//! The one-call path spelled in JSON: a line is a job, its answer is a line.
//!
//! This is the interface for other languages and for engines that hand out work by lines. `cutctx batch` runs it over
//! standard input; `docs/batch.md` describes it, with a JSON Schema.
//!
//! ```
//! let job = br#"{"id": 7, "budget": {"max_tokens": 4, "protected_recent_turns": 1},
//!   "policy": {"kind": "drop_oldest"}, "summaries": {},
//!   "transcript": {"turns": [
//!     {"turn_id": "a", "role": "user", "content": "long ago", "token_estimate": 3},
//!     {"turn_id": "b", "role": "user", "content": "now", "token_estimate": 2}]}}"#;
//! let answer = cutctx::batch::run_line(job, 1).to_json();
//! assert!(answer.starts_with(r#"{"id":7,"line":1,"plan":"{\"actions\":"#));
//! assert!(answer.contains(r#""dropped_turn_ids":["a"]"#));
//! ```
//!
//! # Stages
//!
//! A job is converted and run in a fixed order: transcript, budget, policy, decide, hash, transcript to apply to,
//! apply. The first failure ends it and keeps its [`Stage`], code and details. What was decided before a failure at
//! the last two stages is in the answer all the same. A line that is no job fails at [`Stage::Job`] with the code
//! [`INVALID_JOB`], and no text of it is repeated.

mod answer;
mod id;
mod job;
pub mod lines;
#[cfg(feature = "parallel")]
pub mod parallel;
mod run;

pub use answer::{Answer, JobFailure, Stage};
pub use id::JobId;
pub use job::{INVALID_JOB, Job, JobError};
pub use run::{ExecutorKind, answer_line, run, run_line};
