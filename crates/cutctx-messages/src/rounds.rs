//! Tool rounds: which lists of messages are well formed, and where they may be cut.

mod check;
mod error;
mod message;

pub use check::{
    atomic_prefix_counts, check_context, compaction_boundaries, is_compaction_boundary, system_prefix,
};
pub use error::ContextError;
pub use message::{PartRole, RoundMessage};
