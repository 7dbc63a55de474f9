//! Files that are odd or broken: what each of them is read as, or why it is refused.
//!
//! `entries` has a row for every entry of the list of odd files in an optional folder of test data; `kinds` has an
//! example of ours for each kind of fault among them.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod entries;
#[cfg(test)]
mod kinds;
