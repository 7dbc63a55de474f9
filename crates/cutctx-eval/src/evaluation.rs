//! The evaluation of policies on sessions.

mod bench;
mod error;
mod options;
mod run;
mod summary;

pub use error::EvalError;
pub use options::EvalOptions;
pub use run::{EvalCell, Evaluation, evaluate};
pub use summary::{EvalRow, EvalSummary};
