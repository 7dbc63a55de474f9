//! Claude Code sessions: what is read, what is written, and what a slow reader of its own makes of it.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]
#![expect(clippy::single_range_in_vec_init, reason = "a part may keep one range")]

extern crate alloc;

#[cfg(test)]
#[path = "claude_code/corpus.rs"]
mod corpus;
#[cfg(test)]
#[path = "claude_code/fates.rs"]
mod fates;
#[cfg(test)]
#[path = "claude_code/generated.rs"]
mod generated;
#[cfg(test)]
#[path = "claude_code/hostile.rs"]
mod hostile;
#[cfg(test)]
#[path = "claude_code/laws.rs"]
mod laws;
#[cfg(test)]
#[path = "claude_code/lines.rs"]
mod lines;
#[cfg(test)]
#[path = "claude_code/oracle.rs"]
mod oracle;
#[cfg(test)]
#[path = "claude_code/policies.rs"]
mod policies;
#[cfg(test)]
#[path = "claude_code/reading.rs"]
mod reading;
#[cfg(test)]
#[path = "claude_code/writing.rs"]
mod writing;
