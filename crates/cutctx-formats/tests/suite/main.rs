//! The laws of the formats on examples, on generated conversations, on hostile bytes and on a folder of test data.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]
#![expect(clippy::single_range_in_vec_init, reason = "a part may keep one range")]

extern crate alloc;

#[cfg(test)]
mod anthropic;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod detection;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod native;
#[cfg(test)]
mod openai;
#[cfg(test)]
mod raw_engine;
#[cfg(test)]
mod shaken;
