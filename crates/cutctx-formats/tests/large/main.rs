//! Large files: what is opened and held in part is read and written as what is held whole.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]
#![expect(clippy::single_range_in_vec_init, reason = "a part may keep one range")]

extern crate alloc;

#[cfg(test)]
mod changes;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod same;
#[cfg(test)]
mod templates;
