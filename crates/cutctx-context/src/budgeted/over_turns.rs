//! The policy over turns: for session files, and for agents that hold turns.

mod as_messages;
mod build;
mod digest;
mod request;

pub(super) use build::begin;
pub use build::build_turn_context_locally;
pub use request::{
    PendingTurnCompaction, TurnContextRequest, TurnContextResult, TurnStep, TurnStepResult, TurnUsage,
};
