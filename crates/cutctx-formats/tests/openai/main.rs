//! What OpenAI's models are sent and what the Codex CLI writes: reading, writing, the laws, and a folder of test data.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]
#![expect(clippy::single_range_in_vec_init, reason = "a part may keep one range")]

extern crate alloc;

#[cfg(test)]
mod chat;
#[cfg(test)]
mod codex;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod generated;
#[cfg(test)]
#[path = "../suite/laws.rs"]
mod laws;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod responses;
