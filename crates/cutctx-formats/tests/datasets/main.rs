//! Trajectories, evaluation logs and data sets: the laws on examples and on a folder of test data, and what is read how.

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
