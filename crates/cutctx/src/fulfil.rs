//! Fulfils what a plan asks for: the summaries between deciding and applying.
//!
//! A plan names the turns that a summary is to replace, and the tokens that it counts on. Here is what can be made of
//! that without knowing more: [`tasks`] gives each request with its turns and a prompt, [`extract`] makes summaries
//! without a model, and with the feature `models` `by_model` asks one.
//!
//! ```
//! use cutctx::fulfil::extract;
//! use cutctx::{
//!     CharRatioEstimator, CompactionBudget, CompactionExecutor, CompactionPolicy, Role, SummarizingPolicy,
//!     TokenEstimator, Transcript, TranscriptTurn,
//! };
//! use std::sync::Arc;
//!
//! let long = "pole 7 is 4 m tall, and so are poles 8 and 9 to the north of it. ".repeat(40);
//! let turns: Vec<_> = (0..8)
//!     .map(|turn| TranscriptTurn::new(format!("t{turn}"), Role::User, long.as_str(), 650))
//!     .collect::<Result<_, _>>()?;
//! let transcript = Transcript::new(turns)?;
//! let plan = SummarizingPolicy::new("mine")?.decide(&transcript, &CompactionBudget::new(4000))?;
//!
//! let estimator: Arc<dyn TokenEstimator> = Arc::new(CharRatioEstimator::default());
//! let summaries = extract(&plan, &estimator)?;
//! let applied = CompactionExecutor::new().apply(&transcript, &plan, &summaries)?;
//! assert!(applied.account.overruns.is_empty() && !applied.account.over_budget);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod extracting;
#[cfg(feature = "models")]
mod modelling;
mod task;

pub use extracting::{ExtractError, extract};
#[cfg(feature = "models")]
pub use modelling::{FulfilError, FulfilFault, Fulfilled, Fulfilment, by_model};
pub use task::{SummaryTask, tasks};
