//! The evaluation of policies on sessions.

mod options;
mod run;
mod summary;

pub use options::EvalOptions;
pub use run::{Cell, EvalError, Evaluation, evaluate};
pub use summary::{Row, Summary};
