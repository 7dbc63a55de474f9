//! What the loop of an agent costs when its context is compacted on the way.
//!
//! A session is fed turn by turn, as the agent would send it: a request before each answer of the model, with all that
//! was said until then. Where the context is above a limit, a policy brings it down. Every request is priced by the
//! prefix that it shares with the one before, and looked through for what the answer then refers to.
//!
//! Nothing may change in front of what is appended, but at a compaction. Requests are compared turn by turn, so a
//! replay that ends without [`ReplayError::Unstable`] is a proof of that for this session.

mod context_loop;
mod error;
mod history;
mod meter;
mod options;
mod policy;
mod presence;
mod replayed;
mod rows;
mod run;

pub use context_loop::{ContextLoop, Settled};
pub use error::ReplayError;
pub use options::{Limit, ReplayOptions};
pub use replayed::Replayed;
pub use rows::ReplayRow;
pub use run::{Replay, replay, replay_loop};
