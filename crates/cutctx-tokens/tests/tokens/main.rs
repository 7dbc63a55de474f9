//! Counts of tokens, held against other implementations, against laws, and against what people reported.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod cache;
#[cfg(test)]
#[cfg(feature = "openai")]
mod corpus;
#[cfg(test)]
mod counting;
#[cfg(test)]
#[cfg(feature = "openai")]
mod exact;
#[cfg(test)]
mod heuristic;
#[cfg(test)]
#[cfg(feature = "huggingface")]
mod huggingface;
#[cfg(test)]
#[cfg(feature = "openai")]
mod kinds;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod names;
