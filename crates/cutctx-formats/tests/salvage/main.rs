//! Damaged files: what is had of them, the account of the rest, and the work that it takes.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod laws;
