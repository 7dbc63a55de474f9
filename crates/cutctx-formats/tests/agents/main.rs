//! What agents write about their sessions: what is read how and written back, the laws, and hostile files.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]
#![expect(clippy::single_range_in_vec_init, reason = "a part may keep one range")]

extern crate alloc;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod hostile;
#[cfg(test)]
#[path = "../suite/laws.rs"]
mod laws;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod writing;
