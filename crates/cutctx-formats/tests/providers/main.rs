//! What Bedrock and the Gemini API are sent, and what all of Anthropic's relatives must keep: reading, writing, the
//! laws, and a folder of test data.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]
#![expect(clippy::single_range_in_vec_init, reason = "a part may keep one range")]

extern crate alloc;

#[cfg(test)]
mod active_turn;
#[cfg(test)]
mod bedrock;
#[cfg(test)]
mod cache_marks;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod gemini;
#[cfg(test)]
mod generated;
#[cfg(test)]
#[path = "../suite/laws.rs"]
mod laws;
#[cfg(test)]
#[path = "../suite/shaken.rs"]
mod shaken;
