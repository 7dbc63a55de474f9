//! Applying plans, against slow oracles and on hand-made cases.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::single_range_in_vec_init,
    clippy::string_slice,
    reason = "a test may fail loudly, and a list of one range is meant as such"
)]

extern crate alloc;

#[cfg(test)]
mod account;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod privacy;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod strict;
#[cfg(test)]
mod trimming;
